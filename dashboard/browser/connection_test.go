package browser_test

import (
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

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

func TestALostConnectionIsToldAndComesBackByItself(t *testing.T) {
	t.Parallel()
	shop := newShop(t)
	server := serveAt(t, "127.0.0.1:0", mounted(shop.board, shop))
	page := open(t, "http://"+server.address+"/internal/backstay/#"+record, desktop)
	page.expect("net::ERR_") // what a request meets where no server is
	page.wait(seen("#connection-text", "Live") + " && " + shows(record))

	server.kill()
	page.wait("/^Connection lost since [0-9:]{8}$/.test(" + q("#connection-text") + ".innerText)")
	page.wait("/^Nothing is known since [0-9:]{8}. What you see below is of then.$/.test(" + q("#stale") + ".innerText)")
	page.wait("/ ago, next try (in|now)/.test(" + q("#retry-in") + ".innerText)")
	require.Equal(t, "Connection lost · Backstay", eval[string](page, "document.title"))
	require.False(t, eval[bool](page, q("#calm")+".checkVisibility()"), "it does not say that all is well")
	require.True(t, eval[bool](page, q("#reconnect")+".checkVisibility()"))

	// What comes back is another run, with another plan and figures of its own.
	again := newShop(t)
	again.cards.becomes(says503)
	traffic(t, 40, again.charge)
	server = serveAt(t, server.address, mounted(again.board, again))
	page.wait(seen("#connection-text", "Live"))
	page.wait(seen(".incident", charge+" is failing since"))
	page.wait(shows(record))
	require.False(t, eval[bool](page, q("#stale")+".checkVisibility() || "+q("#reconnect")+".checkVisibility()"))

	// The longer a server is away, the longer are the waits; who does not want to wait need not.
	server.kill()
	page.wait(seen("#reconnect", "Try now"))
	serveAt(t, server.address, mounted(again.board, again))
	page.click("#reconnect")
	page.wait(seen("#connection-text", "Live"))
}
