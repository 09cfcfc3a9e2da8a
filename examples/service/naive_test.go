package main

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/service/internal/shop"
)

// answers is a transport that answers one after the other: a status, and a Retry-After; "late" is no answer at all.
type answers struct {
	list  []string
	times []time.Time
}

func (a *answers) RoundTrip(r *http.Request) (*http.Response, error) {
	a.times = append(a.times, time.Now())
	status, after, _ := strings.Cut(a.list[0], " ")
	a.list = a.list[1:]
	if status == "late" {
		<-r.Context().Done()
		return nil, r.Context().Err()
	}
	code := map[string]int{"200": 200, "402": 402, "503": 503}[status]
	body := `{"status":"charged","id":"ch_1"}`
	if after == "pending" {
		body = `{"status":"pending"}`
	}
	return &http.Response{
		StatusCode: code,
		Header:     http.Header{"Retry-After": {after}},
		Body:       io.NopCloser(strings.NewReader(body)),
	}, nil
}

func TestPlainRetriesWaitAsTheDeclaredOnesDo(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name    string
		answers []string
		waits   []time.Duration // at least; each is up to a fifth longer
		by      shop.Means
		why     string
		err     error
	}{
		{"no retry", []string{"200"}, nil, shop.ByCard, "", nil},
		{"backoff", []string{"503", "503", "503", "200"}, []time.Duration{100 * ms, 200 * ms, 400 * ms}, shop.ByCard, "", nil},
		{"pending", []string{"200 pending", "200"}, []time.Duration{100 * ms}, shop.ByCard, "", nil},
		{"as the peer asks", []string{"503 2", "200"}, []time.Duration{2000 * ms}, shop.ByCard, "", nil},
		{"too late", []string{"late", "200"}, []time.Duration{600 * ms}, shop.ByCard, "", nil},
		{"longer than a customer waits", []string{"503 3"}, nil, shop.ByInvoice, "patience", nil},
		{"all attempts", []string{"503", "503", "503", "503"}, []time.Duration{100 * ms, 200 * ms, 400 * ms}, shop.ByInvoice, "maxAttempts", nil},
		{"a refusal", []string{"402"}, nil, "", "", shop.ErrDeclined},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				peer, tally := &answers{list: c.answers}, &shop.Tally{}
				p := &plainRetries{
					card:    shop.NewCardGateway(shop.Endpoint{URL: "http://peer", Client: &http.Client{Transport: peer}}),
					invoice: shop.NewInvoiceGateway(shop.NewQueue(), slog.New(slog.DiscardHandler)),
					pace:    pace,
					tally:   tally,
				}
				r, settled, err := p.Charge(t.Context(), numbered(1)[0])
				require.ErrorIs(t, err, c.err)
				require.Equal(t, c.by, r.By)
				require.Equal(t, err == nil, settled)
				require.Empty(t, peer.list)
				require.Len(t, peer.times, len(c.waits)+1)
				for i, least := range c.waits {
					wait := peer.times[i+1].Sub(peer.times[i])
					require.GreaterOrEqual(t, wait, least)
					require.LessOrEqual(t, wait, least*6/5)
				}
				counts := tally.Counts()
				require.Equal(t, len(c.waits), counts.Retries)
				require.Equal(t, len(c.waits)+1, counts.Attempts)
				if c.why != "" {
					require.Equal(t, map[string]int{c.why: 1}, counts.Fallbacks)
				}
			})
		})
	}
}

func TestPlainRetriesEndWithTheirContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &plainRetries{
			card:  shop.NewCardGateway(shop.Endpoint{URL: "http://peer", Client: &http.Client{Transport: &answers{list: []string{"503 2"}}}}),
			pace:  pace,
			tally: &shop.Tally{},
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_, _, err := p.Charge(ctx, numbered(1)[0])
		require.ErrorIs(t, err, context.Canceled)
	})
}

func TestPlainRetriesAreAsPatientAsTheDeclaredOnes(t *testing.T) {
	mark := reflect.TypeFor[shop.CardGateway]().Field(0)
	require.Equal(t, patience.String(), mark.Tag.Get("patience"))
}
