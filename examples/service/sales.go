package main

import (
	"context"
	"errors"
	"maps"
	"sync"

	"github.com/backstay/backstay/examples/service/internal/shop"
)

// state is how far an order has come, as the shop sees it.
type state int

const (
	waiting state = iota // not begun
	inHand
	paidByCard
	paidByInvoice
	refused
	interrupted // by Ctrl-C
	failed
)

// sales writes down what the shop says of each order. It is safe for concurrent use.
type sales struct {
	mu    sync.Mutex
	state map[string]state // by the order's number
	count [failed + 1]int
	first error // of the orders that failed
}

func newSales(orders int) *sales {
	s := &sales{state: make(map[string]state, orders)}
	s.count[waiting] = orders
	return s
}

// begin notes that an order is being charged.
func (s *sales) begin(number string) { s.move(number, inHand, nil) }

// end notes what became of it.
func (s *sales) end(number string, r shop.Receipt, err error) {
	switch {
	case err == nil && r.By == shop.ByCard:
		s.move(number, paidByCard, nil)
	case err == nil:
		s.move(number, paidByInvoice, nil)
	case errors.Is(err, shop.ErrDeclined):
		s.move(number, refused, nil)
	case errors.Is(err, context.Canceled):
		s.move(number, interrupted, nil)
	default:
		s.move(number, failed, err)
	}
}

func (s *sales) move(number string, to state, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count[s.state[number]]--
	s.count[to]++
	s.state[number] = to
	if s.first == nil {
		s.first = err
	}
}

// counts returns how many orders are in each state.
func (s *sales) counts() [failed + 1]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count
}

// states returns the state of each order that has begun, and the first error of one that failed.
func (s *sales) states() (map[string]state, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.state), s.first
}
