package browser_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

// A page of somebody else, which the one on call has opened too, tries what the dashboard's own page may do.
func TestPagesOfOtherOriginsTurnNoBreaker(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, host string }{
		{"of the same site", "127.0.0.1"}, // another port is another origin
		{"of another site", "localhost"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Bool
			var arrived atomic.Int32
			shop := newShop(t, dashboard.WithControls(func(*http.Request) error { asked.Store(true); return nil }))
			site := mounted(shop.board, shop)
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPost {
					arrived.Add(1)
				}
				site.ServeHTTP(w, r)
			}))
			t.Cleanup(server.Close)
			breaker := server.URL + "/internal/backstay/breaker"
			other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				fmt.Fprintf(w, `<!doctype html><link rel="icon" href="data:,"><title>Kittens</title>
					<form method="post" action="%s"><input name="name" value="%s"><input name="action" value="open"><button>Look</button></form>`,
					html.EscapeString(breaker), charge)
			}))
			t.Cleanup(other.Close)

			page := open(t, strings.Replace(other.URL, "127.0.0.1", c.host, 1), desktop)
			page.expect("answer 403: "+breaker, "status of 403 (Forbidden)", "ERR_BLOCKED_BY_RESPONSE.NotSameOrigin", "/favicon.ico")
			page.wait("document.title === 'Kittens'")
			// By a script, which does not see the answer, and by a form, which shows it.
			require.Equal(t, "hidden", eval[string](page, fmt.Sprintf(
				"fetch(%s, {method: 'POST', mode: 'no-cors', body: new URLSearchParams({name: %s, action: 'open'})}).then((a) => a.type, () => 'hidden')", js(breaker), js(charge))))
			page.click("button")
			page.wait("location.href === " + js(breaker) + " && document.body.innerText.trim() === 'forbidden'")

			require.EqualValues(t, 2, arrived.Load())
			require.False(t, asked.Load(), "the guard is not even asked")
			require.Equal(t, retry.BreakerClosed, shop.breaker(t).State())
		})
	}
}

// Who frames the page could have its buttons clicked.
func TestThePageIsNotFramed(t *testing.T) {
	t.Parallel()
	address := newShop(t).served(t)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><link rel="icon" href="data:,"><iframe src="%s" onload="document.title = 'loaded'"></iframe>`, html.EscapeString(address))
	}))
	t.Cleanup(other.Close)
	page := open(t, other.URL, desktop)
	page.wait("document.title === 'loaded'")
	page.expect("frame-ancestors", "request failed: net::ERR_BLOCKED_BY")
	require.NotEmpty(t, page.trouble)
	require.Contains(t, strings.Join(page.trouble, "\n"), `frame-ancestors 'none'`)
}
