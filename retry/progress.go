package retry

import (
	"context"
	"time"
)

// progress is what the loop alone knows of a session under way. It lives on the stack.
type progress struct {
	said     any   // what the context says to the session; the context is the user's, so it is asked before anything is held
	at       int64 // when the call came: the one clock read of a call that succeeds at once
	began    int64 // the attempt, where a breaker wants to know how long it takes
	entered  int   // gates passed
	tickets  [2]uint64
	more     []uint64        // tickets beyond those
	canceled bool            // the context was done before the first attempt
	bound    *attemptContext // of the last attempt, under AttemptTimeout
}

func (p *progress) ticket(i int) *uint64 {
	if i < len(p.tickets) {
		return &p.tickets[i]
	}
	for len(p.more) <= i-len(p.tickets) {
		p.more = append(p.more, 0)
	}
	return &p.more[i-len(p.tickets)]
}

// admit asks the gates in order. The first that refuses rejects the call, and those passed before are told. A call whose
// context is done is let through to be ended by the loop, without an attempt, unless its method cannot say so.
func (h *HybridPolicy) admit(ctx context.Context, p *progress) *RejectedError {
	p.at = now()
	p.said = ctx.Value(scopeKey)
	if !h.noError && ctx.Err() != nil {
		p.canceled = true
		return nil
	}
	switch {
	case len(h.gates) == 0:
		return nil
	case len(h.gates) == 1 && h.gates[0].breaker != nil: // nothing to give back, should it refuse
		return h.gates[0].pass(p, p.at)
	}
	return h.passGates(ctx, p)
}

// pass asks the breaker of a gate at time t.
func (g *gate) pass(p *progress, t int64) *RejectedError {
	k, ok := g.breaker.enter(t)
	if !ok {
		return g.reject.Load()
	}
	*p.ticket(p.entered) = uint64(k)
	p.entered++
	return nil
}

func (h *HybridPolicy) passGates(ctx context.Context, p *progress) (rejection *RejectedError) {
	passed := false
	defer func() {
		if !passed { // refused, or a user's gate has panicked
			h.leave(nil, p)
		}
	}()
	t := p.at
	for _, g := range h.gates {
		if g.breaker != nil {
			if rejection := g.pass(p, t); rejection != nil {
				return rejection
			}
			continue
		}
		k, err := g.Enter(ctx)
		if err != nil {
			return g.rejection(h.ref, err)
		}
		*p.ticket(p.entered) = k
		p.entered++
		t = now() // a user's gate may have let the call wait
	}
	passed = true
	return nil
}

// rejection is the error for a user's gate that refused for a reason. A gate that always gives the same reason gets one
// value per method.
func (g *gate) rejection(ref MethodRef, reason error) *RejectedError {
	if r := g.reject.Load(); r != nil && same(r.Reason, reason) {
		return r
	}
	r := &RejectedError{Ref: ref, Reason: reason, gate: g.kind}
	g.reject.Store(r)
	return r
}

// leave gives all tickets back, in reverse. All gates are told, also when one of them panics.
func (h *HybridPolicy) leave(s *Session, p *progress) {
	if p.entered == 0 {
		return
	}
	defer h.leave(s, p)
	p.entered--
	g, k := h.gates[p.entered], *p.ticket(p.entered)
	if g.breaker == nil {
		g.Leave(k, s)
		return
	}
	g.breaker.leave(breakerTicket(k), now())
}

// end tells breakers how the session ended, then all enders and gates that it has, and the listener if it has had no end.
func (h *HybridPolicy) end(s *Session, p *progress) {
	defer h.tellAborted(s)
	if len(h.gates) == 0 && len(h.enders) == 0 {
		return
	}
	defer h.leave(s, p)
	defer h.endFrom(s, 0) // also when somebody who listens to a breaker panics
	if !h.breaks {
		return
	}
	switch s.state {
	case stateAttempting, stateExhausted, stateUnpaid, stateVetoed:
		h.tellBreakers(s, p, 0)
	}
}

func (h *HybridPolicy) endFrom(s *Session, i int) {
	if i < len(h.enders) {
		defer h.endFrom(s, i+1)
		h.enders[i].End(s)
	}
}

// tellBreakers tells those from gate i on of a session that failed as a whole, and of an attempt that never returned: it
// ended in a panic or runtime.Goexit, which is a failure. All are told, also when somebody who listens to one panics.
func (h *HybridPolicy) tellBreakers(s *Session, p *progress, i int) {
	for i < len(h.gates) && h.gates[i].breaker == nil {
		i++
	}
	if i == len(h.gates) {
		return
	}
	defer h.tellBreakers(s, p, i+1)
	b, k, t := h.gates[i].breaker, breakerTicket(*p.ticket(i)), now()
	if s.state == stateAttempting {
		took := time.Duration(0)
		if h.timesAttempts {
			took = time.Duration(t - p.began)
		}
		defer b.exhausted(k, t)
		b.record(k, failure, took, t)
		return
	}
	b.exhausted(k, t)
}

// record tells the breakers of an attempt. What classification has let through as no failure of the peer is neutral, and
// so is the caller's own cancel.
func (h *HybridPolicy) record(s *Session, p *progress, verdict Verdict) {
	o := neutral
	switch {
	case verdict == Again && !is(s.Context.Err(), context.Canceled):
		o = failure
	case verdict != Again && s.failure == nil:
		o = success
	}
	t, took := p.at, int64(0)
	switch {
	case h.timesAttempts:
		t = now()
		took = t - p.began
	case o == failure, o == success && h.successOpens: // a breaker that it opens is open from now on
		t = now()
	}
	h.recordFrom(0, p, o, time.Duration(took), t)
}

// recordFrom tells the breakers from gate i on. All are told, also when somebody who listens to one panics.
func (h *HybridPolicy) recordFrom(i int, p *progress, o outcome, took time.Duration, t int64) {
	defer func() {
		if i < len(h.gates) {
			h.recordFrom(i+1, p, o, took, t)
		}
	}()
	for ; i < len(h.gates); i++ {
		if b := h.gates[i].breaker; b != nil {
			b.record(breakerTicket(*p.ticket(i)), o, took, t)
		}
	}
}

// opened reports whether the breaker of gate i has opened since the session was admitted.
func (h *HybridPolicy) opened(p *progress, i int) bool {
	return !h.gates[i].breaker.goesOn(breakerTicket(*p.ticket(i)))
}

// readmit asks the breakers once more when a wait is over: another session may have opened one meanwhile.
func (h *HybridPolicy) readmit(p *progress) *limit {
	for _, l := range h.limiters {
		if l.Limiter != nil {
			continue
		}
		k, ok := h.gates[l.gate].breaker.readmit(breakerTicket(*p.ticket(l.gate)), now())
		if !ok {
			return l.limit
		}
		*p.ticket(l.gate) = uint64(k)
	}
	return nil
}

// drop cancels the context of an attempt whose results are thrown away.
func (p *progress) drop() {
	if p.bound != nil {
		p.bound.cancel(context.Canceled)
	}
}
