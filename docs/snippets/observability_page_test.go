package snippets_test

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

// get is the answer to a request.
func get(h http.Handler, path string) (code int, body string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Code, w.Body.String()
}

// OnlyAs lets requests through that ask for host, and for no other name that somebody has made resolve to this address.
func OnlyAs(host string, page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Host != host {
			http.Error(w, "forbidden", http.StatusForbidden)
			return
		}
		page.ServeHTTP(w, r)
	})
}

// OperationsServer serves what operators look at, to this machine alone.
func OperationsServer(c *container.Container, board *dashboard.Dashboard) *http.Server {
	mux := http.NewServeMux()
	mux.Handle("/backstay/", http.StripPrefix("/backstay", board.Handler(c)))
	mux.Handle("/status", c.StatusHandler())
	return &http.Server{Addr: "localhost:6060", Handler: OnlyAs("localhost:6060", mux)}
}

func TestThePageIsMountedAndGuarded(t *testing.T) {
	board := dashboard.New()
	c := container.New(container.WithListener(board))
	wireCards(c)
	server := OperationsServer(c, board)

	code, body := get(server.Handler, "http://localhost:6060/backstay/")
	require.Equal(t, http.StatusOK, code)
	require.Contains(t, body, "<!doctype html>")
	code, _ = get(server.Handler, "http://evil.example/backstay/")
	require.Equal(t, http.StatusForbidden, code)
}

// Staff is what the authentication of a program knows.
type Staff map[string]string

// OnCall is who the request comes from, where that is somebody on call.
func (s Staff) OnCall(r *http.Request) (who string, err error) {
	user, password, _ := r.BasicAuth()
	if known, ok := s[user]; !ok || known != password {
		return "", errors.New("not on call")
	}
	return user, nil
}

func TestControlsAreGuardedAndWritten(t *testing.T) {
	staff := Staff{"ada": "secret"}
	logger, written := logTo()

	board := dashboard.New(dashboard.WithControls(func(r *http.Request) error {
		who, err := staff.OnCall(r)
		if err != nil {
			return err
		}
		logger.WarnContext(r.Context(), "asks for a breaker", "who", who,
			slog.String("breaker", r.PostForm.Get("name")), slog.String("action", r.PostForm.Get("action")))
		return nil
	}))

	c := container.New(container.WithListener(board))
	wireCards(c)
	breaker, err := c.Breaker("CardGateway@Charge")
	require.NoError(t, err)
	page := board.Handler(c)
	turn := func(user, action string) int {
		form := url.Values{"name": {"CardGateway@Charge"}, "action": {action}}
		r := httptest.NewRequest(http.MethodPost, "/breaker", strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.SetBasicAuth(user, "secret")
		w := httptest.NewRecorder()
		page.ServeHTTP(w, r)
		return w.Code
	}
	require.Equal(t, http.StatusForbidden, turn("eve", "open"))
	require.Equal(t, retry.BreakerClosed, breaker.State())
	require.Empty(t, written.String())
	require.Equal(t, http.StatusNoContent, turn("ada", "open"))
	require.Equal(t, retry.BreakerForceOpen, breaker.State())
	require.Contains(t, written.String(), "who=ada breaker=CardGateway@Charge action=open")

	plain := dashboard.New().Handler(c)
	w := httptest.NewRecorder()
	plain.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/breaker", nil))
	require.Equal(t, http.StatusNotFound, w.Code, "without WithControls there is no such route")
}
