package gopeers_test

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/backstay/backstay/retry"
)

var errBulkheadFull = errors.New("bulkhead is full")

// bulkhead is a policy as a user writes one: a gate that admits so many calls at a time.
type bulkhead struct {
	limit  int64
	inside atomic.Int64
}

func newBulkhead(limit int64) *bulkhead { return &bulkhead{limit: limit} }

// bulkheadOf100 is what an annotation takes: one bulkhead for each method.
var bulkheadOf100 = retry.PolicyFrom("bulkhead", func() *bulkhead { return newBulkhead(100) })

func (*bulkhead) Kind() string { return "bulkhead" }

func (b *bulkhead) Enter(context.Context) (uint64, error) {
	if b.inside.Add(1) > b.limit {
		b.inside.Add(-1)
		return 0, errBulkheadFull
	}
	return 0, nil
}

func (b *bulkhead) Leave(uint64, *retry.Session) { b.inside.Add(-1) }
