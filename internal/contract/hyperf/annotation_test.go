package hyperf_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// TimeoutOnly is an annotation of a user's own whose one policy is a timeout.
type TimeoutOnly struct{ annotation.AbstractRetry }

// Defaults are those of the annotation.
func (TimeoutOnly) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Policies(retry.Timeout), annotation.Timeout(time.Millisecond)}
}

// hyperf:7.2
func TestAncestorsAnnotationTable(t *testing.T) {
	type options = []annotation.Option
	for _, c := range []struct {
		name  string
		opts  options
		plays []any
		want  any
		calls int
	}{
		{"testDefault", nil, []any{errRuntime, errException, true}, true, 3},
		{"testMaximumAttempts", options{annotation.MaxAttempts(2)}, []any{errException}, errException, 2},
		{"testIgnoreThrowables", options{annotation.IgnoreErrors(retry.Is(errRuntime))}, []any{errException, errRuntime}, errRuntime, 2},
		{"testBackoff", options{annotation.SleepStrategy(retry.Backoff), annotation.Base(0)}, []any{errRuntime, errException, true}, true, 3},
		{"testBackoff, by name", options{annotation.SleepStrategy("backoff")}, []any{errRuntime, errException, true}, true, 3},
		{"testRetryThrowables", options{annotation.SleepStrategy(retry.Backoff), annotation.RetryErrors(retry.Is(errRuntime))},
			[]any{errRuntime, errInvalid}, errInvalid, 2},
		// The ancestor's list has to be emptied by hand; ours is where there is a predicate.
		{"testRetryOnThrowablePredicate", options{annotation.RetryIfError(func(err error) bool { return err == errOK }), annotation.MaxAttempts(5)},
			[]any{errOK, errInvalid}, errInvalid, 2},
		{"testRetryOnThrowablePredicate, emptied", options{
			annotation.RetryIfError(func(err error) bool { return err == errOK }), annotation.RetryErrors(retry.NoError), annotation.MaxAttempts(5),
		}, []any{errOK, errInvalid}, errInvalid, 2},
		{"testRetryOnResultPredicate", options{
			annotation.RetryIfResult(func(r any) bool { return r.(int) <= 0 }), annotation.RetryErrors(retry.NoError), annotation.MaxAttempts(5),
		}, []any{-1, 0, 1}, 1, 3},
		{"testFallback", options{annotation.MaxAttempts(1), annotation.Fallback(func() (any, error) { return 1, nil })}, []any{errException}, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				worker := &Worker{played{plays: c.plays}}
				work, _ := woven(t, worker, container.Annotate[aliases.Retry](Work.Process, c.opts...))
				requireOutcome(t, c.want, work)
				require.Equal(t, c.calls, worker.calls)
			})
		})
	}
	t.Run("testTimeout", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			worker := &Worker{played{plays: []any{errOK}, then: func(int) { time.Sleep(300 * time.Microsecond) }}}
			work, _ := woven(t, worker, container.Annotate[TimeoutOnly](Work.Process))
			requireOutcome(t, errOK, work)
			require.Equal(t, 4, worker.calls, "the ancestor's wants three at least, in real time")
		})
	})
	t.Run("testPipeline", func(t *testing.T) {
		// The ancestor's aspect has to restore the pipe before each attempt; ours proceeds again.
		worker := &Worker{played{plays: []any{errException, "pass"}}}
		c := container.New()
		c.Provide(func() *Worker { return worker }, container.As[Work](),
			container.Annotate[aliases.Retry](Work.Process, annotation.MaxAttempts(2), annotation.Fallback("Foo@Fallback")))
		c.Provide(func() *Foo { return &Foo{} })
		passes := 0
		c.Supply(aspect.Func(func(jp aspect.JoinPoint) error {
			passes++
			err := jp.Proceed()
			if err == nil {
				aspect.SetResult(jp, 0, aspect.Result[string](jp, 0)+"_aspect")
			}
			return err
		}), container.AsAspect(aspect.Class("Worker"), aspect.RetryPriority-1))
		requireOutcome(t, "pass_aspect", built[Work](t, c))
		require.Equal(t, 2, passes)
	})
}

// requireOutcome calls Process and wants an error, the very value, or a result.
func requireOutcome(t *testing.T, want any, work Work) {
	t.Helper()
	got, err := work.Process(t.Context(), "s")
	if wanted, ok := want.(error); ok {
		require.Same(t, wanted, err)
		return
	}
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// Shop's annotations are written beside its fields, as the ancestor's are beside its methods.
type Shop struct {
	_ annotation.On[aliases.Retry] `method:"Process" maxAttempts:"3" ignoreErrors:"invalid" fallback:"Foo@FallbackWithThrowable"`

	played
}

func (s *Shop) Process(_ context.Context, _ string) (any, error) { return s.process() }

// hyperf:7.2
func TestAnnotationsAreWrittenAsTags(t *testing.T) {
	for _, x := range []struct {
		name  string
		plays []any
		want  any
		calls int
	}{
		{"success", []any{errRuntime, errException, true}, true, 3},
		{"ignored", []any{errException, errInvalid}, errInvalid, 2},
		{"exhausted", []any{errOK}, "s:ok", 3},
	} {
		t.Run(x.name, func(t *testing.T) {
			shop := &Shop{played: played{plays: x.plays}}
			c := container.New()
			c.Provide(func() *Shop { return shop }, container.As[Work]())
			c.Provide(func() *Foo { return &Foo{} })
			c.Supply(retry.Is(errInvalid), container.Name("invalid"))
			requireOutcome(t, x.want, built[Work](t, c))
			require.Equal(t, x.calls, shop.calls)
		})
	}
}
