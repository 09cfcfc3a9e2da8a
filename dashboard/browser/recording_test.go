package browser_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
)

// recording is what a dashboard serves at one moment. It is a page of which a picture can be taken at leisure, and which is the
// same each time: what led to it took minutes of a time that passes at once.
type recording struct {
	now           int64 // Unix milliseconds
	wiring, state string
	methods       map[string]string
}

// recorded records a page at twelve past three in the night. play has the time before it.
func recorded(t *testing.T, play func(t *testing.T) (*dashboard.Dashboard, dashboard.Source)) (r recording) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.Date(2026, 1, 2, 3, 10, 0, 0, time.UTC)))
		board, source := play(t)
		page := board.Handler(source)
		get := func(target string) string {
			w := httptest.NewRecorder()
			page.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
			require.Equal(t, http.StatusOK, w.Code)
			return w.Body.String()
		}
		r = recording{now: time.Now().UnixMilli(), wiring: get("/wiring"), methods: map[string]string{}}
		var answer struct {
			State struct{ Methods []struct{ Ref string } }
		}
		require.NoError(t, json.Unmarshal([]byte(get("/state")), &answer))
		for _, m := range answer.State.Methods {
			var parts map[string]json.RawMessage
			require.NoError(t, json.Unmarshal([]byte(get("/state?method="+url.QueryEscape(m.Ref))), &parts))
			r.state, r.methods[m.Ref] = string(parts["state"]), string(parts["method"])
		}
	})
	return r
}

// ServeHTTP serves the page, and what was recorded for it.
func (r recording) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	switch q.URL.Path {
	case "/wiring":
		fmt.Fprint(w, r.wiring)
	case "/stream":
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "event: all\ndata: %s\n\n", r.state)
		if m := r.methods[q.URL.Query().Get("method")]; m != "" {
			fmt.Fprintf(w, "event: method\ndata: %s\n\n", m)
		}
		_ = http.NewResponseController(w).Flush() // else there is no picture, which is told
		<-q.Context().Done()
	default:
		dashboard.New().Handler(nil).ServeHTTP(w, q)
	}
}

// chance is numbers that are the same each time.
type chance struct {
	mu sync.Mutex
	*rand.Rand
}

func newChance() *chance { return &chance{Rand: rand.New(rand.NewPCG(3, 12))} }

// takes is a peer that needs a while to do something: least, and now and then much more.
func (c *chance) takes(least time.Duration, b behaviour) behaviour {
	return func(ctx context.Context) error {
		c.mu.Lock()
		d := time.Duration(float64(least) * (1 + c.ExpFloat64()/2))
		c.mu.Unlock()
		select {
		case <-time.After(d):
			return b(ctx)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
