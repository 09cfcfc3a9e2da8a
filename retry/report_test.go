package retry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

func TestAReportIsTheAccountOfOneCall(t *testing.T) {
	retryOne := retry.WhenReturns(1).WhenThrows(retry.Is(errBoom)).Max(3).Sleep(time.Second).Named("rates")
	ref := retry.MethodRef{Name: "rates"}
	for _, c := range []struct {
		name  string
		chain retry.Chain[int]
		errs  []error
		want  retry.Report
	}{
		{"succeeded at once", retry.For[int]().Max(3).Named("rates"), nil,
			retry.Report{Attempts: 1, Ended: retry.EndSucceeded}},
		{"succeeded after retries for a result and an error", retryOne, []error{nil, errBoom},
			retry.Report{Attempts: 3, Ended: retry.EndSucceeded, Waits: []time.Duration{time.Second, time.Second}, Errors: []error{nil, errBoom}}},
		{"failed", retryOne, []error{errBoom, errOther},
			retry.Report{Attempts: 2, Ended: retry.EndFailed, Waits: []time.Duration{time.Second}, Errors: []error{errBoom, errOther}}},
		{"exhausted", retryOne, []error{errBoom, errBoom, errBoom},
			retry.Report{Attempts: 3, Ended: retry.EndExhausted, Limit: "maxAttempts", Waits: []time.Duration{time.Second, time.Second}, Errors: []error{errBoom, errBoom, errBoom}}},
		{"exhausted with a fallback", retryOne.Max(1).Fallback(func(context.Context, error) (int, error) { return 0, nil }), []error{errBoom},
			retry.Report{Attempts: 1, Ended: retry.EndExhausted, Limit: "maxAttempts", Errors: []error{errBoom}, Fallback: true}},
		{"rejected", retryOne.With(closedGate), nil,
			retry.Report{Ended: retry.EndRejected}},
		{"rejected with a fallback", retryOne.With(closedGate).Fallback(func(context.Context, error) (int, error) { return 0, nil }), nil,
			retry.Report{Ended: retry.EndRejected, Fallback: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, report := retry.WithReport(t.Context())
				_, _ = c.chain.Call(ctx, (&counting{errs: c.errs}).run)
				c.want.Ref = ref
				require.Equal(t, &c.want, report)
			})
		})
	}
}

func TestAReportHoldsForTheFirstSessionUnderItsContext(t *testing.T) {
	ctx, report := retry.WithReport(t.Context())
	require.NoError(t, three().Named("first").Run(ctx, scripted(errBoom, nil).run))
	require.NoError(t, three().Named("second").Run(ctx, scripted(nil).run))
	require.NoError(t, three().Named("third").Run(retry.WithKey(ctx, "k"), scripted(nil).run))
	require.Equal(t, "first", report.Ref.Name)
	require.Equal(t, 2, report.Attempts)
	require.Empty(t, report.Children, "sessions beside it are not told of")
}

func TestNestedSessionsAreChildrenOfAReport(t *testing.T) {
	ctx, report := retry.WithReport(t.Context())
	_ = three().Named("outer").Run(ctx, func(ctx context.Context) error {
		_ = three().Named("a").Run(ctx, func(ctx context.Context) error {
			return three().Named("a1").Run(ctx, scripted(errBoom, nil).run)
		})
		_ = retry.With(closedGate).Named("b").Run(retry.WithKey(ctx, "k"), scripted(nil).run)
		return nil
	})
	require.Equal(t, "outer", report.Ref.Name)
	require.Len(t, report.Children, 2)
	a, b := report.Children[0], report.Children[1]
	require.Equal(t, "a", a.Ref.Name)
	require.Equal(t, "a1", a.Children[0].Ref.Name)
	require.Equal(t, []error{errBoom}, a.Children[0].Errors)
	require.Equal(t, "b", b.Ref.Name)
	require.Equal(t, retry.EndRejected, b.Ended)
}

func TestASessionWithAReportOfItsOwnIsAChildOfTheOuterOneToo(t *testing.T) {
	ctx, report := retry.WithReport(t.Context())
	var own *retry.Report
	_ = three().Run(ctx, func(ctx context.Context) error {
		ctx, own = retry.WithReport(ctx)
		_ = three().Named("inner").Run(ctx, scripted(errBoom, nil).run)
		_ = three().Named("beside").Run(ctx, scripted(nil).run)
		return nil
	})
	require.Equal(t, "inner", own.Ref.Name)
	require.Len(t, report.Children, 2)
	require.Same(t, own, report.Children[0])
	require.Equal(t, "beside", report.Children[1].Ref.Name)
}

func TestSessionsOfAFallbackAreNoChildren(t *testing.T) {
	ctx, report := retry.WithReport(t.Context())
	_ = three().Max(1).Fallback(func(ctx context.Context, _ error) error {
		return three().Run(ctx, scripted(nil).run)
	}).Run(ctx, scripted(errBoom).run)
	require.True(t, report.Fallback)
	require.Empty(t, report.Children)
}

func TestWithoutAReportInnerSessionsFillNone(t *testing.T) {
	_ = three().Run(t.Context(), func(ctx context.Context) error {
		ctx, report := retry.WithReport(ctx)
		require.NoError(t, three().Run(ctx, scripted(nil).run))
		require.Equal(t, retry.EndSucceeded, report.Ended)
		return nil
	})
}

func TestASessionThatAPanicEndedIsAborted(t *testing.T) {
	ctx, report := retry.WithReport(t.Context())
	calls := 0
	require.Panics(t, func() {
		_ = three().Run(ctx, func(context.Context) error {
			if calls++; calls == 2 {
				panic("lost")
			}
			return errBoom
		})
	})
	require.Equal(t, retry.EndAborted, report.Ended)
	require.Equal(t, 2, report.Attempts)
	require.Equal(t, []error{errBoom}, report.Errors)
	require.Len(t, report.Waits, 1)
}

func TestACanceledSessionIsReportedSo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ctx, report := retry.WithReport(ctx)
	_ = three().Run(ctx, func(context.Context) error { cancel(); return errBoom })
	require.Equal(t, retry.EndCanceled, report.Ended)
	require.Equal(t, 1, report.Attempts)
	require.Equal(t, []error{errBoom}, report.Errors)
	require.Empty(t, report.Limit)
}
