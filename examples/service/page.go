package main

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/dashboard"

	"github.com/backstay/backstay/examples/service/internal/web"
)

// page is the live page of a run.
type page struct {
	addr    string
	private bool
	board   *dashboard.Dashboard
}

// newPage returns a page that is not served yet. Its dashboard is a listener of the container that it will be served over.
func newPage(addr string) page {
	p := page{addr: addr, private: isPrivate(addr)}
	options := []dashboard.Option{dashboard.WithRedact(withoutPorts)}
	if p.private {
		// Whoever gets as far as the guard is at this machine: see onlyFromHere. That the request comes from the page
		// itself, the dashboard has made sure of.
		options = append(options, dashboard.WithControls(func(*http.Request) error { return nil }))
	}
	p.board = dashboard.New(options...)
	return p
}

// withoutPorts is what an error says, without the two ends of a connection: each has another port, and would make the same
// error look like many.
func withoutPorts(err error) string {
	text := err.Error()
	var on *net.OpError
	if errors.As(err, &on) {
		text = strings.Replace(text, on.Error(), on.Err.Error(), 1)
	}
	return text
}

// serve serves the page over c.
func (p page) serve(c *container.Container, log *slog.Logger) (*web.Server, error) {
	return web.Start(p.addr, p.handler(c), slog.NewLogLogger(log.Handler(), slog.LevelWarn))
}

func (p page) handler(c *container.Container) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/{$}", http.RedirectHandler(mount, http.StatusFound))
	mux.Handle(mount, http.StripPrefix("/backstay", p.board.Handler(c)))
	mux.Handle("/health", c.HealthHandler())
	mux.Handle("/status", c.StatusHandler())
	if !p.private {
		return mux
	}
	return onlyFromHere(mux)
}

// mount is where the page is.
const mount = "/backstay/"

// onlyFromHere refuses requests for another host than this machine. A name on the net may be made to resolve to 127.0.0.1, and
// a page of that name would pass for one of ours in the eyes of the browser that shows it.
func onlyFromHere(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked := url.URL{Host: r.Host}
		if !web.IsLoopback(asked.Hostname()) {
			http.Error(w, "this page is of localhost", http.StatusMisdirectedRequest)
			return
		}
		h.ServeHTTP(w, r)
	})
}
