package dashboard_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

// A shop that charges a peer, with invoices for when that is down.
type (
	Gateway interface {
		Charge(ctx context.Context, cents int) error
	}
	CardGateway struct {
		_    annotation.On[aliases.Retry]          `method:"Charge" maxAttempts:"4" base:"100ms" fallback:"InvoiceGateway@Charge"`
		_    annotation.On[aliases.CircuitBreaker] `method:"Charge" breaker:"window=20,failureRatio=0.5,resetTimeout=5s"`
		down bool
	}
	InvoiceGateway struct{}
	Checkout       struct{ gateway Gateway }
)

func (g *CardGateway) Charge(context.Context, int) error {
	if g.down {
		return err503
	}
	return nil
}

func (InvoiceGateway) Charge(context.Context, int) error { return nil }

func (c *Checkout) Pay(ctx context.Context) error { return c.gateway.Charge(ctx, 1999) }

func newShop(opts ...dashboard.Option) (*container.Container, *CardGateway, *dashboard.Dashboard) {
	board, peer := dashboard.New(opts...), &CardGateway{}
	c := container.New(container.WithListener(board))
	c.Provide(func() *CardGateway { return peer }, container.As[Gateway]())
	c.Provide(func() InvoiceGateway { return InvoiceGateway{} })
	c.Provide(func(g Gateway) *Checkout { return &Checkout{g} })
	return c, peer, board
}

func TestTheWiringIsTheContainersOwn(t *testing.T) {
	c, _, board := newShop()
	h := board.Handler(c)
	require.NoError(t, c.Verify())
	want, err := json.Marshal(c.Explain())
	require.NoError(t, err)
	w := get(h, "/wiring?x=1")
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	require.Equal(t, string(want), w.Body.String())
	require.Contains(t, w.Body.String(), `"ref":"CardGateway"`)

	require.Equal(t, `{"services":[]}`, get(board.Handler(nil), "/wiring").Body.String())
}

// The whole story of an outage, as who is on call reads it.
func TestAnOutageOfAPeerIsPlain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, peer, board := newShop(dashboard.WithControls(anybody))
		h := board.Handler(c)
		shop, err := container.Get[*Checkout](c)
		require.NoError(t, err)
		pay := func(seconds int) {
			for range seconds * 10 {
				go func() { _ = shop.Pay(t.Context()) }()
				time.Sleep(100 * time.Millisecond)
			}
			synctest.Wait()
		}
		pay(10)
		s, _ := look(t, h, "")
		require.Empty(t, s.Incidents)
		require.Equal(t, 10., s.Methods[0].Rate)
		require.Equal(t, []string{"CardGateway@Charge"}, names(s))
		require.Len(t, s.Budgets, 1)
		require.Equal(t, "CardGateway@Charge", s.Budgets[0].Name)

		began := time.Now()
		peer.down = true
		pay(2)
		s, _ = look(t, h, "")
		require.Len(t, s.Incidents, 1)
		i := s.Incidents[0]
		require.Equal(t, "CardGateway@Charge", i.Ref)
		require.Equal(t, ms(began), i.Since)
		require.Equal(t, "503 Service Unavailable", i.Error)
		require.Equal(t, "InvoiceGateway@Charge", i.Fallback)
		require.Equal(t, retry.BreakerOpen, i.Breaker)
		require.Positive(t, i.RetryInMs)
		require.Positive(t, i.Refused["circuitBreaker"])
		require.Positive(t, i.Callers.Fallback)

		pay(20)
		s, m := look(t, h, "CardGateway@Charge")
		i = s.Incidents[0]
		require.Equal(t, ms(began), i.Since)
		require.Equal(t, callers{Fallback: 1}, i.Callers, "the shop goes on")
		require.Zero(t, s.Methods[0].ErrorShare)
		require.Equal(t, "503 Service Unavailable", m.Errors[0].Text)

		peer.down = false
		pay(20)
		s, _ = look(t, h, "")
		require.Empty(t, s.Incidents)
		require.Equal(t, 10., s.Methods[0].Rate)
		require.Zero(t, s.Methods[0].AttemptFailureShare)

		require.Equal(t, http.StatusNoContent, press(h, "CardGateway@Charge", "open").Code)
		breaker, err := c.Breaker("CardGateway@Charge")
		require.NoError(t, err)
		require.Equal(t, retry.BreakerForceOpen, breaker.State())
		s, _ = look(t, h, "")
		require.Equal(t, []string{"CardGateway@Charge"}, names(s), "its own, though events have told of it too")
		require.Equal(t, ms(time.Now()), s.Incidents[0].Since)
		require.Equal(t, http.StatusNotFound, press(h, "CardGateway", "open").Code)
	})
}

// What was given to a call, and what it returned, is nowhere.
func TestArgumentsAreNowhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, peer, board := newShop()
		h := board.Handler(c)
		gateway, err := container.Get[Gateway](c)
		require.NoError(t, err)
		for _, down := range []bool{false, true} {
			peer.down = down
			require.NoError(t, gateway.Charge(t.Context(), 271828))
			time.Sleep(time.Second)
		}
		for _, target := range []string{"/state?method=CardGateway%40Charge", "/wiring"} {
			require.NotContains(t, get(h, target).Body.String(), "271828")
		}
	})
}
