package retry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

func TestOnlyIfVetoesBeforeAnyLimitIsAsked(t *testing.T) {
	for name, c := range map[string]struct {
		agree []func(*retry.Session) bool
		calls int
	}{
		"all agree":        {predicates(saysAgain, saysAgain), 3},
		"the first vetoes": {predicates(saysNo, saysAgain), 1},
		"the last vetoes":  {predicates(saysAgain, saysNo), 1},
	} {
		t.Run(name, func(t *testing.T) {
			ran := false
			ctx, report := retry.WithReport(t.Context())
			h := compiled(t, retry.Definition{
				Settings: settings(retry.Fallback, retry.Classifier, retry.MaxAttempts),
				Hooks: retry.Hooks{
					OnlyIf:   c.agree,
					Fallback: func(context.Context, *retry.Session, error) error { ran = true; return errOther },
				},
			})
			op := scripted(errBoom)
			err := run(ctx, h, op.run)
			require.ErrorIs(t, err, errBoom)
			require.Equal(t, c.calls, op.calls)
			if c.calls == 1 {
				require.Same(t, errBoom, err, "un-exhausted: the failure itself")
				require.False(t, ran, "and no fallback")
				require.Equal(t, retry.EndFailed, report.Ended)
				require.Empty(t, report.Limit)
			}
		})
	}
}

func TestOnlyIfIsAskedBeforeEachRetryAndSeesTheArguments(t *testing.T) {
	var seen []any
	h := compiled(t, retry.Definition{
		Settings: settings(retry.Classifier, retry.MaxAttempts),
		Hooks: retry.Hooks{OnlyIf: predicates(func(s *retry.Session) bool {
			seen = append(seen, s.Arg(1), s.Attempt())
			return true
		})},
	})
	call := &frame{args: []any{nil, "order"}}
	_ = h.Run(t.Context(), new(retry.Session), call, scripted(errBoom, nil).run)
	require.Equal(t, []any{"order", 1}, seen, "not of a success")
}

func TestAVetoCountsForABreakerAllTheSame(t *testing.T) {
	shared := new(retry.Shared)
	h := compiled(t, retry.Definition{
		Settings: settings(retry.Classifier, retry.CircuitBreaker),
		Hooks:    retry.Hooks{OnlyIf: predicates(saysNo)},
		Shared:   shared,
	})
	require.Same(t, errBoom, run(t.Context(), h, scripted(errBoom).run))
	require.Equal(t, retry.BreakerOpen, shared.Breakers()[0].State())
}

func TestWaitsAreTheLargestOfStrategyHintAndErrorWithinMaxDelay(t *testing.T) {
	for _, c := range []struct {
		name                          string
		base, hint, retryAfter, delay time.Duration
		want                          time.Duration
	}{
		{"the strategy's", 3 * time.Second, 2 * time.Second, time.Second, time.Minute, 3 * time.Second},
		{"the hint", 1 * time.Second, 3 * time.Second, 2 * time.Second, time.Minute, 3 * time.Second},
		{"the error's", 1 * time.Second, 2 * time.Second, 3 * time.Second, time.Minute, 3 * time.Second},
		{"none of them", 0, 0, 0, time.Minute, 0},
		{"in the past", 0, -5 * time.Second, -5 * time.Second, time.Minute, 0},
		{"in the past beside a base", time.Second, -5 * time.Second, -5 * time.Second, time.Minute, time.Second},
		{"a hint beyond MaxDelay", 0, time.Hour, 0, time.Minute, time.Minute},
		{"an error beyond MaxDelay", 0, 0, time.Hour, time.Minute, time.Minute},
		{"a base beyond MaxDelay", 2 * time.Minute, 0, 0, time.Minute, time.Minute},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				set := settings(retry.Classifier, retry.MaxAttempts, retry.Sleep)
				set.Base, set.MaxDelay = c.base, c.delay
				h := compiled(t, retry.Definition{Settings: set, Hooks: retry.Hooks{
					WaitHint: func(s *retry.Session) time.Duration {
						require.Equal(t, busy{c.retryAfter}, s.Failure())
						return c.hint
					},
				}})
				start := time.Now()
				require.NoError(t, run(t.Context(), h, scripted(busy{c.retryAfter}, nil).run))
				require.Equal(t, c.want, time.Since(start))
			})
		})
	}
}

// busy asks for a wait.
type busy struct{ after time.Duration }

func (busy) Error() string               { return "busy" }
func (b busy) RetryAfter() time.Duration { return b.after }

