package retry_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/backstay/backstay/retry"
	"pgregory.net/rapid"
)

// A scenario is a method and one call of it. Everything happens at whole seconds, but for the end of the context, which
// comes between two.
type scenario struct {
	MaxAttempts int // 0: no such policy
	Timeout     int // in seconds; -1: none
	Bases       []int
	MaxDelay    int
	Hint        int
	Pays        int // retries that a taker pays for; -1: no taker
	Rejects     bool
	RetryOther  bool // errOther is in the list too
	RetryZero   bool // the result 0 is worth a retry
	VetoAt      int  // the attempt after which OnlyIf forbids; 0: never
	HookFailsAt int  // the attempt after which BeforeRetry fails; 0: never
	Once        bool
	Wrap        bool
	Fallback    string // "", "good" or "bad"
	CancelAt    int    // half a second before; 0: never
	DeadlineAt  int    // half a second before; 0: never
	Outcomes    []play // the last for ever
}

// play is what an attempt does.
type play struct {
	Takes int
	Err   string // "", "boom", "other", "busy" for one second, or "permanent"
	Value int
}

func (p play) err() error {
	switch p.Err {
	case "boom":
		return errBoom
	case "other":
		return errOther
	case "busy":
		return busy{time.Second}
	case "permanent":
		return retry.Permanent(errBoom)
	}
	return nil
}

// account is what came of a call.
type account struct {
	Starts    []time.Duration // of the attempts
	Waits     []time.Duration
	Elapsed   time.Duration
	Ended     retry.Ending
	Limit     string
	Fallback  bool
	Value     int
	Err       string
	Taken     int // of the taker, what was given back taken off
	Discarded int
}

func drawScenario(t *rapid.T) scenario {
	small := func(name string, from, to int) int { return rapid.IntRange(from, to).Draw(t, name) }
	maybe := func(name string) bool { return rapid.IntRange(0, 3).Draw(t, name) == 0 }
	s := scenario{
		MaxAttempts: small("max", 0, 5), Timeout: -1, MaxDelay: small("maxDelay", 1, 4), Pays: -1,
		Bases:   rapid.SliceOfN(rapid.IntRange(0, 3), 0, 2).Draw(t, "bases"),
		Rejects: rapid.IntRange(0, 15).Draw(t, "rejects") == 0, RetryOther: maybe("retryOther"), RetryZero: maybe("retryZero"),
		Wrap: maybe("wrap"), Once: rapid.IntRange(0, 7).Draw(t, "once") == 0,
		Fallback: rapid.SampledFrom([]string{"", "", "good", "bad"}).Draw(t, "fallback"),
	}
	for _, sometimes := range []struct {
		name     string
		field    *int
		from, to int
	}{
		{"timeout", &s.Timeout, 1, 12}, {"hint", &s.Hint, -1, 5}, {"pays", &s.Pays, 0, 4}, {"vetoAt", &s.VetoAt, 1, 3},
		{"hookFailsAt", &s.HookFailsAt, 1, 3}, {"cancelAt", &s.CancelAt, 1, 10}, {"deadlineAt", &s.DeadlineAt, 1, 10},
	} {
		if maybe("with " + sometimes.name) {
			*sometimes.field = small(sometimes.name, sometimes.from, sometimes.to)
		}
	}
	for range small("outcomes", 1, 5) {
		s.Outcomes = append(s.Outcomes, play{
			Takes: small("takes", 0, 2), Value: small("value", 0, 1),
			Err: rapid.SampledFrom([]string{"", "boom", "boom", "boom", "other", "busy", "permanent"}).Draw(t, "err"),
		})
	}
	if s.DeadlineAt == s.CancelAt {
		s.DeadlineAt = 0 // which comes first is anybody's guess
	}
	if s.MaxAttempts == 0 && s.Pays < 0 { // a timeout alone ends nothing where time stands still
		for i := range s.Outcomes {
			s.Outcomes[i].Takes++
		}
	}
	return s
}

