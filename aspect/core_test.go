package aspect_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// helped is a Stripe with a fallback of its own, which is not in Gateway.
type helped struct {
	Stripe
	name string
}

func (h *helped) Later(_ context.Context, order string, _ int) (string, error) {
	return h.name + " will charge " + order, nil
}

// hiding stands around another Gateway. It has a Later as well, which is not the service's.
type hiding struct{ Gateway }

func (hiding) Later() {}

func TestOwnMethodsThatTheTargetHidesAreThoseOfTheCore(t *testing.T) {
	failing := func(name string) *helped {
		h := &helped{name: name}
		h.charge = func(context.Context, string, int) (string, error) { return "", errDown }
		return h
	}
	dir := services{"helped": supplied(failing("another"))}
	s := gatewayService(quick("Charge", annotation.Fallback("helped@Later")))
	s.Ref.Class, s.Impl = "helped", reflect.TypeFor[*helped]()
	p := planned(t, aspect.NewWeaver(), s, dir)
	for _, name := range []string{"first", "second"} { // each with its own, though the chain is one
		h := failing(name)
		v, err := p.WeaveAround(reflect.ValueOf(hiding{h}), reflect.ValueOf(h), dir.resolve)
		require.NoError(t, err)
		require.Equal(t, hiding{h}, aspect.Unwrap(v.Interface().(Gateway)))
		receipt, err := v.Interface().(Gateway).Charge(t.Context(), "7", 5)
		require.NoError(t, err)
		require.Equal(t, name+" will charge 7", receipt)
		require.Equal(t, 3, h.calls)
	}
	h := failing("itself")
	receipt, err := woven[Gateway](t, p, h, dir.resolve).Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, "itself will charge 7", receipt)
}
