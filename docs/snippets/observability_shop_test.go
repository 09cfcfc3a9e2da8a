package snippets_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/eventlog"
	"github.com/backstay/backstay/retry"
)

// PaymentGateway charges orders.
type PaymentGateway interface {
	Charge(ctx context.Context, order string) (receipt string, err error)
}

// CardGateway calls a peer over the network.
type CardGateway struct {
	_ annotation.On[aliases.Retry]          `method:"Charge" maxAttempts:"3" base:"100ms" fallback:"InvoiceGateway@Charge"`
	_ annotation.On[aliases.CircuitBreaker] `method:"Charge" breaker:"consecutive=5,resetTimeout=30s"`

	peer *cardPeer
}

func NewCardGateway(peer *cardPeer) *CardGateway { return &CardGateway{peer: peer} }

func (g *CardGateway) Charge(_ context.Context, order string) (string, error) {
	return "card " + order, g.peer.err
}

// InvoiceGateway sends an invoice where a card cannot be charged.
type InvoiceGateway struct{}

func (InvoiceGateway) Charge(_ context.Context, order string) (string, error) {
	return "invoice " + order, nil
}

// cardPeer is what a CardGateway calls: it fails while err is set.
type cardPeer struct{ err error }

var errUnavailable = errors.New("503 Service Unavailable")

// wireCards registers the gateways, and returns the peer.
func wireCards(c *container.Container) *cardPeer {
	peer := &cardPeer{}
	c.Supply(peer)
	c.Provide(NewCardGateway, container.As[PaymentGateway]())
	c.Supply(InvoiceGateway{})
	return peer
}

// charge charges an order by the gateway of c.
func charge(t *testing.T, c *container.Container, order string) string {
	t.Helper()
	gateway, err := container.Get[PaymentGateway](c)
	require.NoError(t, err)
	receipt, err := gateway.Charge(t.Context(), order)
	require.NoError(t, err)
	return receipt
}

// inTheNight runs f at twelve past three, in time that passes when nobody works.
func inTheNight(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(time.Date(2026, 1, 2, 3, 12, 0, 0, time.UTC)))
		f(t)
	})
}

// theNight is what happens in the guide: the peer fails for half a minute, and is asked again after it. look is called in the
// middle of it.
func theNight(t *testing.T, c *container.Container, peer *cardPeer, look func()) {
	t.Helper()
	peer.err = errUnavailable
	for _, order := range []string{"41", "42", "43"} {
		require.Equal(t, "invoice "+order, charge(t, c, order))
		time.Sleep(time.Second)
	}
	look()
	peer.err = nil
	time.Sleep(time.Minute)
	require.Equal(t, "card 44", charge(t, c, "44"))
}

var sinceText = regexp.MustCompile(`"since": ?"([^"]*)"`)

// inUTC writes times of day for readers in all time zones.
func inUTC(t *testing.T, text string) string {
	t.Helper()
	return sinceText.ReplaceAllStringFunc(text, func(since string) string {
		at, err := time.Parse(time.RFC3339Nano, sinceText.FindStringSubmatch(since)[1])
		require.NoError(t, err)
		return `"since": "` + at.UTC().Format(time.RFC3339Nano) + `"`
	})
}

// requireShown requires that the guide shows an output as it is.
func requireShown(t *testing.T, kind, output string) {
	t.Helper()
	guide, err := os.ReadFile("../observability.md")
	require.NoError(t, err)
	block := "```" + kind + "\n" + strings.TrimSuffix(output, "\n") + "\n```"
	require.Contains(t, string(guide), block)
}

// All that the root module has, wired at once.
func wireAll(mux *http.ServeMux, logger *slog.Logger) *container.Container {
	board := dashboard.New()
	c := container.New(
		container.WithListener(eventlog.New(logger)), // a log
		container.WithListener(board))                // a live page
	// ... register services ...
	mux.Handle("/backstay/", http.StripPrefix("/backstay", board.Handler(c)))
	mux.Handle("/status", c.StatusHandler())
	mux.Handle("/healthz", c.HealthHandler())
	return c
}

func TestAllOfIt(t *testing.T) {
	logger, written := logTo()
	mux := http.NewServeMux()
	c := wireAll(mux, logger)
	wireCards(c).err = errUnavailable
	synctest.Test(t, func(t *testing.T) { charge(t, c, "41") })
	require.Contains(t, written.String(), "call exhausted")
	for _, path := range []string{"/backstay/", "/backstay/state", "/status"} {
		code, _ := get(mux, path)
		require.Equal(t, http.StatusOK, code, path)
	}
	code, _ := get(mux, "/healthz")
	require.Equal(t, http.StatusServiceUnavailable, code, "it has not been started")
	require.Equal(t, retry.BreakerClosed, c.Breakers()[0].State())
}
