package retry

import (
	"context"
	"time"
)

// Run runs one session: attempt is called under the context that it is given, until its outcome is not worth a retry or
// a limit refuses. s is a zero Session that belongs to this call; call gives policies and hooks access to arguments and
// results. The error is what the caller gets. Panics of attempt and of hooks pass through, unless RetryPanics says
// otherwise. Weavers call it; users of the fluent form have [Chain].
func (h *HybridPolicy) Run(ctx context.Context, s *Session, call Call, attempt func(context.Context) error) error {
	var p progress
	if rejection := h.admit(ctx, &p); rejection != nil {
		s.Context, s.plan, s.call, s.started = ctx, h, call, p.at
		return h.rejected(ctx, s, &p, rejection)
	}
	return h.run(ctx, s, call, &p, attempt)
}

// run is a session from its admission to its fallback.
func (h *HybridPolicy) run(ctx context.Context, s *Session, call Call, p *progress, attempt func(context.Context) error) error {
	s.Context, s.plan, s.call, s.started = ctx, h, call, p.at
	if p.said != nil {
		x := &extension{scope: scopeFrom(p.said)}
		x.report = x.scope.reportFor(h.ref)
		s.more.Store(x)
	}
	err := h.session(s, p, attempt)
	switch s.state {
	case stateSucceeded:
		return nil
	case stateExhausted:
		err = h.exhausted(s, err)
	default:
		err = h.unexhausted(s, err)
	}
	if s.outer() == nil {
		err = withoutMark(err)
	}
	return err
}

// session is a session without its fallback: start, attempts, end.
func (h *HybridPolicy) session(s *Session, p *progress, attempt func(context.Context) error) error {
	if p.canceled {
		h.cancel(s)
		return nil
	}
	if h.endsAloud || s.report() != nil {
		defer h.end(s, p)
	}
	for _, x := range h.starters {
		x.Start(s)
	}
	if h.startsLate && !h.noError && h.canceled(s) {
		return nil
	}
	for s.fixed |= begun; ; s.retries.Add(1) {
		if r := s.report(); r != nil { // here, since a panic may end the attempt
			r.Attempts++
		}
		if h.timesAttempts {
			p.began = now()
		}
		s.state = stateAttempting
		var err error
		if h.guarded {
			err = h.guard(s, p, attempt)
		} else {
			err = attempt(s)
		}
		s.state = stateOpen
		if err != nil || s.failure != nil { // else there is nothing to write into memory that the collector watches
			s.failure = err
		}

		plain := err != nil && isPlain(err)
		verdict := Abstain
		switch {
		case plain && h.repeatsPlain:
			verdict = Again
		case err != nil || h.judgesResults:
			verdict = h.judge(s, plain)
		}
		if h.breaks {
			h.record(s, p, verdict)
		}
		switch {
		case verdict == Again:
		case err == nil:
			h.succeed(s)
			return nil
		default:
			h.settle(s)
			return err
		}
		if h.listener != nil || s.more.Load() != nil {
			h.tellAttemptFailed(s, false)
		}
		if !h.again(s, p, plain) {
			return err
		}
	}
}

// judge is the largest verdict on the attempt just made, whose failure is plain or not.
func (h *HybridPolicy) judge(s *Session, plain bool) Verdict {
	switch {
	case !plain && isPermanent(s.failure):
		return Never
	case len(h.judges) == 0: // and so it is a failure: nobody looks at results
		return Again
	}
	verdict := Abstain
	for i := range h.judges {
		if j := &h.judges[i]; j.classifier != nil {
			verdict = max(verdict, j.classifier.judge(s, plain))
		} else {
			verdict = max(verdict, j.Judge.Judge(s))
		}
	}
	return verdict
}

// succeed ends a session whose outcome nobody wants repeated.
func (h *HybridPolicy) succeed(s *Session) {
	s.state = stateSucceeded
	if h.listener != nil || s.more.Load() != nil {
		h.tellSucceeded(s)
	}
}

// settle ends a session whose failure is not worth a retry.
func (h *HybridPolicy) settle(s *Session) {
	ended := stateFailed
	if is(s.failure, s.Context.Err()) {
		ended = stateCanceled
	}
	h.tellAttemptFailed(s, ended == stateFailed)
	s.state = ended
	h.tellFailed(s)
}

