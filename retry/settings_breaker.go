package retry

import (
	"fmt"
	"time"
)

// BreakerSettings say when a breaker opens and how it closes again.
//
// With ResetTimeout alone, one exhausted session opens it. With a Window, a WindowTime or Consecutive it records every
// attempt instead, and is looked at after each result, success included; a transition forgets all results. In code the
// struct is complete: a zero means off, but for MinCalls and Probes. The attribute's default is a ResetTimeout of 10 s.
type BreakerSettings struct {
	// ResetTimeout is how long the breaker stays open; then it is half-open. It is also how long a probe keeps its place
	// from others, so it should be longer than a call may take. It must be set.
	ResetTimeout time.Duration `json:"resetTimeoutNanoseconds"`
	// Window is how many of the latest results the ratios are taken of, at most 1,000,000; in a tag `window=50`.
	Window int `json:"window,omitempty"`
	// WindowTime is how far back the ratios look instead, to a tenth of it; in a tag `window=10s`.
	WindowTime time.Duration `json:"windowNanoseconds,omitempty"`
	// MinCalls is how many results the window must hold, or without one must have come, before the breaker may open. 0 is
	// a full Window, 10 for a WindowTime, none without a window.
	MinCalls int `json:"minCalls,omitempty"`
	// FailureRatio is the share of failures, above 0 and up to 1, at which the breaker opens. It needs a window.
	FailureRatio float64 `json:"failureRatio,omitempty"`
	// Consecutive is how many failures in a row open the breaker. It needs no window.
	Consecutive int `json:"consecutive,omitempty"`
	// SlowCall is the duration beyond which an attempt is slow, whatever its outcome. A slow probe is a failed one.
	SlowCall time.Duration `json:"slowCallNanoseconds,omitempty"`
	// SlowRatio is the share of slow attempts, above 0 and up to 1, at which the breaker opens. It needs a window and
	// SlowCall.
	SlowRatio float64 `json:"slowRatio,omitempty"`
	// Probes is how many calls are admitted while half-open, and how many successes close; at most 1,000. 0 is 1.
	Probes int `json:"probes,omitempty"`
}

const (
	maxBreakerWindow = 1_000_000
	maxProbes        = 1000
	// defaultTimeMinCalls is MinCalls for a window of time, which is never full.
	defaultTimeMinCalls = 10
)

// check tells what is wrong with the settings, each problem with what to write instead. No problems, nil.
func (s BreakerSettings) check() []string {
	var problems []string
	report := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }

	for _, wait := range []struct {
		name string
		d    time.Duration
	}{{"resetTimeout", s.ResetTimeout}, {"windowTime", s.WindowTime}, {"slowCall", s.SlowCall}} {
		switch {
		case wait.d < 0:
			report("breaker %s %v is negative; write a duration, such as 10s", wait.name, wait.d)
		case subMicrosecond(wait.d):
			report("breaker %s %d is %v; write %[2]d*time.Millisecond", wait.name, int64(wait.d), wait.d)
		}
	}
	if s.ResetTimeout == 0 {
		report("breaker resetTimeout is 0; write how long it stays open, such as 10s")
	}

	windowed := s.Window != 0 || s.WindowTime != 0
	switch {
	case s.Window != 0 && s.WindowTime != 0:
		report("breaker has a window of %d calls and one of %v; write one of them", s.Window, s.WindowTime)
	case s.Window < 0:
		report("breaker window %d is negative; write how many calls to look at, such as 50", s.Window)
	case s.Window > maxBreakerWindow:
		report("breaker window %d is more than %d calls; write a window of time, such as 10s", s.Window, maxBreakerWindow)
	case windowed && s.FailureRatio == 0 && s.SlowRatio == 0 && s.Consecutive == 0:
		report("breaker has a window but nothing that opens it; write failureRatio, slowRatio or consecutive too")
	}

	switch {
	case s.MinCalls < 0:
		report("breaker minCalls %d is negative; write 0 for a full window, or more", s.MinCalls)
	case s.Window > 0 && s.MinCalls > s.Window:
		report("breaker minCalls %d is more than its window of %d calls can hold; write at most %[2]d", s.MinCalls, s.Window)
	case s.MinCalls > 0 && !windowed && s.Consecutive == 0:
		report("breaker minCalls %d has no window; write window too, such as 50 or 10s", s.MinCalls)
	}

	for _, ratio := range []struct {
		name string
		r    float64
	}{{"failureRatio", s.FailureRatio}, {"slowRatio", s.SlowRatio}} {
		switch {
		case ratio.r >= 2 && ratio.r <= 100:
			report("breaker %s %v is more than 1; write %.6g for %[2]v %%", ratio.name, ratio.r, ratio.r/100)
		case !(ratio.r >= 0 && ratio.r <= 1): // also NaN
			report("breaker %s %v is not a share; write one above 0 and up to 1, such as 0.5", ratio.name, ratio.r)
		case ratio.r > 0 && ratio.r < smallestRatio:
			report("breaker %s %v is less than one in a million; write %v or more", ratio.name, ratio.r, smallestRatio)
		case ratio.r > 0 && !windowed:
			report("breaker %s %v has no window; write window too, such as 50 or 10s", ratio.name, ratio.r)
		}
	}
	switch {
	case s.SlowRatio != 0 && s.SlowCall == 0:
		report("breaker slowRatio %v has no slowCall; write how long a slow call takes, such as 2s", s.SlowRatio)
	case s.SlowCall != 0 && s.SlowRatio == 0:
		report("breaker slowCall %v has no slowRatio; write the share of slow calls that opens, such as 0.5", s.SlowCall)
	}

	if s.Consecutive < 0 {
		report("breaker consecutive %d is negative; write how many failures in a row open it, or 0", s.Consecutive)
	}
	switch {
	case s.Probes < 0:
		report("breaker probes %d is negative; write how many calls test a half-open breaker, or 0 for 1", s.Probes)
	case s.Probes > maxProbes:
		report("breaker probes %d is more than %d; write at most %[2]d", s.Probes, maxProbes)
	}
	return problems
}

// counts reports whether attempts are recorded; if not, one exhausted session opens the breaker.
func (s BreakerSettings) counts() bool {
	return s.Window != 0 || s.WindowTime != 0 || s.Consecutive != 0
}

// minCalls is MinCalls with its zero value replaced.
func (s BreakerSettings) minCalls() int {
	switch {
	case s.MinCalls != 0:
		return s.MinCalls
	case s.WindowTime != 0:
		return defaultTimeMinCalls
	}
	return s.Window
}
