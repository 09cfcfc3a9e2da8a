package aspect_test

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

var (
	errDown = errors.New("peer is down")
	errFull = errors.New("disk is full")
)

// Gateway is what most services here are wrapped as.
type Gateway interface {
	Charge(ctx context.Context, order string, cents int) (receipt string, err error)
	Refund(ctx context.Context, order string) error
	Tags(tags ...string) []string
	Name() string
}

// Stripe is a Gateway whose methods do what a test says, or nothing.
type Stripe struct {
	charge func(ctx context.Context, order string, cents int) (string, error)
	refund func(ctx context.Context, order string) error
	tags   func(tags ...string) []string
	calls  int
}

func (s *Stripe) Charge(ctx context.Context, order string, cents int) (string, error) {
	s.calls++
	if s.charge == nil {
		return "paid " + order, nil
	}
	return s.charge(ctx, order, cents)
}

func (s *Stripe) Refund(ctx context.Context, order string) error {
	s.calls++
	if s.refund == nil {
		return nil
	}
	return s.refund(ctx, order)
}

func (s *Stripe) Tags(tags ...string) []string {
	s.calls++
	if s.tags == nil {
		return tags
	}
	return s.tags(tags...)
}

func (s *Stripe) Name() string {
	s.calls++
	return "stripe"
}

// down is a Stripe whose first n charges fail.
func down(n int) *Stripe {
	s := &Stripe{}
	s.charge = func(_ context.Context, order string, _ int) (string, error) {
		if s.calls <= n {
			return "", errDown
		}
		return "paid " + order, nil
	}
	return s
}

const always = 1 << 30

// Quick retries twice, without budget or wait.
type Quick struct{ annotation.AbstractRetry }

// Defaults are those of the annotation.
func (Quick) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Policies(retry.Fallback, retry.Classifier, retry.MaxAttempts), annotation.MaxAttempts(3)}
}

// Audited is an annotation that no aspect of Backstay knows.
type Audited struct{ Level int }

// wrapped is target, woven by w; it wants no errors.
func wrapped[I any](t testing.TB, w *aspect.Weaver, target I, opts ...aspect.WrapOption) I {
	t.Helper()
	woven, err := aspect.Wrap(w, target, opts...)
	require.NoError(t, err)
	return woven
}

// retried is target with a Quick on its Charge.
func retried(t testing.TB, target Gateway, opts ...annotation.Option) Gateway {
	t.Helper()
	return wrapped(t, aspect.NewWeaver(), target, aspect.Annotate[Quick](Gateway.Charge, opts...))
}

// around is target with aspects around all of its methods, the first one outermost.
func around(t testing.TB, target Gateway, aspects ...aspect.Func) Gateway {
	t.Helper()
	var opts []aspect.WeaverOption
	for i, a := range aspects {
		opts = append(opts, aspect.WithAspect(aspect.Any(), -i, a))
	}
	return wrapped(t, aspect.NewWeaver(opts...), target)
}

// proceed is an aspect that does nothing but proceed.
func proceed(jp aspect.JoinPoint) error { return jp.Proceed() }

// definitionErrors are the definition errors that are joined in err, and wants nothing else to be.
func definitionErrors(t testing.TB, err error) []*annotation.DefinitionError {
	t.Helper()
	if err == nil {
		return nil
	}
	all := []error{err}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		all = several.Unwrap()
	}
	return asDefinitionErrors(t, all)
}

func asDefinitionErrors(t testing.TB, all []error) (errs []*annotation.DefinitionError) {
	t.Helper()
	for _, err := range all {
		d, ok := err.(*annotation.DefinitionError)
		require.True(t, ok, "%T: %v", err, err)
		require.NotEmpty(t, d.Problem)
		require.NotEmpty(t, d.Remedy, d.Problem)
		errs = append(errs, d)
	}
	return errs
}

// onlyProblem is the one definition error that err holds.
func onlyProblem(t testing.TB, err error) *annotation.DefinitionError {
	t.Helper()
	errs := definitionErrors(t, err)
	require.Len(t, errs, 1, "%v", err)
	return errs[0]
}

// madeUp is an F, a func, that returns zero values.
func madeUp[F any]() F {
	t := reflect.TypeFor[F]()
	return reflect.MakeFunc(t, func([]reflect.Value) (out []reflect.Value) {
		for r := range t.Outs() {
			out = append(out, reflect.Zero(r))
		}
		return out
	}).Interface().(F)
}
