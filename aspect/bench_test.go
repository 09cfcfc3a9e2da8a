package aspect_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// Default is a retry annotation with the defaults of the table.
type Default struct{ annotation.AbstractRetry }

// calm is a Gateway that does nothing.
type calm struct{ Stripe }

//go:noinline
func (c *calm) Charge(context.Context, string, int) (string, error) { return "paid", nil }

func benchmarkCharge(b *testing.B, charge func(ctx context.Context, order string, cents int) (string, error)) {
	ctx := b.Context()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := charge(ctx, "7", 5); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCall(b *testing.B) {
	target := &calm{}
	retried := aspect.Annotate[Default](Gateway.Charge)
	none := aspect.WithAspect(aspect.Method("Charge"), 0, aspect.Func(proceed))
	b.Run("target", func(b *testing.B) { benchmarkCharge(b, target.Charge) })
	b.Run("bare MakeFunc that calls by reflection", func(b *testing.B) {
		m := reflect.ValueOf(target).MethodByName("Charge")
		f := reflect.MakeFunc(m.Type(), m.Call).Interface().(func(context.Context, string, int) (string, error))
		benchmarkCharge(b, f)
	})
	b.Run("method straight through", func(b *testing.B) {
		benchmarkCharge(b, wrapped[Gateway](b, aspect.NewWeaver(), target, aspect.Annotate[Default]("Refund")).Charge)
	})
	b.Run("default Retry", func(b *testing.B) {
		benchmarkCharge(b, wrapped[Gateway](b, aspect.NewWeaver(), target, retried).Charge)
	})
	b.Run("default Retry and an aspect around it", func(b *testing.B) {
		w := aspect.NewWeaver(aspect.WithAspect(aspect.Method("Charge"), aspect.RetryPriority+1, aspect.Func(proceed)))
		benchmarkCharge(b, wrapped[Gateway](b, w, target, retried).Charge)
	})
	b.Run("an aspect", func(b *testing.B) {
		benchmarkCharge(b, wrapped[Gateway](b, aspect.NewWeaver(none), target).Charge)
	})
	b.Run("woven func with default Retry", func(b *testing.B) {
		benchmarkCharge(b, wrapped(b, aspect.NewWeaver(), target.Charge, aspect.Annotate[Default]("Call")))
	})
}

func BenchmarkWrap(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_, err := aspect.Wrap[Gateway](aspect.NewWeaver(), &calm{}, aspect.Annotate[Default](Gateway.Charge))
		require.NoError(b, err)
	}
}
