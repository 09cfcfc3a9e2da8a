package retry_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

var (
	errBoom  = errors.New("boom")
	errOther = errors.New("other")
)

// script is an operation that returns its errors in turn, the last one for ever, and counts its calls.
type script struct {
	errs  []error
	calls int
}

func scripted(errs ...error) *script { return &script{errs: errs} }

func (s *script) run(context.Context) error {
	err := s.errs[min(s.calls, len(s.errs)-1)]
	s.calls++
	return err
}

// counting is an operation that returns 1, 2, 3 ... and with them the errors in turn, nil when there are no more.
type counting struct {
	errs  []error
	calls int
}

func (c *counting) run(context.Context) (int, error) {
	c.calls++
	if c.calls <= len(c.errs) {
		return c.calls, c.errs[c.calls-1]
	}
	return c.calls, nil
}

// Policies of one phase each, made of functions.
type (
	judgeFunc   func(*retry.Session) retry.Verdict
	limitFunc   func(*retry.Session) error
	waitFunc    func(*retry.Session) time.Duration
	starterFunc func(*retry.Session)
	enderFunc   func(*retry.Session)

	gateFuncs struct {
		enter func(context.Context) (uint64, error)
		leave func(uint64, *retry.Session)
	}
	takerFuncs struct{ take, giveBack func(*retry.Session) error }
)

func (judgeFunc) Kind() string   { return "judge" }
func (limitFunc) Kind() string   { return "limiter" }
func (waitFunc) Kind() string    { return "waiter" }
func (starterFunc) Kind() string { return "starter" }
func (enderFunc) Kind() string   { return "ender" }
func (gateFuncs) Kind() string   { return "gate" }
func (takerFuncs) Kind() string  { return "taker" }

func (f judgeFunc) Judge(s *retry.Session) retry.Verdict { return f(s) }
func (f limitFunc) Limit(s *retry.Session) error         { return f(s) }
func (f waitFunc) Wait(s *retry.Session) time.Duration   { return f(s) }
func (f starterFunc) Start(s *retry.Session)             { f(s) }
func (f enderFunc) End(s *retry.Session)                 { f(s) }

func (g gateFuncs) Enter(ctx context.Context) (uint64, error) { return g.enter(ctx) }
func (g gateFuncs) Leave(ticket uint64, s *retry.Session) {
	if g.leave != nil {
		g.leave(ticket, s)
	}
}

func (f takerFuncs) Take(s *retry.Session) error { return f.take(s) }
func (f takerFuncs) GiveBack(s *retry.Session) {
	if f.giveBack != nil {
		_ = f.giveBack(s)
	}
}

// idle is a policy that cannot be: it has a kind and no phase.
type idle struct{}

func (idle) Kind() string { return "idle" }

// frame is the call of a method, as a weaver would hold it.
type frame struct {
	args    []any
	results []any
	judged  any // a pointer to the result that is judged
}

func (f *frame) Arg(i int) any    { return at(f.args, i) }
func (f *frame) Result(i int) any { return at(f.results, i) }
func (f *frame) Judged() any      { return f.judged }
func (f *frame) Clear() {
	for i, r := range f.results {
		f.results[i] = reflect.Zero(reflect.TypeOf(r)).Interface()
	}
}

func at(list []any, i int) any {
	if i < 0 || i >= len(list) {
		return nil
	}
	return list[i]
}

// settings are those of a method with the policies and with small, quick values; the rest is for a test to set.
func settings(policies ...retry.PolicyFactory) retry.Settings {
	return retry.Settings{
		Ref:           retry.MethodRef{Class: "StripeGateway", Method: "Charge"},
		Policies:      policies,
		MaxAttempts:   3,
		MaxDelay:      retry.DefaultMaxDelay,
		SleepStrategy: retry.Flat,
		RetryErrors:   []retry.Matcher{retry.AnyError},
		Budget:        retry.BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1, Percent: 0.2},
		Breaker:       retry.BreakerSettings{ResetTimeout: 10 * time.Second},
	}
}

// compiled is the policy of a definition that must be right.
func compiled(t testing.TB, d retry.Definition) *retry.HybridPolicy {
	t.Helper()
	h, err := retry.Compile(d)
	require.NoError(t, err)
	return h
}

// run runs one session of h around f.
func run(ctx context.Context, h *retry.HybridPolicy, f func(context.Context) error) error {
	return h.Run(ctx, new(retry.Session), new(frame), f)
}

// hybrid is the policy of a list that must be right.
func hybrid(t testing.TB, policies ...retry.Policy) *retry.HybridPolicy {
	t.Helper()
	h, err := retry.NewHybridPolicy(policies...)
	require.NoError(t, err)
	return h
}

// journal is a list of what happened, in order. It is safe for concurrent use.
type journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *journal) add(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, fmt.Sprintf(format, args...))
}

func (j *journal) all() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]string{}, j.lines...)
}

// On makes a journal a listener.
func (j *journal) On(_ context.Context, e retry.Event) { j.add("%s", describe(e)) }

// describe is an event in words, without its times.
func describe(e retry.Event) string {
	switch e := e.(type) {
	case retry.AttemptFailed:
		return fmt.Sprintf("attempt %d failed: %v", e.Attempt, e.Err)
	case retry.RetryScheduled:
		return fmt.Sprintf("retry %d scheduled in %v: %v", e.Attempt, e.Wait, e.Err)
	case retry.Succeeded:
		return fmt.Sprintf("succeeded after %d", e.Attempts)
	case retry.Failed:
		return fmt.Sprintf("failed after %d: %v", e.Attempts, e.Err)
	case retry.Exhausted:
		return fmt.Sprintf("exhausted by %s after %d: %v", e.Limit, e.Attempts, e.Err)
	case retry.Rejected:
		return fmt.Sprintf("rejected: %v", e.Reason)
	case retry.FallbackSucceeded:
		return fmt.Sprintf("fallback succeeded for: %v", e.Cause)
	case retry.FallbackFailed:
		return fmt.Sprintf("fallback failed for: %v: %v", e.Cause, e.Err)
	case retry.BreakerChanged:
		return fmt.Sprintf("breaker %s: %s to %s", e.Breaker.Name(), e.From, e.To)
	case retry.BudgetRefused:
		return fmt.Sprintf("budget %q refused", e.Budget)
	}
	return fmt.Sprintf("%T", e)
}

// exhaustedBy requires that err says that a limit ended the session after so many attempts.
func exhaustedBy(t testing.TB, err error, limit string, attempts int) {
	t.Helper()
	var e *retry.ExhaustedError
	require.ErrorAs(t, err, &e)
	require.Equal(t, limit, e.Limit)
	require.Equal(t, attempts, e.Attempts)
}

// defined requires that err is a definition error that says all of the words.
func defined(t testing.TB, err error, words ...string) {
	t.Helper()
	var d *retry.DefinitionError
	require.ErrorAs(t, err, &d)
	for _, w := range words {
		require.ErrorContains(t, err, w)
	}
}
