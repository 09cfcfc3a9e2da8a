package gopeers_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

type requestKey struct{}

// seeing notes which places of the user's code have seen which request.
type seeing struct {
	mu   sync.Mutex
	seen map[any]map[string]bool
}

func (s *seeing) note(place string, ctx context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	request := ctx.Value(requestKey{})
	if s.seen[request] == nil {
		s.seen[request] = map[string]bool{}
	}
	s.seen[request][place] = true
}

// seeingPolicy is a user's policy of all phases.
type seeingPolicy struct{ *seeing }

func (seeingPolicy) Kind() string { return "seeing" }
func (p seeingPolicy) Enter(ctx context.Context) (n uint64, _ error) {
	p.note("enter", ctx)
	return n, nil
}
func (p seeingPolicy) Leave(_ uint64, s *retry.Session)           { p.note("leave", s) }
func (p seeingPolicy) Start(s *retry.Session)                     { p.note("start", s) }
func (p seeingPolicy) Judge(s *retry.Session) (v retry.Verdict)   { p.note("judge", s); return v }
func (p seeingPolicy) Limit(s *retry.Session) error               { p.note("limit", s); return nil }
func (p seeingPolicy) Wait(s *retry.Session) (none time.Duration) { p.note("wait", s); return none }
func (p seeingPolicy) Take(s *retry.Session) error                { p.note("take", s); return nil }
func (p seeingPolicy) GiveBack(s *retry.Session)                  { p.note("giveBack", s) }
func (p seeingPolicy) End(s *retry.Session)                       { p.note("end", s) }

// refusing is a policy that lets the fifth attempt, and what was taken for it, go.
type refusing struct{}

func (refusing) Kind() string            { return "refusing" }
func (refusing) GiveBack(*retry.Session) {}
func (refusing) Take(s *retry.Session) error {
	if s.Attempt() < 4 {
		return nil
	}
	return errOther
}

// go:C12
func TestEachHookSeesTheContextOfItsOwnCall(t *testing.T) {
	everywhere := []string{"enter", "leave", "start", "judge", "limit", "wait", "take", "giveBack", "end", "attempt", "fallback", "strategy",
		"AttemptFailed", "RetryScheduled", "Succeeded", "Exhausted", "FallbackSucceeded"}
	var s *seeing
	waits := func(x *retry.Session) time.Duration { s.note("strategy", x); return time.Second }
	fallback := func(ctx context.Context, _ error) error { s.note("fallback", ctx); return nil }
	for _, c := range []struct {
		name    string
		protect func(t *testing.T) *form
		places  []string
	}{
		{"fluent", func(t *testing.T) *form {
			return fluent(t, retry.With(seeingPolicy{s}, refusing{}, retry.NewSleep(strategy(waits), 0),
				retry.NewExpression(func(x *retry.Session) bool { s.note("expression", x); return x.Failure() != nil })).
				Max(5).Fallback(fallback))
		}, []string{"expression"}},
		{"annotated", func(t *testing.T) *form {
			return annotated(t, annotation.MaxAttempts(5), annotation.SleepStrategy(strategy(waits)), annotation.Fallback(fallback),
				annotation.AddPolicies(retry.PolicyFrom("seeing", func() seeingPolicy { return seeingPolicy{s} }),
					retry.PolicyFrom("refusing", func() refusing { return refusing{} })),
				annotation.RetryIfError(func(x *retry.Session) bool { s.note("retryIfError", x); return true }),
				annotation.RetryIfResult(func(x *retry.Session) bool { s.note("retryIfResult", x); return false }),
				annotation.OnlyIf(func(ctx context.Context, _ operation) bool { s.note("onlyIf", ctx); return true }),
				annotation.WaitHint(func(x *retry.Session) time.Duration { s.note("waitHint", x); return 0 }),
				annotation.BeforeRetry(func(ctx context.Context, _ operation) error { s.note("beforeRetry", ctx); return nil }),
				annotation.Discard(func(x *retry.Session) { s.note("discard", x) }))
		}, []string{"retryIfError", "retryIfResult", "onlyIf", "waitHint", "beforeRetry", "discard"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s = &seeing{seen: map[any]map[string]bool{}}
				p := c.protect(t)
				p.events.then = func(ctx context.Context, e retry.Event) {
					switch e.(type) {
					case retry.AttemptFailed:
						s.note("AttemptFailed", ctx)
					case retry.RetryScheduled:
						s.note("RetryScheduled", ctx)
					case retry.Succeeded:
						s.note("Succeeded", ctx)
					case retry.Exhausted:
						s.note("Exhausted", ctx)
					case retry.FallbackSucceeded:
						s.note("FallbackSucceeded", ctx)
					}
				}
				call := func(request int) {
					ctx := context.WithValue(context.Background(), requestKey{}, request)
					for _, op := range []*script{scripted(errBoom, nil), scripted(errBoom)} {
						if p.run(ctx, func(ctx context.Context) error { s.note("attempt", ctx); return op.run(ctx) }) != nil {
							panic("the fallback has an answer")
						}
					}
				}
				call(1)
				call(2)
				var wg sync.WaitGroup
				for request := 3; request < 11; request++ {
					wg.Go(func() { call(request) })
				}
				wg.Wait()
				want := map[string]bool{}
				for _, place := range append(c.places, everywhere...) {
					want[place] = true
				}
				for request := 1; request < 11; request++ {
					require.Equal(t, want, s.seen[request], "request %d", request)
				}
				require.Len(t, s.seen, 10, "nobody saw another context")
			})
		})
	}
}
