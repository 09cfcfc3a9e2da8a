package browser_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

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
	serveAt(t, server.address, mounted(again.board, again))
	page.wait(seen("#connection-text", "Live"))
	page.wait(seen(".incident", charge+" is failing since"))
	page.wait(shows(record))
	require.False(t, eval[bool](page, q("#stale")+".checkVisibility() || "+q("#reconnect")+".checkVisibility()"))
}

// The longer a server is away, the longer are the waits. Who does not want to wait need not.
func TestTheConnectionIsTriedAtOnceWhereTheReaderAsks(t *testing.T) {
	t.Parallel()
	shop := newShop(t)
	server := serveAt(t, "127.0.0.1:0", mounted(shop.board, shop))
	l := desktop
	// Waits of the page take for ever, so that nothing comes back by itself.
	l.early = "const setTimer = setTimeout; window.setTimeout = (f, ms, ...args) => (ms < 500 ? setTimer(f, ms, ...args) : 0);"
	page := open(t, "http://"+server.address+"/internal/backstay/", l)
	page.expect("net::ERR_") // what a request meets where no server is
	page.wait(seen("#connection-text", "Live"))

	server.kill()
	page.wait(seen("#reconnect", "Try now"))
	tries := "performance.getEntriesByType('resource').filter((r) => r.name.includes('/stream')).length"
	before := eval[int](page, tries)
	page.click("#reconnect")
	page.wait(tries + " > " + js(before))
	page.wait("/^Connection lost since/.test(" + q("#connection-text") + ".innerText)")

	serveAt(t, server.address, mounted(shop.board, shop))
	page.click("#reconnect")
	page.wait(seen("#connection-text", "Live"))
}
