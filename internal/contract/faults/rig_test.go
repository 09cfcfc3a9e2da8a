package faults_test

import (
	"context"
	"sync"
)

// A rig is everything that a user can put into a call, one of each kind, and the books about what it was asked and told.
// All of it calls strike with the name of its place; what is armed for a place happens there, once.
type rig struct {
	mu    sync.Mutex
	armed map[string]func()
	hit   map[string]int

	outcomes []outcome                                  // what the target does, the last one for ever
	callee   func(ctx context.Context) (receipt, error) // what the target calls instead

	calls, discarded                int // of the target, of Discard
	outerIn, outerOut               int // calls that the outer gate has admitted and was told the end of
	innerIn, innerOut               int
	started, ended, paid, givenBack int
	reserve                         int  // what the budget holds besides what sessions earn
	refusesEntry, refusesToPay      bool // the inner gate; the second taker
	forsaken                        bool // the fallback fails too
}

// outcome is what one call of the target comes to.
type outcome struct {
	receipt receipt
	err     error
}

func newRig() *rig { return &rig{armed: map[string]func(){}, hit: map[string]int{}, reserve: reserve} }

// arm lets f happen at a place, once.
func (r *rig) arm(place string, f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.armed[place] = f
}

// strike is called at every place.
func (r *rig) strike(place string) {
	r.mu.Lock()
	r.hit[place]++
	f := r.armed[place]
	delete(r.armed, place)
	r.mu.Unlock()
	if f != nil {
		f()
	}
}

// struck reports whether what was armed for a place has happened.
func (r *rig) struck(place string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hit[place] > 0 && r.armed[place] == nil
}

// count changes the books.
func (r *rig) count(n *int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	*n++
}

// hits is how often a place has been reached. Contexts are asked by goroutines of the standard library too.
func (r *rig) hits(place string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hit[place]
}

// script is what the target is to do from now on.
func (r *rig) script(all ...outcome) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outcomes, r.calls = all, 0
}

// charge is the target.
func (r *rig) charge(ctx context.Context) (receipt, error) {
	if r.callee != nil {
		return r.callee(ctx)
	}
	r.mu.Lock()
	o := r.outcomes[min(r.calls, len(r.outcomes)-1)]
	r.calls++
	r.mu.Unlock()
	r.strike("target")
	return o.receipt, o.err
}

// instead is the fallback.
func (r *rig) instead() (receipt, error) {
	r.strike("fallback")
	if r.forsaken {
		return receipt{}, errPoor
	}
	return receipt{no: 99}, nil
}

// willing takes back all refusals.
func (r *rig) willing() { r.refusesEntry, r.refusesToPay, r.forsaken = false, false, false }