// again decides whether the session goes on after an outcome worth a retry, and does all that comes between two attempts.
// When it reports false, the state of s says why.
func (h *HybridPolicy) again(s *Session, p *progress, plain bool) bool {
	if s.Context.Err() != nil {
		h.cancel(s)
		return false
	}
	for _, agrees := range h.hooks.OnlyIf {
		if !agrees(s) {
			s.state = stateVetoed
			h.tellFailed(s)
			return false
		}
	}
	if s.fixed&single != 0 || s.more.Load() != nil { // else nobody is above, and nobody inside has given up
		if l := s.oneLayer(); l != nil {
			return h.refuse(s, l, nil)
		}
	}
	for i := range h.limiters {
		l := &h.limiters[i]
		switch {
		case l.attempts > 0:
			if s.Attempt() >= l.attempts {
				return h.refuse(s, l.limit, nil)
			}
		case l.Limiter == nil:
			if h.opened(p, l.gate) {
				return h.refuse(s, l.limit, nil)
			}
		default:
			if err := l.Limit(s); err != nil {
				return h.refuse(s, l.limit, err)
			}
		}
	}
	if plain && h.immediate && s.more.Load() == nil { // a plain failure proposes no wait
		return h.repeat(s)
	}
	wait := h.wait(s, plain)
	if l := h.tooLong(s, wait); l != nil {
		return h.refuse(s, l, nil)
	}
	if len(h.takers) > 0 {
		return h.begin(s, p, wait)
	}
	return h.resume(s, p, wait)
}

// repeat pays for a retry that begins at once: nobody is told of it, and nothing can come between. It is [HybridPolicy.begin]
// and resume without what has no effect then.
func (h *HybridPolicy) repeat(s *Session) (started bool) {
	if len(h.takers) > 0 {
		var paid payment
		if l, err := h.pay(s, &paid); l != nil {
			h.giveBack(s, &paid)
			return h.refuse(s, l, err)
		}
	}
	return true
}

// wait is the largest wait that is proposed, within MaxDelay and not below zero. A plain failure proposes none.
func (h *HybridPolicy) wait(s *Session, plain bool) time.Duration {
	var wait time.Duration
	for _, w := range h.waiters {
		wait = max(wait, w.Wait(s))
	}
	if hint := h.hooks.WaitHint; hint != nil {
		wait = max(wait, hint(s))
	}
	if !plain {
		wait = max(wait, retryAfter(s.failure))
	}
	return min(wait, h.settings.MaxDelay)
}

// tooLong is the limit that a wait would pass, or nil. At the very instant of a timeout no time is left.
func (h *HybridPolicy) tooLong(s *Session, wait time.Duration) *limit {
	if h.timeLimit != nil && wait >= h.timeout-s.Elapsed() {
		return h.timeLimit
	}
	if wait > 0 {
		if deadline, ok := s.Context.Deadline(); ok && wait >= time.Until(deadline) {
			return limitDeadline
		}
	}
	return nil
}

// begin pays for a retry, waits, and prepares the next attempt. What was taken is given back when that attempt does not
// start, whatever prevents it.
func (h *HybridPolicy) begin(s *Session, p *progress, wait time.Duration) (started bool) {
	var paid payment
	defer func() {
		if !started {
			h.giveBack(s, &paid)
		}
	}()
	if l, err := h.pay(s, &paid); l != nil {
		return h.refuse(s, l, err)
	}
	return h.resume(s, p, wait)
}

// resume waits, and prepares the next attempt.
func (h *HybridPolicy) resume(s *Session, p *progress, wait time.Duration) (started bool) {
	h.tellRetryScheduled(s, wait)
	if wait > 0 {
		pause(s.Context, wait)
	}
	if h.canceled(s) {
		return false
	}
	if before := h.hooks.BeforeRetry; before != nil {
		if err := before(s); err != nil {
			return h.refuse(s, limitBeforeRetry, err)
		}
		if h.canceled(s) {
			return false
		}
	}
	if l := h.tooLong(s, 0); l != nil { // the wait, a taker or a hook took longer than was known
		return h.refuse(s, l, nil)
	}
	if h.breaks {
		if l := h.readmit(p); l != nil {
			return h.refuse(s, l, nil)
		}
	}
	h.discard(s)
	p.drop()
	s.waited(wait)
	if r := s.report(); r != nil {
		r.Waits = append(r.Waits, wait)
	}
	return true
}

// pause waits for d, or until ctx is done.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// canceled ends the session if the caller's context is done.
func (h *HybridPolicy) canceled(s *Session) bool {
	if s.Context.Err() == nil {
		return false
	}
	h.cancel(s)
	return true
}

// cancel ends the session because of the caller's context.
func (h *HybridPolicy) cancel(s *Session) {
	s.state = stateCanceled
	h.tellFailed(s)
}

// refuse ends the session as exhausted. The reason is what the limit said; that of a built-in one is its name.
func (h *HybridPolicy) refuse(s *Session, l *limit, reason error) bool {
	s.state, s.refusedBy = stateExhausted, l.number
	switch reason {
	case nil, errNoMoreAttempts, ErrTimeout:
	default:
		s.extend().reason = reason
	}
	h.tellExhausted(s)
	return false
}

// discard hands the results of the last attempt to Discard; a panic has left none.
func (h *HybridPolicy) discard(s *Session) {
	if h.hooks.Discard != nil && !s.panicked {
		h.hooks.Discard(s)
	}
}
