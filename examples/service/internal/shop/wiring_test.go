package shop_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/container/containertest"
	"github.com/backstay/backstay/retry"

	"github.com/backstay/backstay/examples/service/internal/peer"
	"github.com/backstay/backstay/examples/service/internal/shop"
)

// script is a peer that answers one line after the other, the last one again and again: a status, and a Retry-After or a
// payment's status.
type script struct {
	mu    sync.Mutex
	lines []string
	keys  []string
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	switch status, what, _ := strings.Cut(s.next(r), " "); status {
	case "200":
		_ = json.NewEncoder(w).Encode(peer.ChargeAnswer{Status: what, ID: "ch_1"})
	case "402":
		w.WriteHeader(http.StatusPaymentRequired)
	case "422":
		w.WriteHeader(http.StatusUnprocessableEntity)
	case "503":
		w.Header().Set("Retry-After", what)
		w.WriteHeader(http.StatusServiceUnavailable)
	case "late":
		<-r.Context().Done() // the client's patience ends first
	}
}

// next notes a request and returns what to answer it.
func (s *script) next(r *http.Request) (line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys = append(s.keys, r.Header.Get(peer.KeyHeader))
	line = s.lines[0]
	if len(s.lines) > 1 {
		s.lines = s.lines[1:]
	}
	return line
}

// wired is a shop whose peer answers as the lines say.
type wired struct {
	*container.Container
	script *script
	tally  *shop.Tally
	log    *strings.Builder
	shop   *shop.Shop
	queue  *shop.Queue
}

func wire(t *testing.T, lines ...string) wired {
	t.Helper()
	w := wired{script: &script{lines: lines}, tally: &shop.Tally{}, log: &strings.Builder{}}
	endpoint := serve(t, w.script.ServeHTTP)
	w.Container, _ = containertest.New(t, func(c *container.Container) {
		shop.Wire(c, shop.Deployment{
			Peer:  endpoint,
			Pace:  shop.Pace{Attempts: 4, FirstWait: time.Millisecond, AnswerWithin: 300 * time.Millisecond, BreakerReset: time.Hour},
			Log:   slog.New(slog.NewTextHandler(w.log, nil)),
			Tally: w.tally,
		})
	})
	require.NoError(t, w.Invoke(func(s *shop.Shop, q *shop.Queue) { w.shop, w.queue = s, q }))
	return w
}

func TestPlaceSurvivesWhatThePeerDoes(t *testing.T) {
	card := shop.Receipt{ID: "ch_1", By: shop.ByCard}
	invoice := shop.Receipt{ID: "invoice for BS-1", By: shop.ByInvoice}
	for _, c := range []struct {
		name     string
		lines    []string
		receipt  shop.Receipt
		err      error
		attempts int
		limit    string // that led to the fallback
	}{
		{"all is well", []string{"200 charged"}, card, nil, 1, ""},
		{"503, then well", []string{"503", "200 charged"}, card, nil, 2, ""},
		{"too late, then well", []string{"late", "200 charged"}, card, nil, 2, ""},
		{"pending is asked again", []string{"200 pending", "200 pending", "200 charged"}, card, nil, 3, ""},
		{"pending for ever", []string{"200 pending"}, invoice, nil, 4, "maxAttempts"},
		{"503 for ever", []string{"503"}, invoice, nil, 4, "maxAttempts"},
		{"a refusal is not repeated", []string{"402"}, shop.Receipt{}, shop.ErrDeclined, 1, ""},
		{"a refusal after a retry", []string{"503", "402"}, shop.Receipt{}, shop.ErrDeclined, 2, ""},
		{"longer than a customer waits", []string{"503 30"}, invoice, nil, 1, "patience"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := wire(t, c.lines...)
			receipt, err := w.shop.Place(t.Context(), order)
			require.ErrorIs(t, err, c.err)
			require.Equal(t, c.receipt, receipt)
			require.Len(t, w.script.keys, c.attempts)
			for _, key := range w.script.keys {
				require.Equal(t, "BS-1", key)
			}
			require.Equal(t, receipt.By == shop.ByInvoice, w.queue.Numbers()["BS-1"])
			counts := w.tally.Counts()
			require.Equal(t, c.attempts, counts.Attempts)
			require.Equal(t, c.attempts-1, counts.Retries)
			if c.limit != "" {
				require.Equal(t, map[string]int{c.limit: 1}, counts.Fallbacks)
			}
		})
	}
}

func TestWrongRequestIsNotRepeatedAndGetsNoInvoice(t *testing.T) {
	w := wire(t, "422")
	_, err := w.shop.Place(t.Context(), order)
	require.EqualError(t, err, "order BS-1: the peer says 422 Unprocessable Entity: ")
	require.Len(t, w.script.keys, 1)
	require.Empty(t, w.queue.Numbers())
}

func TestBudgetAndBreakerShieldAPeerThatIsDown(t *testing.T) {
	w := wire(t, "503")
	const orders = 200
	for range orders {
		_, err := w.shop.Place(t.Context(), order)
		require.NoError(t, err, "there is the invoice")
	}
	counts := w.tally.Counts()
	require.Positive(t, counts.BudgetRefused)
	require.Equal(t, 1, counts.Openings)
	require.Equal(t, retry.BreakerOpen, counts.Breaker)
	require.Less(t, len(w.script.keys), orders/2)
	require.Len(t, w.script.keys, counts.Attempts)
}

func TestBooksAreReadAgain(t *testing.T) {
	w := wire(t, "503", "503", "200 charged")
	books, err := container.Get[shop.Books](w.Container)
	require.NoError(t, err)
	_, err = books.Ledger(t.Context())
	require.NoError(t, err)
	require.Len(t, w.script.keys, 3)
}

func TestEachChargeIsLoggedOnce(t *testing.T) {
	w := wire(t, "503", "503", "200 charged")
	_, err := w.shop.Place(t.Context(), order)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(w.log.String(), "\n"))
	for _, part := range []string{"msg=CardGateway@Charge", "order=BS-1", "attempts=3", "ended=succeeded", "fallback=false"} {
		require.Contains(t, w.log.String(), part)
	}
}

func TestPatienceIsRequired(t *testing.T) {
	require.Error(t, shop.PaymentRetry{}.Validate())
	require.NoError(t, shop.PaymentRetry{Patience: 1}.Validate())
}
