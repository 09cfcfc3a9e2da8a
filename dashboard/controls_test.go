package dashboard_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

// anybody may.
func anybody(*http.Request) error { return nil }

// nobody may, and the reason is nobody's business.
func nobody(*http.Request) error { return errors.New("user ada is not on call") }

// press is what a script does, and with headers what a browser does.
func press(h http.Handler, name, action string, headers ...string) *httptest.ResponseRecorder {
	form := url.Values{"name": {name}, "action": {action}}
	r := httptest.NewRequest(http.MethodPost, "http://board.example/breaker", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// known is a breaker of a chain that a dashboard knows.
func known(t *testing.T, board *dashboard.Dashboard, name string) *retry.Breaker {
	chain, breaker := guarded(name, board, time.Minute)
	require.NoError(t, chain.Run(t.Context(), healthy))
	breaker.ForceOpen()
	breaker.Reset()
	t.Cleanup(func() { runtime.KeepAlive(chain) }) // it is there as long as the test
	return breaker
}

func TestControlsTurnABreaker(t *testing.T) {
	board := dashboard.New(dashboard.WithControls(anybody))
	h, breaker := board.Handler(nil), known(t, board, "rates")
	for _, c := range []struct {
		action string
		want   retry.BreakerState
	}{
		{"open", retry.BreakerForceOpen}, {"close", retry.BreakerForceClosed}, {"metrics", retry.BreakerMetricsOnly}, {"reset", retry.BreakerClosed},
	} {
		w := press(h, "rates", c.action)
		require.Equal(t, http.StatusNoContent, w.Code, w.Body)
		require.Zero(t, w.Body.Len())
		require.Equal(t, c.want, breaker.State())
		s, _ := look(t, h, "")
		require.True(t, s.Controls)
		require.Equal(t, c.want, s.Breakers[0].State)
	}
}

func TestControlsAreOffUnlessTheHostTurnsThemOn(t *testing.T) {
	for _, opts := range [][]dashboard.Option{nil, {dashboard.WithControls(nil)}} {
		board := dashboard.New(opts...)
		h, breaker := board.Handler(nil), known(t, board, "rates")
		require.Equal(t, http.StatusNotFound, press(h, "rates", "open").Code)
		require.Equal(t, http.StatusNotFound, get(h, "/breaker").Code)
		require.Equal(t, retry.BreakerClosed, breaker.State())
		s, _ := look(t, h, "")
		require.False(t, s.Controls)
	}
}

func TestWhoMayTurnABreaker(t *testing.T) {
	const forbidden, done = http.StatusForbidden, http.StatusNoContent
	for _, c := range []struct {
		name    string
		allow   func(*http.Request) error
		headers []string
		want    int
	}{
		{"a browser, from the page", anybody, []string{"Sec-Fetch-Site", "same-origin", "Origin", "http://board.example"}, done},
		{"a browser, from the page behind a proxy that ends TLS", anybody, []string{"Sec-Fetch-Site", "same-origin", "Origin", "https://board.example"}, done},
		{"an old browser, from the page", anybody, []string{"Origin", "http://board.example"}, done},
		{"a browser, from elsewhere", anybody, []string{"Sec-Fetch-Site", "cross-site", "Origin", "http://evil.example"}, forbidden},
		{"a browser, from a neighbour", anybody, []string{"Sec-Fetch-Site", "same-site", "Origin", "http://wiki.example"}, forbidden},
		{"a browser that names the page's origin falsely", anybody, []string{"Sec-Fetch-Site", "cross-site", "Origin", "http://board.example"}, forbidden},
		{"an old browser, from elsewhere", anybody, []string{"Origin", "http://evil.example"}, forbidden},
		{"an old browser, from another port", anybody, []string{"Origin", "http://board.example:8080"}, forbidden},
		{"a sandboxed frame", anybody, []string{"Origin", "null"}, forbidden},
		{"an origin that is none", anybody, []string{"Origin", "://"}, forbidden},
		{"a script", anybody, nil, done},
		{"a script that the guard refuses", nobody, nil, forbidden},
		{"a browser that the guard refuses", nobody, []string{"Sec-Fetch-Site", "same-origin"}, forbidden},
		{"a browser from elsewhere, that the guard would refuse too", nobody, []string{"Sec-Fetch-Site", "cross-site"}, forbidden},
	} {
		t.Run(c.name, func(t *testing.T) {
			board := dashboard.New(dashboard.WithControls(c.allow))
			h, breaker := board.Handler(nil), known(t, board, "rates")
			w := press(h, "rates", "open", c.headers...)
			require.Equal(t, c.want, w.Code)
			if c.want == done {
				require.Equal(t, retry.BreakerForceOpen, breaker.State())
			} else {
				require.Equal(t, retry.BreakerClosed, breaker.State())
				require.Equal(t, "forbidden\n", w.Body.String(), "why is nobody's business")
			}
		})
	}
}

// Whoever may not is not told what there is.
func TestTheGuardIsAskedBeforeTheBreakerIsLookedFor(t *testing.T) {
	board := dashboard.New(dashboard.WithControls(nobody))
	for _, name := range []string{"rates", "no such"} {
		known(t, board, "rates")
		require.Equal(t, http.StatusForbidden, press(board.Handler(nil), name, "open").Code)
		require.Equal(t, http.StatusForbidden, press(board.Handler(nil), name, "explode").Code)
	}
}

func TestTheGuardSeesTheRequestWithItsForm(t *testing.T) {
	board := dashboard.New(dashboard.WithControls(func(r *http.Request) error {
		if r.Host != "board.example" || r.Header.Get("Authorization") != "Bearer 7" || r.PostForm.Get("action") == "close" {
			return errors.New("no")
		}
		return nil
	}))
	h := board.Handler(nil)
	known(t, board, "rates")
	require.Equal(t, http.StatusNoContent, press(h, "rates", "open", "Authorization", "Bearer 7").Code)
	require.Equal(t, http.StatusForbidden, press(h, "rates", "close", "Authorization", "Bearer 7").Code)
	require.Equal(t, http.StatusForbidden, press(h, "rates", "open").Code)
}

func TestAControlThatIsWrong(t *testing.T) {
	const form = "application/x-www-form-urlencoded"
	for _, c := range []struct {
		name, method, target, kind, body string
		want                             int
	}{
		{"no such breaker", "POST", "/breaker", form, "name=no+such&action=open", http.StatusNotFound},
		{"no name", "POST", "/breaker", form, "action=open", http.StatusNotFound},
		{"no such action", "POST", "/breaker", form, "name=rates&action=explode", http.StatusBadRequest},
		{"no action", "POST", "/breaker", form, "name=rates", http.StatusBadRequest},
		{"in the query", "POST", "/breaker?name=rates&action=open", form, "", http.StatusBadRequest},
		{"the name in the query", "POST", "/breaker?name=rates", form, "action=open", http.StatusNotFound},
		{"the action in the query", "POST", "/breaker?action=open", form, "name=rates", http.StatusBadRequest},
		{"JSON", "POST", "/breaker", "application/json", `{"name":"rates","action":"open"}`, http.StatusUnsupportedMediaType},
		{"plain text, which a form elsewhere may send", "POST", "/breaker", "text/plain", "name=rates&action=open", http.StatusUnsupportedMediaType},
		{"a form with files", "POST", "/breaker", "multipart/form-data; boundary=x", "--x--", http.StatusUnsupportedMediaType},
		{"no type", "POST", "/breaker", "", "name=rates&action=open", http.StatusUnsupportedMediaType},
		{"malformed", "POST", "/breaker", form, "name=%zz&action=open", http.StatusBadRequest},
		{"too large", "POST", "/breaker", form, "name=rates&action=open&x=" + strings.Repeat("x", 4096), http.StatusRequestEntityTooLarge},
		{"read", "GET", "/breaker?name=rates&action=open", "", "", http.StatusMethodNotAllowed},
		{"put", "PUT", "/breaker", form, "name=rates&action=open", http.StatusMethodNotAllowed},
		{"asked for", "OPTIONS", "/breaker", "", "", http.StatusMethodNotAllowed},
	} {
		t.Run(c.name, func(t *testing.T) {
			board := dashboard.New(dashboard.WithControls(anybody))
			h, breaker := board.Handler(nil), known(t, board, "rates")
			r := httptest.NewRequest(c.method, c.target, strings.NewReader(c.body))
			r.Header.Set("Content-Type", c.kind)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			require.Equal(t, c.want, w.Code, w.Body)
			require.Equal(t, retry.BreakerClosed, breaker.State())
			if c.want == http.StatusMethodNotAllowed {
				require.Equal(t, "POST", w.Header().Get("Allow"))
			}
		})
	}
}

func TestOpeningABreakerIsSeenLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New(dashboard.WithControls(anybody))
		h := board.Handler(nil)
		client := served(t, &http.Server{Handler: h})
		chain, _ := guarded("rates", board, time.Minute)
		require.Error(t, chain.Run(t.Context(), failing))
		stream := watch(t, client, "http://board/stream")
		require.Equal(t, retry.BreakerOpen, stream.state("all").Breakers[0].State)
		answer, err := client.PostForm("http://board/breaker", url.Values{"name": {"rates"}, "action": {"reset"}})
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, http.StatusNoContent, answer.StatusCode)
		require.Equal(t, retry.BreakerClosed, stream.state("tick").Breakers[0].State)
		require.NoError(t, chain.Run(t.Context(), healthy))
	})
}
