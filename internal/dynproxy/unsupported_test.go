//go:build !gc || purego || !(amd64 || arm64)

package dynproxy_test

import (
	"io"
	"reflect"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/internal/dynproxy"
)

func TestBuildWithoutRoutinesNamesTheGenerator(t *testing.T) {
	require.False(t, dynproxy.Supported())
	typ, err := dynproxy.TypeOf(reflect.TypeFor[io.Closer](), reflect.TypeFor[io.ReaderAt]())
	require.Nil(t, typ)
	var unsupported *dynproxy.UnsupportedError
	require.ErrorAs(t, err, &unsupported)
	require.Equal(t, []reflect.Type{reflect.TypeFor[io.Closer](), reflect.TypeFor[io.ReaderAt]()}, unsupported.Interfaces)
	require.EqualError(t, err, "no run-time proxy of io.Closer and io.ReaderAt: this build for "+runtime.GOARCH+
		" lacks its assembly, which takes amd64 or arm64, the compiler gc, and no build tag purego; "+
		"generate a proxy: add //go:generate go tool backstay -type Closer,ReaderAt")
}

func TestNoValueIsAProxyWithoutRoutines(t *testing.T) {
	for _, v := range []any{nil, 1, struct{ io.Closer }{}} {
		_, ok := dynproxy.DataOf(v)
		require.False(t, ok)
	}
}
