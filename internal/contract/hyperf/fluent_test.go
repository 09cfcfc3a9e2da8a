package hyperf_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// hyperf:7.1, testFallback c and d: fallbacks that are named. All returns are 0.
func TestAncestorsNamedFallbacks(t *testing.T) {
	zeroIsNone := annotation.RetryIfResult(func(r any) bool { return r == 0 })
	for _, c := range []struct {
		name  string
		opts  []annotation.Option
		want  any
		calls int
		built int // of Foo
	}{
		{"a method of a service", []annotation.Option{zeroIsNone, annotation.Fallback("Foo@Fallback")}, 10, 2, 1},
		{"the same, that the compiler checks", []annotation.Option{zeroIsNone, annotation.Fallback((*Foo).Fallback)}, 10, 2, 1},
		{"a func", []annotation.Option{zeroIsNone, annotation.Fallback(staticCall)}, 10, 2, 0},
		// The ancestor repeats a result that nobody has classified, and then runs the fallback in spite of it.
		{"for nothing", []annotation.Option{annotation.Fallback("Foo@Fallback")}, 0, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			foos := 0
			worker := &Worker{played{plays: []any{0}}}
			di := container.New()
			di.Provide(func() *Worker { return worker }, container.As[Work](),
				container.Annotate[aliases.Retry](Work.Process, append(c.opts, annotation.MaxAttempts(2))...))
			di.Provide(func() *Foo { foos++; return &Foo{} })
			work := built[Work](t, di)
			// The ancestor asks its container when the fallback runs; ours has it from the start, and once.
			for range 3 {
				worker.calls = 0
				requireOutcome(t, c.want, work)
				require.Equal(t, c.calls, worker.calls)
				require.Equal(t, c.built, foos)
			}
		})
	}
	t.Run("in a chain", func(t *testing.T) {
		// The ancestor's chain takes no name, but for a policy made by hand. In ours the service is asked for like any other.
		di := container.New()
		di.Provide(func() *Foo { return &Foo{} })
		foo := built[*Foo](t, di)
		v, err := retry.WhenReturns[any](0).Max(2).Fallback(func(context.Context, error) (any, error) { return foo.Fallback() }).
			Call(t.Context(), func(context.Context) (any, error) { return 0, nil })
		require.NoError(t, err)
		require.Equal(t, 10, v)
	})
	t.Run("a class that does not exist", func(t *testing.T) {
		// The ancestor finds out when the fallback is needed, and loses the error that it was needed for.
		di := container.New()
		di.Provide(func() *Worker { return &Worker{} }, container.As[Work](),
			container.Annotate[aliases.Retry](Work.Process, annotation.Fallback("Fo@Fallback")))
		require.ErrorContains(t, di.Verify(), "there is no service of class Fo")
	})
	t.Run("a method that does not exist", func(t *testing.T) {
		// The ancestor goes on without a fallback, and says nothing.
		di := container.New()
		di.Provide(func() *Worker { return &Worker{} }, container.As[Work](),
			container.Annotate[aliases.Retry](Work.Process, annotation.Fallback("Foo@Falback")))
		di.Provide(func() *Foo { return &Foo{} })
		require.ErrorContains(t, di.Verify(), "did you mean Fallback?")
	})
}
