// Package web serves HTTP at a port and ends it well. The payment peer and the live page are served by it.
package web

import (
	"context"
	"errors"
	"log"
	"net"
	"net/http"
	"time"
)

// Server is an HTTP server that listens on a port.
type Server struct {
	URL string // where it is, as seen from this machine

	http   *http.Server
	served chan error
}

// Start serves h at addr, host:port; port 0 takes any free one. What the server has to complain about goes to complaints.
func Start(addr string, h http.Handler, complaints *log.Logger) (*Server, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	s := &Server{
		URL: "http://" + fromHere(listener.Addr()),
		http: &http.Server{
			Handler:           h,
			ReadHeaderTimeout: 5 * time.Second,
			ErrorLog:          complaints,
		},
		served: make(chan error, 1),
	}
	go func() { s.served <- s.http.Serve(listener) }()
	return s, nil
}

// fromHere is the host and port by which this machine reaches what listens at addr, which may be all of its addresses.
func fromHere(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if err == nil && net.ParseIP(host).IsUnspecified() {
		return net.JoinHostPort("localhost", port)
	}
	return addr.String()
}

// IsLoopback reports whether host is this machine, as seen from itself.
func IsLoopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

// Close ends the server; requests on their way get a second to end by themselves.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		err = s.http.Close()
	}
	if served := <-s.served; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}
