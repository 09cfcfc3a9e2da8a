package shop_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/service/internal/shop"
	"github.com/backstay/backstay/retry"
)

var order = shop.Order{Number: "BS-1", Card: "4242424242424242", Total: 6600}

// serve answers every request by answer and returns where.
func serve(t *testing.T, answer http.HandlerFunc) shop.Endpoint {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return shop.Endpoint{URL: server.URL, Client: server.Client()}
}

func TestChargeReadsWhatThePeerMeans(t *testing.T) {
	for _, c := range []struct {
		name    string
		status  int
		body    string
		receipt shop.Receipt
		settled bool
	}{
		{"charged", 200, `{"status":"charged","id":"ch_1"}`, shop.Receipt{ID: "ch_1", By: shop.ByCard}, true},
		{"pending", 200, `{"status":"pending"}`, shop.Receipt{By: shop.ByCard}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			gateway := shop.NewCardGateway(serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			}))
			receipt, settled, err := gateway.Charge(t.Context(), order)
			require.NoError(t, err)
			require.Equal(t, c.receipt, receipt)
			require.Equal(t, c.settled, settled)
		})
	}
}

func TestChargeFailsAsThePeerMeansIt(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		after  string
		want   error
		says   string
	}{
		{"declined", 402, "", shop.ErrDeclined, "card declined"},
		{"busy", 503, "", nil, "the peer is busy"},
		{"busy for a while", 503, "2", nil, "the peer is busy for 2s"},
		{"busy, until some date", 503, "Fri, 31 Dec 1999 23:59:59 GMT", nil, "the peer is busy"},
		{"a wrong request", 422, "", nil, "the peer says 422 Unprocessable Entity: why"},
		{"a broken peer", 500, "", nil, "the peer says 500 Internal Server Error: why"},
	} {
		t.Run(c.name, func(t *testing.T) {
			gateway := shop.NewCardGateway(serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", c.after)
				http.Error(w, "why", c.status)
			}))
			_, settled, err := gateway.Charge(t.Context(), order)
			require.EqualError(t, err, c.says)
			require.False(t, settled)
			if c.want != nil {
				require.ErrorIs(t, err, c.want)
			}
			if c.after == "2" {
				var hint interface{ RetryAfter() time.Duration }
				require.ErrorAs(t, err, &hint)
				require.Equal(t, 2*time.Second, hint.RetryAfter())
			}
		})
	}
}

func TestChargeSaysWhichOrderAndUnderWhichKey(t *testing.T) {
	var body []byte
	var keys []string
	gateway := shop.NewCardGateway(serve(t, func(w http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.Header.Get("Idempotency-Key"))
		body, _ = io.ReadAll(r.Body)
		_, _ = io.WriteString(w, `{"status":"charged"}`)
	}))
	_, _, err := gateway.Charge(t.Context(), order)
	require.NoError(t, err)
	err = retry.With(retry.NewMaxAttempts(1)).Run(retry.WithKey(t.Context(), "own"), func(ctx context.Context) error {
		_, _, err := gateway.Charge(ctx, order)
		return err
	})
	require.NoError(t, err)
	require.Equal(t, []string{"BS-1", "own"}, keys)
	require.JSONEq(t, `{"order":"BS-1","card":"4242424242424242","cents":6600}`, string(body))
}

// A connection that breaks must be seen: a repetition by net/http would be one that no budget pays for.
func TestChargeIsNotRepeatedByTheTransport(t *testing.T) {
	var requests atomic.Int32
	endpoint := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if requests.Add(1) > 1 {
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, `{"status":"charged"}`)
	})
	gateway := shop.NewCardGateway(endpoint)
	_, _, err := gateway.Charge(t.Context(), order)
	require.NoError(t, err)
	_, _, err = gateway.Charge(t.Context(), order) // over the connection that is open already
	require.Error(t, err)
	require.EqualValues(t, 2, requests.Load())
}
