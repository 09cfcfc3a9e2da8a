package shop

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/http"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"

	"github.com/backstay/backstay/examples/service/internal/peer"
)

// CardGateway charges cards at the payment peer.
//
// Its author declares what a caller of Charge may rely on. Failures are retried as the team retries payments, out of a
// budget of 10 retries per 100 orders; when that does not help, there is an invoice. A pending payment is asked for again.
type CardGateway struct {
	_ annotation.On[PaymentRetry]       `method:"Charge" fallback:"InvoiceGateway@Charge" patience:"2s" budget:"percent=0.1"`
	_ annotation.On[aliases.RetryFalsy] `method:"Charge"`

	peer Endpoint
}

var _ PaymentGateway = (*CardGateway)(nil)

// NewCardGateway returns the gateway to a peer.
func NewCardGateway(e Endpoint) *CardGateway { return &CardGateway{peer: e} }

// Charge makes one attempt to charge the order's card.
func (g *CardGateway) Charge(ctx context.Context, o Order) (Receipt, bool, error) {
	req, err := g.request(ctx, o)
	if err != nil {
		return Receipt{}, false, err
	}
	resp, err := g.peer.Client.Do(req)
	if err != nil {
		return Receipt{}, false, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return Receipt{}, false, failure(resp)
	}
	var a peer.ChargeAnswer
	if err := json.NewDecoder(resp.Body).Decode(&a); err != nil {
		return Receipt{}, false, err
	}
	return Receipt{ID: a.ID, By: ByCard}, a.Status == peer.StatusCharged, nil
}

func (g *CardGateway) request(ctx context.Context, o Order) (*http.Request, error) {
	body, err := json.Marshal(peer.ChargeRequest{Order: o.Number, Card: o.Card, Cents: int64(o.Total)})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.peer.URL+"/charges", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	// All attempts of a session have one key, the one that the shop has chosen, so the peer knows a repetition when it
	// sees one. A caller without a session, who repeats by hand, gets the order's.
	attempt, _ := retry.FromContext(ctx)
	req.Header.Set(peer.KeyHeader, cmp.Or(attempt.Key, o.Number))
	// net/http repeats a request with such a header by itself when the connection breaks: one more layer of retries,
	// which no budget sees. Without GetBody it cannot.
	req.GetBody = nil
	return req, nil
}
