package retry_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// panicsOn is a listener that panics at events of the type of e.
func panicsOn(e retry.Event) retry.Listener {
	return retry.ListenerFunc(func(_ context.Context, told retry.Event) {
		if reflect.TypeOf(told) == reflect.TypeOf(e) {
			panic("listener")
		}
	})
}

// A listener that panics at any event leaves nobody without the session's one end: neither who listens beside it nor the report.
func TestASessionEndsOnceThoughAListenerPanics(t *testing.T) {
	spent := retry.NewBudget(retry.BudgetSettings{TTL: time.Second})
	rejects := gateFuncs{enter: func(context.Context) (uint64, error) { return 0, errOther }}
	good := func(context.Context, error) error { return nil }
	for _, c := range []struct {
		at    retry.Event
		chain retry.ErrorChain
		err   error
		want  retry.Ending
	}{
		{retry.Succeeded{}, three(), nil, retry.EndSucceeded},
		{retry.AttemptFailed{}, three(), errBoom, retry.EndAborted},
		{retry.AttemptFailed{}, three(), retry.Permanent(errBoom), retry.EndAborted},
		{retry.RetryScheduled{}, three(), errBoom, retry.EndAborted},
		{retry.Failed{}, three(), retry.Permanent(errBoom), retry.EndFailed},
		{retry.Exhausted{}, three(), errBoom, retry.EndExhausted},
		{retry.BudgetRefused{}, three().With(spent), errBoom, retry.EndAborted},
		{retry.Rejected{}, three().With(rejects), nil, retry.EndRejected},
		{retry.FallbackSucceeded{}, three().Fallback(good), errBoom, retry.EndExhausted},
	} {
		t.Run(fmt.Sprintf("%T %v", c.at, c.err), func(t *testing.T) {
			before, after := new(told), new(told)
			ctx, report := retry.WithReport(t.Context())
			require.PanicsWithValue(t, "listener", func() {
				_ = c.chain.Listen(before).Listen(panicsOn(c.at)).Listen(after).Run(ctx, scripted(c.err).run)
			})
			require.Equal(t, c.want, report.Ended)
			for _, log := range []*told{before, after} {
				var got []retry.Ending
				for _, e := range log.all {
					if how, ends := endingOf(e); ends {
						got = append(got, how)
					}
				}
				require.Equal(t, []retry.Ending{c.want}, got)
			}
		})
	}
}

// endingOf is how an event says that its session has ended.
func endingOf(e retry.Event) (how retry.Ending, ends bool) {
	switch e := e.(type) {
	case retry.Succeeded:
		how = retry.EndSucceeded
	case retry.Failed:
		how = retry.EndFailed
		if e.Canceled {
			how = retry.EndCanceled
		}
	case retry.Exhausted:
		how = retry.EndExhausted
	case retry.Rejected:
		how = retry.EndRejected
	case retry.Aborted:
		how = retry.EndAborted
	}
	return how, how != ""
}

func TestABreakerCountsASessionThatABudgetEndsThoughAListenerPanics(t *testing.T) {
	breaker := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Hour})
	spent := retry.NewBudget(retry.BudgetSettings{TTL: time.Second})
	require.PanicsWithValue(t, "listener", func() {
		_ = three().With(breaker, spent).Listen(panicsOn(retry.BudgetRefused{})).Run(t.Context(), scripted(errBoom).run)
	})
	require.Equal(t, retry.BreakerOpen, retry.BreakerOf(breaker).State())
}
