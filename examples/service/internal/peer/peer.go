package peer

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// Peer is the payment peer. It is safe for concurrent use.
type Peer struct {
	mux      *http.ServeMux
	ledger   *ledger
	exercise atomic.Pointer[exercise]
}

// New returns a peer with an empty ledger, that does not fail until it is given a plan.
func New() *Peer {
	p := &Peer{mux: http.NewServeMux(), ledger: newLedger()}
	p.exercise.Store(begin(Plan{}, 0))
	p.mux.HandleFunc("POST /charges", p.charge)
	p.mux.HandleFunc("GET /ledger", p.showLedger)
	p.mux.HandleFunc("DELETE /ledger", p.forget)
	p.mux.HandleFunc("GET /stats", p.showStats)
	p.mux.HandleFunc("PUT /plan", p.setPlan)
	return p
}

func (p *Peer) ServeHTTP(w http.ResponseWriter, r *http.Request) { p.mux.ServeHTTP(w, r) }

// charge is the whole of a payment: what arrives is counted, then fails or moves money, and then may fail all the same.
func (p *Peer) charge(w http.ResponseWriter, r *http.Request) {
	key, request, err := readCharge(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	e := p.exercise.Load()
	f := e.arrive(key)
	switch f {
	case refused:
		http.Error(w, "no healthy upstream", http.StatusServiceUnavailable)
		return
	case dropped:
		resetConnection(w, nil)
		return
	case busy:
		comeBack(w, e.plan.RetryAfter)
		return
	case overloaded:
		comeBack(w, 30*time.Second)
		return
	case pending:
		answer(w, ChargeAnswer{Status: StatusPending})
		return
	}
	if request.Card == DeclinedCard {
		http.Error(w, "card declined", http.StatusPaymentRequired)
		return
	}
	charge, err := p.ledger.charge(key, request, e.plan.IgnoreKeys)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		return
	}
	done := ChargeAnswer{Status: StatusCharged, ID: charge.ID}
	switch f {
	case reset:
		resetConnection(w, done)
	case slow:
		select {
		case <-time.After(e.plan.SlowBy):
			answer(w, done)
		case <-r.Context().Done(): // nobody is listening any more
		}
	default:
		answer(w, done)
	}
}

func readCharge(r *http.Request) (key string, request ChargeRequest, err error) {
	if key = r.Header.Get(KeyHeader); key == "" {
		return "", request, fmt.Errorf("there is no %s header", KeyHeader)
	}
	body := http.MaxBytesReader(nil, r.Body, 1<<16)
	if err := json.NewDecoder(body).Decode(&request); err != nil {
		return "", request, fmt.Errorf("the body is no charge: %v", err)
	}
	_, err = io.Copy(io.Discard, body) // only then does the server notice a client that goes away
	if request.Order == "" || request.Card == "" || request.Cents <= 0 {
		return "", request, fmt.Errorf("a charge has an order, a card and cents above 0")
	}
	return key, request, err
}

func (p *Peer) showLedger(w http.ResponseWriter, _ *http.Request) {
	if e := p.exercise.Load(); e.auditBusy() {
		comeBack(w, 0)
		return
	}
	answer(w, p.ledger.all())
}

func (p *Peer) forget(w http.ResponseWriter, r *http.Request) {
	if err := p.ledger.forget(r.URL.Query().Get("through")); err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (p *Peer) showStats(w http.ResponseWriter, _ *http.Request) {
	answer(w, p.exercise.Load().soFar())
}

func (p *Peer) setPlan(w http.ResponseWriter, r *http.Request) {
	var request PlanRequest
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&request)
	if err == nil {
		err = request.Plan.check()
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.exercise.Store(begin(request.Plan, request.Seed))
	w.WriteHeader(http.StatusNoContent)
}
