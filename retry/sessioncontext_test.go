package retry_test

import (
	"context"
	"testing"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// A hook may be what ends the context, or may take so long that it ends meanwhile.
func TestNoAttemptStartsUnderADoneContextWhateverEndedIt(t *testing.T) {
	for _, where := range []string{"gate", "start", "judge", "onlyIf", "limit", "wait", "take", "scheduled", "beforeRetry"} {
		t.Run(where, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			end := func(here string) {
				if here == where {
					cancel(errCause)
				}
			}
			log := new(journal)
			custom := map[retry.PolicyFactory]retry.Policy{}
			set := settings(retry.MaxAttempts)
			for _, p := range []retry.Policy{
				gateFuncs{enter: func(context.Context) (uint64, error) { end("gate"); return 0, nil },
					leave: func(uint64, *retry.Session) { log.add("left") }},
				starterFunc(func(*retry.Session) { end("start") }),
				judgeFunc(func(*retry.Session) retry.Verdict { end("judge"); return retry.Again }),
				limitFunc(func(*retry.Session) error { end("limit"); return nil }),
				waitFunc(func(*retry.Session) time.Duration { end("wait"); return 0 }),
				takerFuncs{take: func(*retry.Session) error { end("take"); log.add("taken"); return nil },
					giveBack: func(*retry.Session) error { log.add("given back"); return nil }},
				enderFunc(func(*retry.Session) { log.add("ended") }),
			} {
				if where == "gate" && p.Kind() == "starter" || where == "start" && p.Kind() == "gate" {
					continue // each alone may take that long
				}
				f := retry.PolicyFrom(p.Kind(), func() retry.Policy { return p })
				set.Policies = append(set.Policies, f)
				custom[f] = p
			}
			h := compiled(t, retry.Definition{
				Settings: set, Custom: custom,
				Hooks: retry.Hooks{
					OnlyIf:      predicates(func(*retry.Session) bool { end("onlyIf"); return true }),
					BeforeRetry: func(*retry.Session) error { end("beforeRetry"); return nil },
				},
				Listener: retry.ListenerFunc(func(_ context.Context, e retry.Event) {
					if _, ok := e.(retry.RetryScheduled); ok {
						end("scheduled")
					}
				}),
			})
			op := scripted(errBoom)
			err := run(ctx, h, op.run)
			require.ErrorIs(t, err, context.Canceled)
			require.ErrorIs(t, err, errCause)
			if where == "gate" || where == "start" {
				require.Zero(t, op.calls)
			} else {
				require.Equal(t, 1, op.calls)
				require.ErrorIs(t, err, errBoom)
			}
			lines := log.all()
			require.Equal(t, where != "start", count(lines, "left") == 1)
			require.Contains(t, lines, "ended")
			require.Equal(t, count(lines, "taken"), count(lines, "given back"))
		})
	}
}

func count(lines []string, line string) (n int) {
	for _, l := range lines {
		if l == line {
			n++
		}
	}
	return n
}

type contextKey struct{}

func TestEverythingThatASessionCallsSeesTheCallersContext(t *testing.T) {
	log := new(journal)
	see := func(what string, ctx context.Context) { log.add("%s %v", what, ctx.Value(contextKey{})) }
	gate := gateFuncs{
		enter: func(ctx context.Context) (uint64, error) { see("gate", ctx); return 0, nil },
		leave: func(_ uint64, s *retry.Session) { see("leave", s) },
	}
	chain := retry.With(gate,
		judgeFunc(func(s *retry.Session) retry.Verdict { see("judge", s); return retry.Again }),
		limitFunc(func(s *retry.Session) error {
			see("limit", s)
			if s.Attempt() > 1 {
				return errOther
			}
			return nil
		}),
		waitFunc(func(s *retry.Session) time.Duration { see("wait", s); return 0 }),
		enderFunc(func(s *retry.Session) { see("end", s) })).
		Listen(retry.ListenerFunc(func(ctx context.Context, e retry.Event) {
			if _, ok := e.(retry.RetryScheduled); ok {
				see("listener", ctx)
			}
		})).
		Fallback(func(ctx context.Context, _ error) error { see("fallback", ctx); return nil })

	for _, req := range []int{1, 2} {
		log.lines = nil
		err := chain.Run(context.WithValue(t.Context(), contextKey{}, req), func(ctx context.Context) error {
			see("attempt", ctx)
			return errBoom
		})
		require.NoError(t, err)
		var want []string
		for _, what := range []string{"gate", "attempt", "judge", "limit", "wait", "listener", "attempt", "judge", "limit", "end", "leave", "fallback"} {
			want = append(want, what+" "+string(rune('0'+req)))
		}
		require.Equal(t, want, log.all())
	}
}

func TestTheSessionLeavesAllOfItsCallersContextButValueAlone(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	deadline, _ := ctx.Deadline()
	require.NoError(t, retry.WhenThrows().Run(ctx, func(attempt context.Context) error {
		require.Equal(t, ctx.Done(), attempt.Done(), "the very channel, so that children propagate by the fast path")
		d, ok := attempt.Deadline()
		require.True(t, ok)
		require.Equal(t, deadline, d)
		require.NoError(t, attempt.Err())
		s, ok := attempt.(*retry.Session)
		require.True(t, ok, "the session is the attempt's context")
		require.Equal(t, ctx, s.Context)
		cancel()
		require.Equal(t, context.Canceled, attempt.Err())
		return nil
	}))
}

func TestANilContextOfAChainIsTheBackground(t *testing.T) {
	require.NoError(t, retry.WhenThrows().Run(nil, func(ctx context.Context) error { //nolint:staticcheck // on purpose
		require.Nil(t, ctx.Done())
		return ctx.Err()
	}))
}
