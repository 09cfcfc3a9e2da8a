package snippets_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// indented is JSON as jq prints it.
func indented(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, json.Indent(&b, []byte(text), "", "  "))
	return inUTC(t, b.String())
}

// Warehouse is a service that is asked for its health.
type Warehouse struct{ err error }

func (w *Warehouse) Health(context.Context) error { return w.err }

func TestStatusAndHealthInTheMiddleOfTheNight(t *testing.T) {
	inTheNight(t, func(t *testing.T) {
		c := container.New()
		peer := wireCards(c)
		warehouse := &Warehouse{}
		c.Supply(warehouse)
		require.NoError(t, c.Start(t.Context()))

		theNight(t, c, peer, func() {
			code, status := get(c.StatusHandler(), "/status")
			require.Equal(t, http.StatusOK, code)
			requireShown(t, "json", indented(t, status))

			code, health := get(c.HealthHandler(), "/healthz")
			require.Equal(t, http.StatusOK, code, "a peer that is down makes nobody unhealthy")
			require.Contains(t, health, `"breakers":[{"name":"CardGateway@Charge"`)
			require.NotContains(t, health, `"budgets"`)
			var answer map[string]json.RawMessage
			require.NoError(t, json.Unmarshal([]byte(health), &answer))
			require.JSONEq(t, `[{"service":"Warehouse","status":"ok"}]`, string(answer["services"]))
		})

		warehouse.err = errors.New("the database of ada@example.com is gone")
		code, health := get(c.HealthHandler(), "/healthz")
		require.Equal(t, http.StatusServiceUnavailable, code)
		requireShown(t, "json", indented(t, health))

		require.NoError(t, c.Stop(t.Context()))
	})
}

// Weakest is the budget that would pay for the smallest part of what it pays for when it is full.
func Weakest(s retry.Status) (name string, full float64) {
	full = 1
	for _, b := range s.Budgets {
		most := b.ReserveSize + float64(b.Sessions)*b.Settings.Percent
		if share := b.Balance / most; share < full {
			name, full = b.Name, share
		}
	}
	return name, full
}

func TestTheSameAsData(t *testing.T) {
	inTheNight(t, func(t *testing.T) {
		c := container.New()
		theNight(t, c, wireCards(c), func() {
			name, full := Weakest(c.Status())
			require.Equal(t, "CardGateway@Charge", name)
			require.InDelta(t, 0.9, full, 0.1)
		})
	})
}
