package dashboard_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

func TestASuccessAtOnceAllocatesNothing(t *testing.T) {
	ctx := t.Context()
	for _, opts := range [][]dashboard.Option{nil, {dashboard.WithMethods(1)}} {
		board := dashboard.New(opts...)
		for _, ref := range []retry.MethodRef{charge, refund, {Name: "rates"}, {}} {
			e := retry.Event(retry.Succeeded{MethodRef: ref, Attempts: 1, Elapsed: time.Millisecond, Session: 0x8123400})
			require.Zero(t, testing.AllocsPerRun(1000, func() { board.On(ctx, e) }), "%v", ref)
		}
	}
}

// What is not counted costs nothing either.
func TestABudgetsRefusalAllocatesNothing(t *testing.T) {
	ctx, board := t.Context(), dashboard.New()
	e := retry.Event(retry.BudgetRefused{MethodRef: charge, Session: 64})
	require.Zero(t, testing.AllocsPerRun(1000, func() { board.On(ctx, e) }))
}

// A session that fails allocates its timeline; and no more, however often its error comes.
func TestAFailedSessionAllocatesItsTimelineAlone(t *testing.T) {
	ctx, board := t.Context(), dashboard.New()
	all := []retry.Event{attemptFails(1), retries(2), okAfter(2)}
	require.LessOrEqual(t, testing.AllocsPerRun(1000, func() { play(ctx, board, all...) }), 3.)
}
