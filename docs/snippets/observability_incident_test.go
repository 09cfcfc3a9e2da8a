package snippets_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// KeepAway lets no call reach the card peer until end is called.
func KeepAway(c *container.Container) (end func(), err error) {
	breaker, err := c.Breaker((*CardGateway).Charge) // or "CardGateway@Charge", or the name by which methods share it
	if err != nil {
		return nil, err
	}
	breaker.ForceOpen()
	return breaker.Reset, nil
}

func TestABreakerIsTurnedByCode(t *testing.T) {
	c := container.New()
	wireCards(c)
	end, err := KeepAway(c)
	require.NoError(t, err)
	require.Equal(t, retry.BreakerForceOpen, c.Status().Breakers[0].State)
	require.Equal(t, "invoice 41", charge(t, c, "41"))
	end()
	require.Equal(t, "card 42", charge(t, c, "42"))
}

// Calm serves requests without a retry while off is set. Gates and fallbacks stay.
func Calm(off *atomic.Bool, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if off.Load() {
			r = r.WithContext(retry.Once(r.Context()))
		}
		h.ServeHTTP(w, r)
	})
}

func TestRetriesAreTurnedOff(t *testing.T) {
	inTheNight(t, func(t *testing.T) {
		c := container.New()
		wireCards(c).err = errUnavailable
		gateway, err := container.Get[PaymentGateway](c)
		require.NoError(t, err)
		var last *retry.Report
		var off atomic.Bool
		h := Calm(&off, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, report := retry.WithReport(r.Context())
			last = report
			_, err := gateway.Charge(ctx, "41")
			require.NoError(t, err)
		}))
		ask := func() { h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/orders", nil)) }
		ask()
		require.Equal(t, 3, last.Attempts)
		off.Store(true)
		ask()
		require.Equal(t, 1, last.Attempts)
		require.Equal(t, "once", last.Limit)
		require.True(t, last.Fallback)
	})
}
