package aspect_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

//go:generate go tool backstay -type Tap

// Tap has a generated proxy.
type Tap interface {
	Pour(ctx context.Context, glass string, ml int) (string, error)
	Shut(ctx context.Context) error
}

// UngeneratedTap is a Tap that has none.
type UngeneratedTap interface{ Tap }

// beer is a Tap that fails so many times, then flows.
type beer struct{ fail, calls int }

func (b *beer) Pour(_ context.Context, glass string, _ int) (string, error) {
	if b.calls++; b.calls <= b.fail {
		return "", errDown
	}
	return glass, nil
}

func (*beer) Shut(context.Context) error { return nil }

// TestAllocationsOfCalls has a ceiling for each way through a proxy. Those of proxies made at run time contain what reflect
// itself allocates for a call: the arguments, the results, and the frame of either.
func TestAllocationsOfCalls(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var event retry.Event
	var (
		byDefault = aspect.Annotate[Default](Tap.Pour)
		unwaiting = aspect.Annotate[Default](Tap.Pour, annotation.Policies(retry.Classifier, retry.MaxAttempts))
		broken    = aspect.Annotate[Default](Tap.Pour, annotation.AddPolicies(retry.CircuitBreaker))
		around    = aspect.WithAspect(aspect.Method("Pour"), aspect.RetryPriority+1, aspect.Func(proceed))
		within    = aspect.WithAspect(aspect.Method("Pour"), aspect.RetryPriority-1, aspect.Func(proceed))
		listens   = aspect.WithListener(retry.ListenerFunc(func(_ context.Context, e retry.Event) { event = e }))
	)
	for _, c := range []struct {
		name               string
		fail               int
		annotation         aspect.WrapOption
		generated, runTime float64
		weaver             []aspect.WeaverOption
	}{
		{"default Retry", 0, byDefault, 1, 9, nil},
		{"with a breaker", 0, broken, 1, 9, nil},
		{"with an aspect around it", 0, byDefault, 1, 9, []aspect.WeaverOption{around}},
		{"with an aspect in each attempt", 0, byDefault, 1, 9, []aspect.WeaverOption{within}},
		{"two failures, then success", 2, unwaiting, 1, 17, nil},
		{"ten failures", always, unwaiting, 1, 46, nil},
		{"with a listener: an event", 0, byDefault, 2, 10, []aspect.WeaverOption{listens}},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := &beer{fail: c.fail}
			pour := func(tap Tap) func() {
				return func() {
					target.calls = 0
					_, _ = tap.Pour(ctx, "pint", 568)
				}
			}
			generated := wrapped[Tap](t, aspect.NewWeaver(c.weaver...), target, c.annotation)
			require.Equal(t, aspect.Generated, aspect.KindOf(generated))
			pour(generated)()
			require.Equal(t, min(c.fail+1, 10), target.calls)
			require.LessOrEqual(t, testing.AllocsPerRun(200, pour(generated)), c.generated, "generated")

			runTime := wrapped[UngeneratedTap](t, aspect.NewWeaver(c.weaver...), target, c.annotation)
			require.Equal(t, aspect.RunTime, aspect.KindOf(runTime))
			pour(runTime)()
			require.Equal(t, min(c.fail+1, 10), target.calls)
			require.LessOrEqual(t, testing.AllocsPerRun(200, pour(runTime)), c.runTime, "run-time")
		})
	}
	require.IsType(t, retry.Succeeded{}, event)
}

func TestMethodsStraightThroughAllocateNothing(t *testing.T) {
	for _, tap := range []Tap{
		wrapped[Tap](t, aspect.NewWeaver(), &beer{}, aspect.Annotate[Default](Tap.Pour)),
		wrapped[UngeneratedTap](t, aspect.NewWeaver(), &beer{}, aspect.Annotate[Default](Tap.Pour)),
	} {
		require.True(t, aspect.IsWoven(tap))
		require.Zero(t, testing.AllocsPerRun(200, func() { _ = tap.Shut(t.Context()) }), aspect.KindOf(tap))
	}
}

func TestAllocationsOfAWovenFunc(t *testing.T) {
	f := wrapped(t, aspect.NewWeaver(), (&beer{}).Pour, aspect.Annotate[Default]("Call"))
	require.Equal(t, aspect.RunTime, aspect.KindOf(f))
	require.LessOrEqual(t, testing.AllocsPerRun(200, func() { _, _ = f(t.Context(), "pint", 568) }), 8.0)
}
