package retry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// bodies is an operation whose every attempt leaves a result, and a Discard that writes down what it is given.
type bodies struct {
	frame
	errs      []error
	attempts  int
	discarded []any
}

func (b *bodies) run(context.Context) error {
	b.attempts++
	b.results = []any{b.attempts}
	return b.errs[min(b.attempts, len(b.errs))-1]
}

func (b *bodies) discard(s *retry.Session) { b.discarded = append(b.discarded, s.Result(0)) }

func (b *bodies) session(ctx context.Context, h *retry.HybridPolicy) error {
	return h.Run(ctx, new(retry.Session), b, b.run)
}

func TestResultsThatAreThrownAwayAreHandedToDiscard(t *testing.T) {
	fallback := func(context.Context, *retry.Session, error) error { return nil }
	for _, c := range []struct {
		name      string
		errs      []error
		fallback  func(context.Context, *retry.Session, error) error
		discarded []any
	}{
		{"a success keeps its own", []error{nil}, nil, nil},
		{"each retry throws away what came before", []error{errBoom, errBoom, nil}, nil, []any{1, 2}},
		{"the last attempt's are the caller's", []error{errBoom}, nil, []any{1, 2}},
		{"but for a fallback, which replaces them", []error{errBoom}, fallback, []any{1, 2, 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &bodies{errs: c.errs}
			h := compiled(t, retry.Definition{
				Settings: settings(retry.Fallback, retry.Classifier, retry.MaxAttempts),
				Hooks:    retry.Hooks{Discard: b.discard, Fallback: c.fallback},
			})
			_ = b.session(t.Context(), h)
			require.Equal(t, c.discarded, b.discarded)
		})
	}
}

func TestNothingIsDiscardedForARetryThatDoesNotStart(t *testing.T) {
	b := &bodies{errs: []error{errBoom}}
	h := compiled(t, retry.Definition{
		Settings: settings(retry.Classifier, retry.MaxAttempts),
		Hooks:    retry.Hooks{Discard: b.discard, BeforeRetry: func(*retry.Session) error { return errOther }},
	})
	require.Same(t, errBoom, b.session(t.Context(), h))
	require.Empty(t, b.discarded)
	require.Equal(t, []any{1}, b.results)

	ctx, cancel := context.WithCancel(t.Context())
	b = &bodies{errs: []error{errBoom}}
	h = compiled(t, retry.Definition{
		Settings: settings(retry.Classifier, retry.MaxAttempts),
		Hooks:    retry.Hooks{Discard: b.discard, BeforeRetry: func(*retry.Session) error { cancel(); return nil }},
	})
	require.ErrorIs(t, b.session(ctx, h), context.Canceled)
	require.Empty(t, b.discarded)
}

// A response whose body is open does not go beside the context's error, where Discard knows how to close it.
func TestAResultDoesNotGoBesideTheContextsError(t *testing.T) {
	for _, c := range []struct {
		name   string
		ctx    func(context.Context) (context.Context, context.CancelFunc)
		closes bool
		err    error
		want   any
	}{
		{"the context ends", canceledInASecond, true, nil, 0},
		{"the deadline is too near", inASecond, true, nil, 0},
		{"nobody knows how to discard", canceledInASecond, false, nil, 1},
		{"what came with an error is the caller's", canceledInASecond, true, errBoom, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				set := settings(retry.Classifier, retry.MaxAttempts, retry.Sleep)
				set.Base = time.Minute
				b := &bodies{errs: []error{c.err}}
				d := retry.Definition{Settings: set, Hooks: retry.Hooks{RetryIfResult: predicates(saysAgain)}}
				if c.closes {
					d.Hooks.Discard = b.discard
				}
				ctx, cancel := c.ctx(t.Context())
				defer cancel()
				require.Error(t, b.session(ctx, compiled(t, d)))
				require.Equal(t, c.want, b.results[0])
				if c.want == 0 {
					require.Equal(t, []any{1}, b.discarded)
				} else {
					require.Empty(t, b.discarded)
				}
			})
		})
	}
}

func TestAnAttemptThatPanickedHasNothingToDiscard(t *testing.T) {
	set := settings(retry.Classifier, retry.MaxAttempts)
	set.RetryPanics = true
	discards := 0
	h := compiled(t, retry.Definition{Settings: set, Hooks: retry.Hooks{Discard: func(*retry.Session) { discards++ }}})
	calls := 0
	require.NoError(t, run(t.Context(), h, func(context.Context) error {
		switch calls++; calls {
		case 1:
			panic("no results")
		case 2:
			return errBoom
		}
		return nil
	}))
	require.Equal(t, 1, discards, "only what the second attempt returned")
}

func TestADiscardThatPanicsGivesBackWhatWasTaken(t *testing.T) {
	taken := 0
	taker := takerFuncs{
		take:     func(*retry.Session) error { taken++; return nil },
		giveBack: func(*retry.Session) error { taken--; return nil },
	}
	factory := retry.PolicyFrom("taker", func() takerFuncs { return taker })
	h := compiled(t, retry.Definition{
		Settings: settings(retry.Classifier, factory),
		Custom:   map[retry.PolicyFactory]retry.Policy{factory: taker},
		Hooks:    retry.Hooks{Discard: func(*retry.Session) { panic("discard") }},
	})
	require.PanicsWithValue(t, "discard", func() { _ = run(t.Context(), h, scripted(errBoom).run) })
	require.Zero(t, taken)
}

func TestTheContextOfAnAttemptEndsWhenItsResultsAreThrownAway(t *testing.T) {
	set := settings(retry.AttemptTimeout, retry.MaxAttempts)
	set.AttemptTimeout = time.Hour
	var contexts []context.Context
	h := compiled(t, retry.Definition{Settings: set, Hooks: retry.Hooks{Discard: func(*retry.Session) {
		require.NoError(t, contexts[len(contexts)-1].Err(), "not before they were discarded")
	}}})
	require.Same(t, errBoom, run(t.Context(), h, func(ctx context.Context) error {
		contexts = append(contexts, ctx)
		return errBoom
	}))
	require.ErrorIs(t, contexts[0].Err(), context.Canceled)
	require.ErrorIs(t, contexts[1].Err(), context.Canceled)
	require.NoError(t, contexts[2].Err(), "the last attempt's results are the caller's")
}
