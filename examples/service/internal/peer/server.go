package peer

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"

	"github.com/backstay/backstay/examples/service/internal/web"
)

// Start serves p, a [Peer], at addr, host:port with a loopback host; port 0 takes any free one.
func Start(addr string, p http.Handler) (*web.Server, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("address %q: write host:port, such as 127.0.0.1:8090", addr)
	}
	if !web.IsLoopback(host) {
		return nil, fmt.Errorf("address %q is not on this machine alone; write 127.0.0.1:PORT", addr)
	}
	return web.Start(addr, p, log.New(io.Discard, "", 0))
}
