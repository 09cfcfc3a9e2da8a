package browser_test

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
)

// mounted is a page where a service would have it, below other routes.
func mounted(board *dashboard.Dashboard, source dashboard.Source) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/internal/backstay/", http.StripPrefix("/internal/backstay", board.Handler(source)))
	return mux
}

// server is one that may die at once, whoever is connected.
type server struct {
	address string
	kill    func()
}

// serveAt serves on an address, which another server may have had.
func serveAt(t *testing.T, address string, h http.Handler) *server {
	t.Helper()
	var l net.Listener
	require.Eventually(t, func() (ok bool) {
		var err error
		l, err = net.Listen("tcp", address)
		return err == nil
	}, patience, 10*time.Millisecond)
	s, done := &http.Server{Handler: h}, make(chan struct{})
	go func() {
		defer close(done)
		_ = s.Serve(l) // until it is killed
	}()
	kill := func() {
		_ = s.Close() // what cannot be closed is gone
		<-done
	}
	t.Cleanup(kill)
	return &server{l.Addr().String(), kill}
}

// served is the address of a page, over a server that is gone after the test.
func served(t *testing.T, board *dashboard.Dashboard, source dashboard.Source) string {
	t.Helper()
	return "http://" + serveAt(t, "127.0.0.1:0", mounted(board, source)).address + "/internal/backstay/"
}

// served is the address of the shop's page.
func (s *shop) served(t *testing.T) string {
	t.Helper()
	return served(t, s.board, s)
}

// traffic makes calls, so many in a second, until the test is over or the traffic is stopped. Not more than a few are under way
// at a time.
func traffic(t *testing.T, perSecond int, call func(ctx context.Context)) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() {
		ticker := time.NewTicker(time.Second / time.Duration(perSecond))
		defer ticker.Stop()
		room := make(chan struct{}, 64)
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			select {
			case room <- struct{}{}:
				done.Go(func() {
					defer func() { <-room }()
					call(ctx)
				})
			default: // all hang: those who would call now have given up
			}
		}
	})
	stop = sync.OnceFunc(func() { cancel(); done.Wait() })
	t.Cleanup(stop)
	return stop
}
