package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"

	"github.com/backstay/backstay/examples/service/internal/peer"
	"github.com/backstay/backstay/examples/service/internal/shop"
	"github.com/backstay/backstay/examples/service/internal/web"
)

func TestPageStaysAfterTheRunUntilItIsInterrupted(t *testing.T) {
	l := watch(t, quick(peer.Plan{}))
	require.Contains(t, l.await("the live page stays until Ctrl-C: "), l.url)

	s := l.state()
	require.True(t, s.Controls)
	require.Empty(t, s.Incidents)
	calls := map[string]int{}
	for _, m := range s.Methods {
		calls[m.Ref] = m.Calls
	}
	require.Equal(t, map[string]int{"CardGateway@Charge": 150, "PeerBooks@Ledger": 1}, calls)

	body, from := l.read("../")
	require.Equal(t, l.url, from, "the root leads to the page")
	require.Contains(t, body, "<!doctype html>")
	body, _ = l.read("wiring")
	require.Contains(t, body, "InvoiceGateway")
	body, _ = l.read("../health")
	require.Contains(t, body, `"state":"running"`)
	body, _ = l.read("../status")
	require.Contains(t, body, `"name":"CardGateway@Charge"`)

	l.end()
	require.Equal(t, exitOK, l.status)
	require.Equal(t, audit{online: 150}, l.report.audit)
	_, err := l.client.Get(l.url)
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
}

func TestExitStatusIsThatOfTheRunHoweverLongThePageStays(t *testing.T) {
	l := watch(t, quick(peer.Plan{Reset: .05, IgnoreKeys: true}))
	l.await("the live page stays until Ctrl-C: ")
	l.end()
	require.Equal(t, exitNotTrue, l.status)
}

func TestPageTellsOfAnOutageWhileItLasts(t *testing.T) {
	r := quick(peer.Plan{OutageFrom: 100 * time.Millisecond, OutageTo: time.Hour})
	r.forever, r.faults, r.rate, r.round = true, "outage", 200, time.Minute
	before := time.Now()
	l := watch(t, r)
	stream := l.get("stream")
	defer stream.Body.Close()

	events := bufio.NewScanner(stream.Body)
	events.Buffer(nil, 1<<20)
	next := func() (s seen) {
		for events.Scan() {
			if data, ok := strings.CutPrefix(events.Text(), "data: "); ok {
				require.NoError(t, json.Unmarshal([]byte(data), &s))
				return s
			}
		}
		require.FailNow(t, "the stream has ended", "%v", events.Err())
		return s
	}
	// The next ticks may still have the healthy beginning in them, and the breaker lets a call through now and then.
	var i incident
	for told := false; !told; told = i.Breaker == "open" && i.Callers.Fallback > i.Callers.Succeeded {
		require.Less(t, time.Since(before), 10*time.Second, "%+v", i)
		if s := next(); len(s.Incidents) > 0 {
			i = s.Incidents[0]
		}
	}
	require.Equal(t, "CardGateway@Charge", i.Ref, "which peer")
	require.Regexp(t, `^the peer is busy$|^Post "http://127\.0\.0\.1:[0-9]+/charges": `, i.Error)
	require.WithinRange(t, time.UnixMilli(i.Since), before.Truncate(time.Second), time.Now(), "since when")
	require.Equal(t, "InvoiceGateway@Charge", i.Fallback, "what callers get")
	require.Positive(t, i.Refused["circuitBreaker"], "what is refused")

	l.interrupt()
	for events.Scan() {
	}
	require.NoError(t, events.Err(), "the stream ends well")
	l.await("rounds                           1")
	l.await("ok: no order was lost and none was charged twice")
	l.end()
	require.Equal(t, exitOK, l.status)
}

// wired is the shop, and nobody to charge at.
func wired(t *testing.T, p page) *container.Container {
	t.Helper()
	d := shop.Deployment{Pace: pace, Log: slog.New(slog.DiscardHandler), Tally: &shop.Tally{}}
	till, err := run{}.open(t.Context(), d, p.board)
	require.NoError(t, err)
	return till.container
}

func TestWhoMayLookAndWhoMayTurnTheBreaker(t *testing.T) {
	for _, c := range []struct {
		name        string
		listen      string
		host        string
		site        string // Sec-Fetch-Site
		look, turns int
	}{
		{"this machine", "127.0.0.1:0", "127.0.0.1:8080", "same-origin", 200, 204},
		{"by name", "127.0.0.1:0", "localhost:8080", "same-origin", 200, 204},
		{"by IPv6", "[::1]:0", "[::1]:8080", "same-origin", 200, 204},
		{"no browser", "127.0.0.1:0", "127.0.0.1:8080", "", 200, 204},
		{"another page in the browser", "127.0.0.1:0", "127.0.0.1:8080", "cross-site", 200, 403},
		{"a name that leads here", "127.0.0.1:0", "evil.example:8080", "same-origin", 421, 421},
		{"no name", "127.0.0.1:0", "", "", 421, 421},
		{"an address for all", "0.0.0.0:0", "shop.example:8080", "same-origin", 200, 404},
		{"an address for all, from here", "0.0.0.0:0", "127.0.0.1:8080", "same-origin", 200, 404},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPage(c.listen)
			container := wired(t, p)
			ask := func(method, path, body string) int {
				r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
				r.Host = c.host
				r.Header.Set("Sec-Fetch-Site", c.site)
				r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				w := httptest.NewRecorder()
				p.handler(container).ServeHTTP(w, r)
				return w.Code
			}
			for _, path := range []string{"/backstay/", "/backstay/state", "/health", "/status"} {
				require.Equal(t, c.look, ask(http.MethodGet, path, ""), path)
			}
			require.Equal(t, c.turns, ask(http.MethodPost, "/backstay/breaker", "name=CardGateway%40Charge&action=open"))
			breaker, err := container.Breaker(shop.PaymentGateway.Charge)
			require.NoError(t, err)
			require.Equal(t, c.turns == 204, breaker.State() == "force-open")
		})
	}
}

func TestWhereThePageIsAndWhoElseSeesItIsSaid(t *testing.T) {
	s := &stand{page: &web.Server{URL: "http://localhost:8080"}}
	for listen, warning := range map[string]string{
		"127.0.0.1:8080": "",
		"0.0.0.0:8080":   "service: others can reach -listen 0.0.0.0:8080 and see what is wired and what errors say; nobody can turn the breaker there\n",
	} {
		var out, errs bytes.Buffer
		run{options: options{listen: listen}}.showPage(s, newScreen(&out), &errs)
		require.Equal(t, "live page: http://localhost:8080/backstay/\n", out.String())
		require.Equal(t, warning, errs.String())
	}
}

func TestErrorsOnThePageDoNotDifferByPort(t *testing.T) {
	here, there := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 40716}, &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8090}
	reset := &net.OpError{Op: "read", Net: "tcp", Source: here, Addr: there, Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	err := fmt.Errorf("order 7: %w", &url.Error{Op: "Post", URL: "http://127.0.0.1:8090/charges", Err: reset})
	require.Equal(t, `order 7: Post "http://127.0.0.1:8090/charges": read: connection reset by peer`, withoutPorts(err))
	require.Equal(t, "the peer is busy", withoutPorts(errors.New("the peer is busy")))
}
