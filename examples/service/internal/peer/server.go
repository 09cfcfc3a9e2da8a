package peer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"
)

// Server is a peer that listens on a port of this machine.
type Server struct {
	URL string

	http   *http.Server
	served chan error
}

// Start serves p, a [Peer], at addr, host:port with a loopback host; port 0 takes any free one.
func Start(addr string, p http.Handler) (*Server, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("address %q: write host:port, such as 127.0.0.1:8090", addr)
	}
	if !IsLoopback(host) {
		return nil, fmt.Errorf("address %q is not on this machine alone; write 127.0.0.1:PORT", addr)
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	s := &Server{
		URL: "http://" + listener.Addr().String(),
		http: &http.Server{
			Handler:           p,
			ReadHeaderTimeout: 5 * time.Second,
			ErrorLog:          log.New(io.Discard, "", 0),
		},
		served: make(chan error, 1),
	}
	go func() { s.served <- s.http.Serve(listener) }()
	return s, nil
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