// play makes the call.
func (s scenario) play(t *testing.T) (a account) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if s.DeadlineAt > 0 {
		ctx, cancel = context.WithTimeout(ctx, time.Duration(2*s.DeadlineAt-1)*time.Second/2)
		defer cancel()
	}
	if s.CancelAt > 0 {
		defer time.AfterFunc(time.Duration(2*s.CancelAt-1)*time.Second/2, cancel).Stop()
	}
	if s.Once {
		ctx = retry.Once(ctx)
	}
	start, call, n := time.Now(), &frame{results: []any{0}}, 0
	ctx, report := retry.WithReport(ctx)
	err := s.compile(t, &a).Run(ctx, new(retry.Session), call, func(context.Context) error {
		a.Starts = append(a.Starts, time.Since(start))
		o := s.Outcomes[min(n, len(s.Outcomes)-1)]
		n++
		time.Sleep(time.Duration(o.Takes) * time.Second)
		call.results[0] = o.Value
		return o.err()
	})
	a.Elapsed, a.Waits, a.Ended, a.Limit, a.Fallback = time.Since(start), report.Waits, report.Ended, report.Limit, report.Fallback
	a.Value, a.Err = call.results[0].(int), inWords(err)
	return a
}

func (s scenario) compile(t *testing.T, a *account) *retry.HybridPolicy {
	set := settings(retry.Fallback, retry.Classifier)
	set.RetryErrors = []retry.Matcher{retry.Is(errBoom), retry.As[busy]()}
	if s.RetryOther {
		set.RetryErrors = append(set.RetryErrors, retry.Is(errOther))
	}
	if s.Timeout >= 0 {
		set.Policies, set.Timeout = append(set.Policies, retry.Timeout), time.Duration(s.Timeout)*time.Second
	}
	if s.MaxAttempts > 0 {
		set.Policies, set.MaxAttempts = append(set.Policies, retry.MaxAttempts), s.MaxAttempts
	}
	set.MaxDelay, set.WrapExhausted = time.Duration(s.MaxDelay)*time.Second, s.Wrap
	d := retry.Definition{Settings: set, Custom: map[retry.PolicyFactory]retry.Policy{}}
	custom := func(p retry.Policy) {
		f := retry.PolicyFrom(p.Kind(), func() retry.Policy { return p })
		d.Settings.Policies = append(d.Settings.Policies, f)
		d.Custom[f] = p
	}
	for _, base := range s.Bases {
		custom(retry.NewSleep(retry.Flat, time.Duration(base)*time.Second))
	}
	if s.Pays >= 0 {
		custom(takerFuncs{
			take: func(*retry.Session) error {
				if a.Taken == s.Pays {
					return errFull
				}
				a.Taken++
				return nil
			},
			giveBack: func(*retry.Session) error { a.Taken--; return nil },
		})
	}
	if s.Rejects {
		custom(closedGate)
	}
	if s.RetryZero {
		d.Hooks.RetryIfResult = predicates(func(s *retry.Session) bool { return s.Result(0) == 0 })
	}
	d.Hooks.OnlyIf = predicates(func(x *retry.Session) bool { return x.Attempt() != s.VetoAt })
	d.Hooks.WaitHint = func(*retry.Session) time.Duration { return time.Duration(s.Hint) * time.Second }
	d.Hooks.Discard = func(*retry.Session) { a.Discarded++ }
	d.Hooks.BeforeRetry = func(x *retry.Session) error {
		if x.Attempt() == s.HookFailsAt {
			return errFull
		}
		return nil
	}
	if s.Fallback != "" {
		d.Hooks.Fallback = func(_ context.Context, x *retry.Session, cause error) error {
			result := &x.Call().(*frame).results[0]
			if s.Fallback == "good" {
				*result = 10
				return nil
			}
			*result = 11
			return errors.Join(errFallback, cause)
		}
	}
	return compiled(t, d)
}

var errFallback = errors.New("fallback")

// inWords is an error in the model's words.
func inWords(err error) string {
	words := ""
	var e *retry.ExhaustedError
	switch {
	case err == nil:
		return ""
	case errors.Is(err, errFallback):
		words = "fallback of "
	case errors.As(err, &e):
		words = e.Limit + ": "
	}
	var r *retry.RejectedError
	if errors.As(err, &r) {
		return words + "rejected"
	}
	if errors.Is(err, context.Canceled) {
		words += "canceled "
	}
	if errors.Is(err, context.DeadlineExceeded) {
		words += "expired "
	}
	switch {
	case errors.Is(err, errOther):
		words += "other"
	case errors.Is(err, busy{time.Second}):
		words += "busy"
	case errors.Is(err, errBoom):
		words += "boom"
	}
	return words
}
