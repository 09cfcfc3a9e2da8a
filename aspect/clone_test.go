package aspect_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

func TestAClonesArgumentsAndResultsAreItsOwn(t *testing.T) {
	s := &Stripe{}
	g := around(t, s, func(jp aspect.JoinPoint) error {
		err := jp.Proceed()
		c := jp.Clone()
		require.Equal(t, "paid 7", aspect.Result[string](c, 0), "it begins with what there is")
		aspect.SetArg(c, 1, "8")
		require.NoError(t, c.Proceed())
		require.Equal(t, "paid 8", aspect.Result[string](c, 0))
		aspect.SetResult(c, 0, "lost")
		require.Equal(t, "7", aspect.Arg[string](jp, 1))
		require.Equal(t, "paid 7", aspect.Result[string](jp, 0))
		require.Equal(t, jp.Ref(), c.Ref())
		return err
	})
	receipt, err := g.Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, "paid 7", receipt)
	require.Equal(t, 2, s.calls)
}

// hedge runs n clones at once, each with an order of its own, and takes the results of the one that is asked for.
func hedge(n int, take string) aspect.Func {
	return func(jp aspect.JoinPoint) error {
		clones := make([]aspect.JoinPoint, n)
		errs := make([]error, n)
		var wg sync.WaitGroup
		for i := range clones {
			wg.Go(func() {
				clones[i] = jp.Clone()
				aspect.SetArg(clones[i], 1, fmt.Sprint(aspect.Arg[string](jp, 1), "-", i))
				errs[i] = clones[i].Proceed()
			})
		}
		wg.Wait()
		for i, c := range clones {
			if receipt := aspect.Result[string](c, 0); receipt == take {
				aspect.SetResult(jp, 0, receipt)
				return errs[i]
			}
		}
		return errFull
	}
}

// busy is a Gateway that many goroutines call.
type busy struct {
	Stripe
	charges atomic.Int32
	fail    func(order string, a retry.Attempt) bool
}

func (b *busy) Charge(ctx context.Context, order string, _ int) (string, error) {
	b.charges.Add(1)
	if a, _ := retry.FromContext(ctx); b.fail != nil && b.fail(order, a) {
		return "", errDown
	}
	return "paid " + order, nil
}

func TestClonesProceedInSeveralGoroutinesAtOnce(t *testing.T) {
	const clones, callers = 4, 4
	inner := aspect.Func(func(jp aspect.JoinPoint) error {
		aspect.SetArg(jp, 1, aspect.Arg[string](jp, 1)+"!")
		return jp.Proceed()
	})
	for _, c := range []struct {
		name     string
		priority int
		fail     func(string, retry.Attempt) bool
		charges  int32
	}{
		{"outside the retry, each with a session of its own", aspect.RetryPriority + 1,
			func(_ string, a retry.Attempt) bool { return a.Number < 3 }, 3 * clones * callers},
		{"inside the retry, all in one session", aspect.RetryPriority - 1,
			func(_ string, a retry.Attempt) bool { return a.Number < 2 }, 2 * clones * callers},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := aspect.NewWeaver(
				aspect.WithAspect(aspect.Method("Charge"), c.priority, hedge(clones, "paid 7-2!")),
				aspect.WithAspect(aspect.Method("Charge"), 0, inner))
			b := &busy{fail: c.fail}
			g := wrapped[Gateway](t, w, b, aspect.Annotate[Quick](Gateway.Charge, annotation.MaxAttempts(3)))
			var wg sync.WaitGroup
			for range callers {
				wg.Go(func() {
					receipt, err := g.Charge(context.Background(), "7", 5)
					if err != nil || receipt != "paid 7-2!" {
						t.Errorf("got %q, %v", receipt, err)
					}
				})
			}
			wg.Wait()
			require.Equal(t, c.charges, b.charges.Load())
		})
	}
}

func TestACloneOutlivesItsCall(t *testing.T) {
	release, done := make(chan struct{}), make(chan string)
	s := &Stripe{charge: func(ctx context.Context, order string, _ int) (string, error) {
		if order == "slow" {
			<-release
		}
		return "paid " + order, nil
	}}
	g := around(t, &slowOnce{Stripe: s}, func(jp aspect.JoinPoint) error {
		c := jp.Clone()
		aspect.SetArg(c, 1, "slow")
		go func() {
			_ = c.Proceed()
			done <- aspect.Result[string](c, 0)
		}()
		return jp.Proceed()
	})
	receipt, err := g.Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, "paid 7", receipt)
	close(release)
	require.Equal(t, "paid slow", <-done)
}

// slowOnce is a Stripe that does not count its calls, so that several goroutines may call it.
type slowOnce struct{ *Stripe }

func (s *slowOnce) Charge(ctx context.Context, order string, cents int) (string, error) {
	return s.charge(ctx, order, cents)
}
