package main

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/backstay/backstay/examples/service/internal/peer"
	"github.com/backstay/backstay/examples/service/internal/shop"
	"github.com/backstay/backstay/examples/service/internal/web"
)

// stand is what a run needs around it: the peer, the till, who counts, and the live page if there is one.
type stand struct {
	peer  peer.Control
	tally *shop.Tally
	till  till
	page  *web.Server // nil without -listen

	started *web.Server // the peer, if it is in this process
}

// setUp sets the stand up. It is to be closed, also when there is an error.
func (r run) setUp(ctx context.Context, log *slog.Logger) (*stand, error) {
	s := &stand{peer: peer.Control{URL: r.peer, Client: newClient()}, tally: &shop.Tally{}}
	var err error
	if r.peer == "" {
		if s.started, err = peer.Start("127.0.0.1:0", peer.New()); err != nil {
			return s, err
		}
		s.peer.URL = s.started.URL
	}
	d := shop.Deployment{
		Peer:  shop.Endpoint{URL: s.peer.URL, Client: s.peer.Client},
		Pace:  r.pace,
		Log:   log,
		Tally: s.tally,
	}
	if r.listen == "" {
		s.till, err = r.open(ctx, d)
		return s, err
	}
	p := newPage(r.listen)
	if s.till, err = r.open(ctx, d, p.board); err == nil {
		s.page, err = p.serve(s.till.container, log)
	}
	return s, err
}

func (s *stand) close() {
	if s.page != nil {
		_ = s.page.Close()
	}
	if s.till.container != nil {
		_ = s.till.container.Stop(context.Background()) // nothing of the shop's can fail to stop
	}
	s.peer.Client.CloseIdleConnections() // first, or the peer waits for them
	if s.started != nil {
		_ = s.started.Close()
	}
}

// newClient returns a client that keeps enough connections for a rush.
func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: 10 * time.Second}}
}
