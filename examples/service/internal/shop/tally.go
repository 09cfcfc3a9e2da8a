package shop

import (
	"context"
	"maps"
	"sync"

	"github.com/backstay/backstay/retry"
)

// Tally counts what happens to charges. It is a listener; the zero value is ready, and safe for concurrent use.
type Tally struct {
	mu sync.Mutex
	c  Counts
}

// Counts is what a Tally has counted.
type Counts struct {
	Attempts      int // of sessions that have ended
	Retries       int
	BudgetRefused int // retries that the budget did not pay for
	Openings      int // of the breaker
	Breaker       retry.BreakerState
	Fallbacks     map[string]int // by the kind of the policy that led to them
}

// Add adds what has been counted after it.
func (c *Counts) Add(later Counts) {
	c.Attempts += later.Attempts
	c.Retries += later.Retries
	c.BudgetRefused += later.BudgetRefused
	c.Openings += later.Openings
	c.Breaker = later.Breaker
	for kind, n := range later.Fallbacks {
		if c.Fallbacks == nil {
			c.Fallbacks = map[string]int{}
		}
		c.Fallbacks[kind] += n
	}
}

// On counts one event.
func (t *Tally) On(_ context.Context, e retry.Event) {
	if e.Ref().Method != "Charge" {
		return // the books are retried too, but that is no charge
	}
	t.Count(func(c *Counts) {
		switch e := e.(type) {
		case retry.RetryScheduled:
			c.Retries++
		case retry.BudgetRefused:
			c.BudgetRefused++
		case retry.Succeeded:
			c.Attempts += e.Attempts
		case retry.Failed:
			c.Attempts += e.Attempts
		case retry.Exhausted:
			c.Attempts += e.Attempts
			c.Fallbacks[e.Limit]++
		case retry.Rejected:
			c.Fallbacks[retry.CircuitBreaker.Kind()]++ // no other policy of the shop rejects
		case retry.BreakerChanged:
			c.Breaker = e.To
			if e.To == retry.BreakerOpen {
				c.Openings++
			}
		}
	})
}

// Count lets count change the counts.
func (t *Tally) Count(count func(*Counts)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.c.Fallbacks == nil {
		t.c.Fallbacks = map[string]int{}
	}
	count(&t.c)
}

// Take returns what has been counted, and begins anew. Only the breaker's state stays: it is no count.
func (t *Tally) Take() Counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.c
	t.c = Counts{Breaker: c.Breaker}
	return c
}

// Counts returns what has been counted so far.
func (t *Tally) Counts() Counts {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.c
	c.Fallbacks = maps.Clone(c.Fallbacks)
	return c
}
