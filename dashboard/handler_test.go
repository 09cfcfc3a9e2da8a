package dashboard_test

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
)

// Whatever the answer, these are its headers.
func TestEveryAnswerIsGuardedByItsHeaders(t *testing.T) {
	h := dashboard.New(dashboard.WithControls(nobody)).Handler(nil)
	for _, c := range []struct {
		method, target string
		want           int
	}{
		{"GET", "/", 200}, {"HEAD", "/", 200}, {"GET", "/state", 200}, {"GET", "/wiring", 200}, {"HEAD", "/wiring", 200}, {"HEAD", "/state", 200},
		{"HEAD", "/stream", 200}, {"GET", "/nothing", 404}, {"POST", "/", 405}, {"DELETE", "/state", 405}, {"PUT", "/wiring", 405}, {"POST", "/stream", 405},
		{"OPTIONS", "/state", 405}, {"TRACE", "/state", 405}, {"GET", "/breaker", 405}, {"POST", "/breaker", 415}, {"GET", "/assets/index.html", 404},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(c.method, c.target, nil))
		require.Equal(t, c.want, w.Code, "%s %s", c.method, c.target)
		header := w.Header()
		require.Equal(t, "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "+
			"base-uri 'none'; form-action 'self'; frame-ancestors 'none'", header.Get("Content-Security-Policy"))
		require.Equal(t, "nosniff", header.Get("X-Content-Type-Options"))
		require.Equal(t, "no-referrer", header.Get("Referrer-Policy"))
		require.Equal(t, "same-origin", header.Get("Cross-Origin-Resource-Policy"))
		require.Empty(t, header.Get("Access-Control-Allow-Origin"))
		if c.target == "/" && c.want == 200 {
			require.Equal(t, "no-cache", header.Get("Cache-Control"))
		} else {
			require.Equal(t, "no-store", header.Get("Cache-Control"))
		}
		if c.want == 405 && c.target != "/breaker" {
			require.Equal(t, "GET, HEAD", header.Get("Allow"))
		}
		if c.method == "HEAD" && c.target != "/" {
			require.Zero(t, w.Body.Len())
		}
	}
}

func TestEveryFileOfThePageIsServed(t *testing.T) {
	h := dashboard.New().Handler(nil)
	types := map[string]string{
		".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
		".svg": "image/svg+xml", ".png": "image/png", ".ico": "image/x-icon", ".woff2": "font/woff2", ".json": "application/json",
	}
	n := 0
	err := fs.WalkDir(os.DirFS("."), "assets", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		n++
		target := "/" + name
		if name == "assets/index.html" {
			target = "/"
		}
		w := get(h, target)
		require.Equal(t, http.StatusOK, w.Code, name)
		require.Equal(t, types[path.Ext(name)], w.Header().Get("Content-Type"), name)
		require.NotZero(t, w.Body.Len(), name)

		again := httptest.NewRequest(http.MethodGet, target, nil)
		again.Header.Set("If-None-Match", w.Header().Get("ETag"))
		w = httptest.NewRecorder()
		h.ServeHTTP(w, again)
		require.Equal(t, http.StatusNotModified, w.Code, "the browser has it already")
		return nil
	})
	require.NoError(t, err)
	require.Positive(t, n)
}

func TestNothingElseIsServed(t *testing.T) {
	h := dashboard.New().Handler(nil)
	for _, target := range []string{
		"/assets", "/assets/", "/assets/.", "/assets/../doc.go", "/assets/..%2fdoc.go", "/../doc.go", "/assets/../../doc.go", "/assets//index.html",
		"/index.html", "/doc.go", "/assets/nothing.js", "//", "/state/", "/state.json", "/STATE", "/stream/x", "/assets/%00",
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL.Path, _, _ = strings.Cut(target, "?")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.Equal(t, http.StatusNotFound, w.Code, target)
		require.Equal(t, "not found\n", w.Body.String())
	}
}

// A page is under its mount, so that its links, which are relative, lead there; wherever that is.
func TestAMountWithoutItsSlashLeadsToTheOneWithIt(t *testing.T) {
	h := dashboard.New().Handler(nil)
	for _, c := range []struct{ strip, target, want string }{
		{"/backstay", "/backstay", "http://host.example/backstay/"},
		{"/internal/backstay", "/internal/backstay?x=1", "http://host.example/internal/backstay/"},
		{"/a b:c", "/a%20b:c", "http://host.example/a%20b:c/"},
	} {
		r := httptest.NewRequest(http.MethodGet, c.target, nil)
		w := httptest.NewRecorder()
		http.StripPrefix(c.strip, h).ServeHTTP(w, r)
		require.Equal(t, http.StatusPermanentRedirect, w.Code)
		r.URL.Scheme, r.URL.Host = "http", "host.example"
		to, err := r.URL.Parse(w.Header().Get("Location"))
		require.NoError(t, err)
		require.Equal(t, c.want, to.String())
	}
	mux := http.NewServeMux()
	mux.Handle("/backstay/", http.StripPrefix("/backstay", h))
	require.Equal(t, http.StatusOK, get(mux, "/backstay/").Code)
	require.Equal(t, http.StatusOK, get(mux, "/backstay/state").Code)
	require.Equal(t, http.StatusNotFound, get(mux, "/state").Code)
}

// http.FileServer wants its prefix stripped with the slash or without; whoever is used to the one mounts this so too.
func TestAPrefixMayBeStrippedWithItsSlash(t *testing.T) {
	h := dashboard.New(dashboard.WithControls(anybody)).Handler(nil)
	for _, prefix := range []string{"/backstay/", "/"} {
		mux := http.NewServeMux()
		mux.Handle(prefix, http.StripPrefix(prefix, h))
		for target, want := range map[string]int{
			"": http.StatusOK, "?x=1": http.StatusOK, "state": http.StatusOK, "assets/main.js": http.StatusOK, "breaker": http.StatusMethodNotAllowed, "nothing": http.StatusNotFound,
		} {
			require.Equal(t, want, get(mux, prefix+target).Code, prefix+target)
		}
	}
}

// What is listed is there, whether there is something to tell or not: a script needs no case for what is not.
func TestEveryFieldIsAlwaysThere(t *testing.T) {
	text := get(dashboard.New().Handler(nil), "/state").Body.String()
	require.Regexp(t, `^{"state":{"now":\d+,"started":\d+,"controls":false,"methods":\[\],"breakers":\[\],"budgets":\[\],"incidents":\[\]}}$`, text)

	board := dashboard.New()
	play(t.Context(), board, isExhausted(0, "budget"))
	var answer struct {
		State  struct{ Methods []map[string]any }
		Method struct{ Sessions []map[string]any }
	}
	require.NoError(t, json.Unmarshal(get(board.Handler(nil), "/state?method=CardGateway%40Charge").Body.Bytes(), &answer))
	keys := func(m map[string]any) (n int) {
		for _, v := range m {
			require.NotNil(t, v)
			n++
		}
		return n
	}
	require.Equal(t, 14, keys(answer.State.Methods[0]))
	require.Equal(t, 9, keys(answer.Method.Sessions[0]))
}
