package shop

import (
	"sync"

	"github.com/backstay/backstay/examples/service/internal/peer"
)

// Queue holds the orders that wait for an invoice. It is safe for concurrent use; the zero value is empty.
type Queue struct {
	mu     sync.Mutex
	orders map[string]Order // by number
}

// NewQueue returns an empty queue.
func NewQueue() *Queue { return &Queue{orders: map[string]Order{}} }

// Add puts o into the queue.
func (q *Queue) Add(o Order) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.orders[o.Number] = o
}

// Strike takes out the orders that the peer has charged after all, and returns how many: those whose answer was lost on
// the way. It is done before invoices are written, so that nobody pays twice.
func (q *Queue) Strike(charged peer.Ledger) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	before := len(q.orders)
	for _, c := range charged.Charges {
		delete(q.orders, c.Order)
	}
	return before - len(q.orders)
}

// WriteInvoices takes all orders out: what they owe is asked for by letter, and they are the queue's no more.
func (q *Queue) WriteInvoices() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.orders = map[string]Order{} // a map that is emptied keeps its size
}

// Numbers returns the numbers of the orders in the queue.
func (q *Queue) Numbers() map[string]bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	numbers := make(map[string]bool, len(q.orders))
	for n := range q.orders {
		numbers[n] = true
	}
	return numbers
}
