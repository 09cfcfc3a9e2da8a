package gopeers_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// Ledger is a service with results of two types.
type Ledger interface {
	Balance(ctx context.Context, op operation) (string, error)
	Frozen(ctx context.Context, op operation) (bool, error)
}

// PaperLedger is the Ledger.
type PaperLedger struct{}

func (*PaperLedger) Balance(ctx context.Context, op operation) (string, error) { return "7", op(ctx) }
func (*PaperLedger) Frozen(ctx context.Context, op operation) (bool, error)    { return true, op(ctx) }

// ledger is a woven PaperLedger whose methods have breakers of the given names, each opened by one failure.
func ledger(t *testing.T, balance, frozen string) Ledger {
	t.Helper()
	settings := annotation.Breaker(retry.BreakerSettings{ResetTimeout: reset, Consecutive: 2})
	c := container.New()
	c.Provide(func() *PaperLedger { return &PaperLedger{} }, container.As[Ledger](),
		container.Annotate[Bare](Ledger.Balance, settings, annotation.MaxAttempts(1), annotation.BreakerName(balance)),
		container.Annotate[Bare](Ledger.Frozen, settings, annotation.MaxAttempts(1), annotation.BreakerName(frozen)))
	l, err := container.Get[Ledger](c)
	require.NoError(t, err)
	return l
}

// go:B15
func TestOneBreakerGuardsOperationsOfDifferentResultTypes(t *testing.T) {
	fluent := func() (text func(operation) (string, error), truth func(operation) (bool, error)) {
		shared := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: reset, Consecutive: 2})
		texts, truths := retry.For[string]().With(shared).Max(1), retry.For[bool]().With(shared).Max(1)
		return func(op operation) (string, error) {
				return texts.Call(t.Context(), func(ctx context.Context) (string, error) { return "7", op(ctx) })
			}, func(op operation) (bool, error) {
				return truths.Call(t.Context(), func(ctx context.Context) (bool, error) { return true, op(ctx) })
			}
	}
	annotated := func() (text func(operation) (string, error), truth func(operation) (bool, error)) {
		l := ledger(t, "books", "books")
		return func(op operation) (string, error) { return l.Balance(t.Context(), op) },
			func(op operation) (bool, error) { return l.Frozen(t.Context(), op) }
	}
	for name, forms := range map[string]func() (func(operation) (string, error), func(operation) (bool, error)){"fluent": fluent, "annotated": annotated} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				text, truth := forms()
				v, err := text(scripted(nil).run)
				require.NoError(t, err)
				require.Equal(t, "7", v)
				_, err = text(scripted(errBoom).run)
				require.Equal(t, errBoom, err)
				_, err = truth(scripted(errBoom).run)
				require.Equal(t, errBoom, err)

				v, err = text(scripted(nil).run)
				require.ErrorIs(t, err, retry.ErrCircuitOpen, "two failures, one of each")
				require.Empty(t, v)
				_, err = truth(scripted(nil).run)
				require.ErrorIs(t, err, retry.ErrCircuitOpen)

				time.Sleep(reset)
				b, err := truth(scripted(nil).run)
				require.NoError(t, err)
				require.True(t, b)
				_, err = text(scripted(nil).run)
				require.NoError(t, err, "and one success for both")
			})
		})
	}
}

// go:B13, without its store: breakers are this process's own. What is left of the case: names do not share state, calls are
// not serialised by the breaker that counts them, and all of them are counted.
func TestBreakersOfDifferentNamesShareNothingAndDoNotSerialiseCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := ledger(t, "balances", "freezes")
		slow := func(context.Context) error { time.Sleep(100 * time.Millisecond); return errBoom }
		took := within(func() {
			var wg sync.WaitGroup
			for range 2 {
				wg.Go(func() { _, _ = l.Balance(t.Context(), slow) })
			}
			wg.Wait()
		})
		require.Equal(t, 100*time.Millisecond, took)
		_, err := l.Balance(t.Context(), scripted(nil).run)
		require.ErrorIs(t, err, retry.ErrCircuitOpen, "both are counted")
		_, err = l.Frozen(t.Context(), scripted(nil).run)
		require.NoError(t, err)
	})
}
