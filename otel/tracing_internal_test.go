package backstayotel

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/backstay/backstay/retry"
)

// However a session ends, nobody looks for its span from then on: else all other calls would pay for it for ever.
func TestNoSpanIsLookedForWhenAllSessionsHaveEnded(t *testing.T) {
	in := &Instrumentation{tracing: newTracing(trace.NewTracerProvider())}
	for _, f := range []func(context.Context) error{
		func(context.Context) error { return nil },
		func(context.Context) error { return errors.New("down") },
		func(context.Context) error { panic("broken") },
	} {
		func() {
			defer func() { _ = recover() }()
			_ = Run(context.Background(), in, retry.With(retry.NewMaxAttempts(1)), func(ctx context.Context) error {
				require.EqualValues(t, 1, in.tracing.live.Load())
				return f(ctx)
			})
		}()
		require.Zero(t, in.tracing.live.Load())
	}
}

func TestTheTextOfAnErrorIsToldWhereItIsAskedFor(t *testing.T) {
	kept := tracetest.NewSpanRecorder()
	in := &Instrumentation{tracing: newTracing(trace.NewTracerProvider(trace.WithSpanProcessor(kept)))}
	in.tracing.errorText = error.Error
	_ = Run(context.Background(), in, retry.With(retry.NewMaxAttempts(1)), func(context.Context) error { return errors.New("down") })
	require.Len(t, kept.Ended(), 2)
	for _, s := range kept.Ended() {
		require.Equal(t, "down", s.Status().Description)
	}
}
