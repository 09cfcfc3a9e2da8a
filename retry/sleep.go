package retry

import (
	"math"
	"math/rand/v2"
	"time"
)

const kindSleep = "sleep"

// SleepStrategy says how long to wait before a retry. It is shared by all sessions and keeps nothing of one.
type SleepStrategy interface {
	// Wait proposes the wait after the attempt that s has just made.
	Wait(s *Session) time.Duration
}

// The built-in strategies. They read Base and MaxDelay from the session's settings. None overflows: what would, is the
// longest duration there is, before MaxDelay bounds it.
var (
	// Flat waits Base, every time.
	Flat SleepStrategy = &builtinStrategy{"flat", flat, rand.Uint64N}

	// Backoff waits Base, 2·Base, 4·Base ..., never less, plus up to 20 % of it at random, at most MaxDelay.
	Backoff SleepStrategy = &builtinStrategy{"backoff", backoff, rand.Uint64N}

	// DecorrelatedJitter waits between Base and three times the wait before, at random, at most MaxDelay.
	DecorrelatedJitter SleepStrategy = &builtinStrategy{"decorrelatedJitter", decorrelatedJitter, rand.Uint64N}
)

// builtinStrategy computes from a base, so that one chain can hold several, each with its own. It is a pointer, so that users
// may compare strategies.
type builtinStrategy struct {
	name   string
	wait   func(w waiting) time.Duration
	random func(n uint64) uint64 // a number below n
}

// waiting is what a built-in strategy computes from.
type waiting struct {
	base, most time.Duration
	attempt    int           // just made
	last       time.Duration // the wait before it
	random     func(n uint64) uint64
}

// WithRand returns the built-in strategy with another source of chance than math/rand/v2: for tests and simulations that have
// to come out the same each time. uint64n returns a number from 0 to n-1, as Uint64N of a rand.Rand does; it is called by all
// sessions that use the strategy, so it must be safe for concurrent use where they are. Of nil, and of a strategy that is not
// built in, it returns the strategy as it is.
func WithRand(strategy SleepStrategy, uint64n func(n uint64) uint64) SleepStrategy {
	b, ok := strategy.(*builtinStrategy)
	if !ok || uint64n == nil {
		return strategy
	}
	return &builtinStrategy{b.name, b.wait, uint64n}
}

func (b *builtinStrategy) String() string { return b.name }

func (b *builtinStrategy) Wait(s *Session) time.Duration {
	return b.after(s, s.Settings().Base)
}

// after is the wait after the attempt that s has just made, beginning with base.
func (b *builtinStrategy) after(s *Session, base time.Duration) time.Duration {
	return b.wait(waiting{base, s.plan.settings.MaxDelay, s.Attempt(), s.LastWait(), b.random})
}

func flat(w waiting) time.Duration { return min(w.base, w.most) }

func backoff(w waiting) time.Duration {
	d := double(w.base, max(w.attempt-1, 0)) // before the first attempt, as after it
	if d >= w.most {
		return w.most
	}
	return min(w.spread(d, d/5), w.most)
}

// decorrelatedJitter is the "decorrelated jitter" of "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
func decorrelatedJitter(w waiting) time.Duration {
	return min(w.spread(w.base, times3(max(w.last, w.base))-w.base), w.most)
}

// double is d·2ⁿ, saturated. Neither is below zero; n may be more than a duration has bits.
func double(d time.Duration, n int) time.Duration {
	if d > math.MaxInt64>>n {
		return math.MaxInt64
	}
	return d << n
}

func times3(d time.Duration) time.Duration {
	if d > math.MaxInt64/3 {
		return math.MaxInt64
	}
	return 3 * d
}

// spread is d plus a random part of up to by, saturated. Neither is below zero.
func (w waiting) spread(d, by time.Duration) time.Duration {
	by = min(by, math.MaxInt64-d)
	return d + time.Duration(w.random(uint64(by)+1))
}

// NewSleep returns the policy that waits as the strategy says, beginning with base. A base below zero, or above zero and
// below a microsecond, is a definition error; with base zero the built-in strategies do not wait, and no timer is made.
func NewSleep(strategy SleepStrategy, base time.Duration) Policy { return &sleep{strategy, base} }

type sleep struct {
	strategy SleepStrategy
	base     time.Duration
}

func (*sleep) Kind() string { return kindSleep }

// isNoWait reports whether p is a Sleep that never waits.
func isNoWait(p Policy) bool {
	s, ok := p.(*sleep)
	if !ok || s.base != 0 {
		return false
	}
	_, ok = s.strategy.(*builtinStrategy)
	return ok
}

func (p *sleep) Wait(s *Session) time.Duration {
	if b, ok := p.strategy.(*builtinStrategy); ok {
		return b.after(s, p.base)
	}
	return p.strategy.Wait(s)
}

func (p *sleep) check() []string {
	problems := checkDuration("base", p.base, true)
	if p.strategy == nil {
		problems = append(problems, "the sleep strategy is nil; write retry.Flat, retry.Backoff, retry.DecorrelatedJitter or your own")
	}
	return problems
}
