//go:build generated

package aspect_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aspect"
)

func TestAGeneratedProxyIsPreferredAndTellsItsKind(t *testing.T) {
	target := &Stripe{}
	w := aspect.NewWeaver()
	generated := wrapped[Gateway](t, w, target, aspect.Annotate[Quick](Gateway.Charge))
	require.Equal(t, aspect.Generated, aspect.KindOf(generated))
	require.Equal(t, "generated", aspect.KindOf(generated).String())
	require.True(t, aspect.IsWoven(generated))
	require.Same(t, target, aspect.Unwrap(generated))

	made := wrapped[unprepared](t, w, target, aspect.Annotate[Quick](Gateway.Charge))
	require.Equal(t, aspect.RunTime, aspect.KindOf(made))
	require.Equal(t, "run-time", aspect.KindOf(made).String())

	job := wrapped[Job](t, w, func(context.Context) error { return nil }, aspect.Annotate[Quick]("Call"))
	require.Equal(t, aspect.RunTime, aspect.KindOf(job))

	for _, v := range []any{nil, target, 7, wrapped[Gateway](t, w, &Stripe{})} {
		require.Equal(t, aspect.NoProxy, aspect.KindOf(v))
		require.Equal(t, "not woven", aspect.KindOf(v).String())
	}
}

func TestRequireGeneratedTakesWhatIsGenerated(t *testing.T) {
	w := aspect.NewWeaver(aspect.RequireGenerated())
	g := wrapped[Gateway](t, w, down(2), aspect.Annotate[Quick](Gateway.Charge))
	receipt, err := g.Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, "paid 7", receipt)
}

// joined has just the methods of the interfaces that it embeds.
type joined interface {
	Gateway
	Balancer
}

func TestSeveralInterfacesTakeTheGeneratedProxyOfOneThatHasJustTheirMethods(t *testing.T) {
	w := aspect.NewWeaver(aspect.RequireGenerated())
	for name, interfaces := range map[string][]reflect.Type{
		"disjoint":    {reflect.TypeFor[Gateway](), reflect.TypeFor[Balancer]()},
		"overlapping": {reflect.TypeFor[Gateway](), reflect.TypeFor[namer](), reflect.TypeFor[Balancer]()},
	} {
		t.Run(name, func(t *testing.T) {
			p := planned(t, w, providedAs(interfaces...), services{})
			require.Equal(t, aspect.Generated, p.Kind())
			v := woven[any](t, p, &account{Stripe: down(2)}, nil)
			require.Equal(t, aspect.Generated, aspect.KindOf(v))
			_, err := v.(Gateway).Charge(t.Context(), "7", 5)
			require.NoError(t, err)
			balance, err := v.(Balancer).Balance(t.Context())
			require.NoError(t, err)
			require.Equal(t, 12, balance)
			_, more := v.(Printer)
			require.False(t, more, "it has no other methods")
		})
	}
}

func TestAMethodOfAGeneratedProxyWithoutAspectsGoesStraightThrough(t *testing.T) {
	g := wrapped[Gateway](t, aspect.NewWeaver(), &Stripe{}, aspect.Annotate[Quick](Gateway.Charge))
	require.Zero(t, testing.AllocsPerRun(100, func() { _ = g.Name() }))
}

func TestAServiceThatNeedsNoWeavingIsNotWrapped(t *testing.T) {
	p := planned(t, aspect.NewWeaver(), aspect.Service{Impl: reflect.TypeFor[*Stripe](), Interfaces: []reflect.Type{reflect.TypeFor[Gateway]()}}, services{})
	require.Equal(t, aspect.NoProxy, p.Kind())
}
