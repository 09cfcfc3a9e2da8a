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
	Flat SleepStrategy = &builtinStrategy{"flat", flat}

	// Backoff waits Base, 2·Base, 4·Base ..., never less, plus up to 20 % of it at random, at most MaxDelay.
	Backoff SleepStrategy = &builtinStrategy{"backoff", backoff}

	// DecorrelatedJitter waits between Base and three times the wait before, at random, at most MaxDelay.
	DecorrelatedJitter SleepStrategy = &builtinStrategy{"decorrelatedJitter", decorrelatedJitter}
)

// builtinStrategy computes from a base, so that one chain can hold several, each with its own. It is a pointer, so that users
// may compare strategies.
type builtinStrategy struct {
	name string
	wait func(base, most time.Duration, attempt int, last time.Duration) time.Duration
}

func (b *builtinStrategy) String() string { return b.name }

func (b *builtinStrategy) Wait(s *Session) time.Duration {
	set := s.Settings()
	return b.wait(set.Base, set.MaxDelay, s.Attempt(), s.LastWait())
}

func flat(base, most time.Duration, _ int, _ time.Duration) time.Duration { return min(base, most) }

func backoff(base, most time.Duration, attempt int, _ time.Duration) time.Duration {
	d := double(base, max(attempt-1, 0)) // before the first attempt, as after it
	if d >= most {
		return most
	}
	return min(spread(d, d/5), most)
}

// decorrelatedJitter is the "decorrelated jitter" of "Exponential Backoff And Jitter", AWS Architecture Blog, 2015.
func decorrelatedJitter(base, most time.Duration, _ int, last time.Duration) time.Duration {
	return min(spread(base, times3(max(last, base))-base), most)
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
func spread(d, by time.Duration) time.Duration {
	by = min(by, math.MaxInt64-d)
	return d + time.Duration(rand.Uint64N(uint64(by)+1))
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
		return b.wait(p.base, s.plan.settings.MaxDelay, s.Attempt(), s.LastWait())
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