func TestBeforeRetryRunsBeforeEachRetryAfterTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		log := new(journal)
		set := settings(retry.Classifier, retry.MaxAttempts, retry.Sleep)
		set.Base = time.Second
		h := compiled(t, retry.Definition{Settings: set, Listener: log, Hooks: retry.Hooks{
			BeforeRetry: func(s *retry.Session) error {
				log.add("before retry, after attempt %d, at %v", s.Attempt(), time.Since(start))
				return nil
			},
		}})
		require.Same(t, errBoom, run(t.Context(), h, scripted(errBoom).run))
		require.Equal(t, []string{
			"attempt 1 failed: boom", "retry 2 scheduled in 1s: boom", "before retry, after attempt 1, at 1s",
			"attempt 2 failed: boom", "retry 3 scheduled in 1s: boom", "before retry, after attempt 2, at 2s",
			"attempt 3 failed: boom", "exhausted by maxAttempts after 3: boom",
		}, log.all(), "twice for three attempts")
	})
}

func TestAnErrorOfBeforeRetryExhaustsTheSession(t *testing.T) {
	set := settings(retry.Classifier, retry.MaxAttempts)
	set.WrapExhausted = true
	h := compiled(t, retry.Definition{Settings: set, Hooks: retry.Hooks{
		BeforeRetry: func(*retry.Session) error { return errOther },
	}})
	op := scripted(errBoom)
	err := run(t.Context(), h, op.run)
	exhaustedBy(t, err, "beforeRetry", 1)
	require.ErrorIs(t, err, errBoom)
	require.ErrorContains(t, err, "beforeRetry (other)", "and what it said")
	require.Equal(t, 1, op.calls)
}

func TestEndHooksAllRunAlsoAfterOneHasPanicked(t *testing.T) {
	log := new(journal)
	gate := func(name string) retry.Policy {
		return gateFuncs{
			enter: func(context.Context) (uint64, error) { return 0, nil },
			leave: func(uint64, *retry.Session) { log.add("leave %s", name); panic("leave " + name) },
		}
	}
	end := func(name string) retry.Policy {
		return enderFunc(func(*retry.Session) { log.add("end %s", name); panic("end " + name) })
	}
	for name, op := range map[string]func(context.Context) error{
		"a success": func(context.Context) error { return nil },
		"a failure": func(context.Context) error { return errBoom },
		"a panic":   func(context.Context) error { panic("attempt") },
	} {
		t.Run(name, func(t *testing.T) {
			log.lines = nil
			require.Panics(t, func() {
				_ = retry.With(gate("a"), gate("b"), end("a"), end("b")).Max(2).Run(t.Context(), op)
			})
			require.Equal(t, []string{"end a", "end b", "leave b", "leave a"}, log.all())
		})
	}
}

func TestAPanicOfAnyHookRunsTheEndHooksAndGivesBackWhatWasTaken(t *testing.T) {
	for _, where := range []string{"start", "judge", "onlyIf", "limit", "wait", "hint", "take", "listener", "beforeRetry"} {
		t.Run(where, func(t *testing.T) {
			fail := func(here string) {
				if here == where {
					panic(here)
				}
			}
			log := new(journal)
			set := settings(retry.MaxAttempts)
			custom := map[retry.PolicyFactory]retry.Policy{}
			for _, p := range []retry.Policy{
				gateFuncs{enter: func(context.Context) (uint64, error) { return 0, nil },
					leave: func(uint64, *retry.Session) { log.add("left") }},
				starterFunc(func(*retry.Session) { fail("start") }),
				judgeFunc(func(*retry.Session) retry.Verdict { fail("judge"); return retry.Again }),
				limitFunc(func(*retry.Session) error { fail("limit"); return nil }),
				waitFunc(func(*retry.Session) time.Duration { fail("wait"); return 0 }),
				takerFuncs{take: func(*retry.Session) error { log.add("taken"); return nil },
					giveBack: func(*retry.Session) error { log.add("given back"); return nil }},
				takerFuncs{take: func(*retry.Session) error { fail("take"); log.add("taken"); return nil },
					giveBack: func(*retry.Session) error { log.add("given back"); return nil }},
				enderFunc(func(*retry.Session) { log.add("ended") }),
			} {
				f := retry.PolicyFrom(p.Kind(), func() retry.Policy { return p })
				set.Policies = append(set.Policies, f)
				custom[f] = p
			}
			h := compiled(t, retry.Definition{Settings: set, Custom: custom, Hooks: retry.Hooks{
				OnlyIf:      predicates(func(*retry.Session) bool { fail("onlyIf"); return true }),
				WaitHint:    func(*retry.Session) time.Duration { fail("hint"); return 0 },
				BeforeRetry: func(*retry.Session) error { fail("beforeRetry"); return nil },
			}, Listener: retry.ListenerFunc(func(_ context.Context, e retry.Event) {
				if _, ok := e.(retry.RetryScheduled); ok {
					fail("listener")
				}
			})})
			require.PanicsWithValue(t, where, func() { _ = run(t.Context(), h, scripted(errBoom).run) })
			lines := log.all()
			require.Equal(t, 1, count(lines, "ended"))
			require.Equal(t, 1, count(lines, "left"))
			require.Equal(t, count(lines, "taken"), count(lines, "given back"))
		})
	}
}
