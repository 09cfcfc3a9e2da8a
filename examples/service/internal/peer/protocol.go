// Package peer is a payment peer: an HTTP server that charges cards, and fails as real ones do.
//
//	POST   /charges            charges a card once per Idempotency-Key, or fails as its Plan says
//	GET    /ledger             every movement of money so far
//	DELETE /ledger?through=ID  forgets those up to that one, and their keys: for who has audited them
//	GET    /stats              what arrived since the plan began
//	PUT    /plan               begins a plan of faults: its clock and the stats start anew, the ledger stays
package peer

// KeyHeader is the header that names a payment: the same key charges once, however often it is sent.
const KeyHeader = "Idempotency-Key"

// DeclinedCard is a card that the peer refuses: 402, every time.
const DeclinedCard = "4000000000000002"

// What a charge can be, when the peer answers 200.
const (
	StatusCharged = "charged"
	StatusPending = "pending" // nothing is charged yet: send it again
)

// ChargeRequest is the body of POST /charges.
type ChargeRequest struct {
	Order string `json:"order"`
	Card  string `json:"card"`
	Cents int64  `json:"cents"`
}

// ChargeAnswer is the body of a 200.
type ChargeAnswer struct {
	Status string `json:"status"`
	ID     string `json:"id,omitempty"` // of the charge; the same each time that the key is sent
}

// Charge is one movement of money.
type Charge struct {
	ID    string `json:"id"`
	Key   string `json:"key"`
	Order string `json:"order"`
	Cents int64  `json:"cents"`
}

// Ledger is the body of GET /ledger: all movements of money, oldest first.
type Ledger struct {
	Charges []Charge `json:"charges"`
}

// Stats is the body of GET /stats: the requests to charge that arrived since the plan began.
type Stats struct {
	Attempts int         `json:"attempts"`
	Outage   OutageStats `json:"outage"`
}

// OutageStats are those that arrived while the peer was down.
type OutageStats struct {
	Attempts int `json:"attempts"`
	Orders   int `json:"orders"` // that came for the first time
}

// PlanRequest is the body of PUT /plan.
type PlanRequest struct {
	Plan Plan   `json:"plan"`
	Seed uint64 `json:"seed"`
}
