package dynproxy_test

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/internal/dynproxy"
)

// sealed can be implemented by this package only.
type sealed interface {
	Open() error
	mustEmbedSealed()
}

// crowded has a method with one parameter more than functions made by reflection
// can take, spacious one with just as many.
type (
	crowded interface {
		Crowd(int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int) int
	}
	spacious interface {
		Space(int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int, int) int
	}
)

func TestInterfacesWithoutAProxyOnAnyBuild(t *testing.T) {
	for _, c := range []struct {
		name       string
		interfaces []reflect.Type
		want       string
	}{
		{"no interface", nil,
			"no run-time proxy: no interface was given; ask for an interface type that has methods"},
		{"a nil type", []reflect.Type{nil},
			"no run-time proxy of <nil>: the type is nil; ask for an interface type that has methods"},
		{"not an interface", []reflect.Type{reflect.TypeFor[*buffered]()},
			"no run-time proxy of *dynproxy_test.buffered: it is not an interface type; " +
				"ask for an interface type that has methods"},
		{"the empty interface", []reflect.Type{reflect.TypeFor[io.Closer](), reflect.TypeFor[any]()},
			"no run-time proxy of interface {}: it has no methods; ask for an interface type that has methods"},
		{"a sealed interface", []reflect.Type{reflect.TypeFor[sealed]()},
			"no run-time proxy of dynproxy_test.sealed: its method mustEmbedSealed is unexported, so only package " +
				"github.com/backstay/backstay/internal/dynproxy_test can implement it; " +
				"generate a proxy: add //go:generate go tool backstay -type sealed"},
		{"a sealed interface of another package", []reflect.Type{reflect.TypeFor[reflect.Type]()},
			"no run-time proxy of reflect.Type: its method common is unexported, so only package reflect can " +
				"implement it; generate a proxy: add //go:generate go tool backstay -type Type"},
		{"a method with too many parameters", []reflect.Type{reflect.TypeFor[crowded]()},
			"no run-time proxy of dynproxy_test.crowded: its method Crowd has 128 parameters and results, " +
				"the limit is 127; generate a proxy: add //go:generate go tool backstay -type crowded"},
		{"an interface without a name", []reflect.Type{reflect.TypeFor[interface{ hidden() }]()},
			"no run-time proxy of interface { dynproxy_test.hidden() }: its method hidden is unexported, so only " +
				"package github.com/backstay/backstay/internal/dynproxy_test can implement it; give the interface a " +
				"name, say X, and generate a proxy: add //go:generate go tool backstay -type X"},
	} {
		t.Run(c.name, func(t *testing.T) {
			typ, err := dynproxy.TypeOf(c.interfaces...)
			require.Nil(t, typ)
			unsupported, ok := errors.AsType[*dynproxy.UnsupportedError](fmt.Errorf("wrapped: %w", err))
			require.True(t, ok, "%v", err)
			require.EqualError(t, unsupported, c.want)
			require.Len(t, unsupported.Interfaces, min(len(c.interfaces), 1), "the one at fault")
		})
	}
}

// buffered is a type that is not an interface.
type buffered struct{}

func TestInterfacesThatOverlap(t *testing.T) {
	for _, c := range []struct {
		name       string
		interfaces []reflect.Type
		want       dynproxy.OverlapError
	}{
		{"twice the same", []reflect.Type{reflect.TypeFor[io.Closer](), reflect.TypeFor[io.Closer]()},
			dynproxy.OverlapError{Method: "Close", A: reflect.TypeFor[io.Closer](), B: reflect.TypeFor[io.Closer]()}},
		{"a shared method", []reflect.Type{reflect.TypeFor[io.Seeker](), reflect.TypeFor[io.ReadCloser](),
			reflect.TypeFor[io.WriteCloser]()},
			dynproxy.OverlapError{Method: "Close", A: reflect.TypeFor[io.ReadCloser](),
				B: reflect.TypeFor[io.WriteCloser]()}},
		{"the same name with another signature", []reflect.Type{reflect.TypeFor[io.Closer](),
			reflect.TypeFor[interface{ Close() }]()},
			dynproxy.OverlapError{Method: "Close", A: reflect.TypeFor[io.Closer](),
				B: reflect.TypeFor[interface{ Close() }]()}},
	} {
		t.Run(c.name, func(t *testing.T) {
			typ, err := dynproxy.TypeOf(c.interfaces...)
			require.Nil(t, typ)
			var overlap *dynproxy.OverlapError
			require.ErrorAs(t, err, &overlap)
			require.Equal(t, c.want, *overlap)
		})
	}
	_, err := dynproxy.TypeOf(reflect.TypeFor[io.ReadCloser](), reflect.TypeFor[io.WriteCloser]())
	require.EqualError(t, err, "no one proxy of io.ReadCloser and io.WriteCloser: both have a method Close; "+
		"ask for one interface that embeds both")
}
