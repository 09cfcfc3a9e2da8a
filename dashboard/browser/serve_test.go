package browser_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/backstay/backstay/dashboard"
)

// mounted is a page where a service would have it, below other routes.
func mounted(board *dashboard.Dashboard, source dashboard.Source) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/internal/backstay/", http.StripPrefix("/internal/backstay", board.Handler(source)))
	return mux
}

// served is the address of a page, over a server that is closed after the test.
func served(t *testing.T, board *dashboard.Dashboard, source dashboard.Source) string {
	t.Helper()
	server := httptest.NewServer(mounted(board, source))
	t.Cleanup(server.Close)
	return server.URL + "/internal/backstay/"
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
