package aspect_test

import (
	"context"
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aspect"
)

// Loader has arguments and results of a size worth letting go of.
type Loader interface {
	Load(ctx context.Context, in *[1 << 16]byte) (*[1 << 16]byte, error)
}

type loader struct {
	ctx     context.Context
	outcome func() error
}

func (l *loader) Load(ctx context.Context, _ *[1 << 16]byte) (*[1 << 16]byte, error) {
	l.ctx = ctx
	return new([1 << 16]byte), l.outcome()
}

func TestAfterTheCallTheFrameLetsGoOfArgumentsAndResults(t *testing.T) {
	for _, c := range []struct {
		name    string
		outcome func() error
		result  bool
	}{
		{"success", func() error { return nil }, true},
		{"failure", func() error { return errDown }, true},
		{"panic", func() error { panic("boom") }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var kept aspect.JoinPoint
			var argument, result weak.Pointer[[1 << 16]byte]
			w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), aspect.RetryPriority-1, aspect.Func(func(jp aspect.JoinPoint) error {
				kept = jp
				in := aspect.Arg[*[1 << 16]byte](jp, 1)
				argument = weak.Make(in)
				aspect.SetArg(jp, 1, in) // leaves a change to undo
				err := jp.Proceed()
				result = weak.Make(aspect.Result[*[1 << 16]byte](jp, 0))
				return err
			})))
			l := &loader{outcome: c.outcome}
			woven := wrapped[Loader](t, w, l, aspect.Annotate[Quick](Loader.Load))
			func() {
				defer func() { _ = recover() }()
				_, _ = woven.Load(t.Context(), new([1 << 16]byte))
			}()
			require.NotEqual(t, weak.Pointer[[1 << 16]byte]{}, argument)
			require.Equal(t, c.result, result != weak.Pointer[[1 << 16]byte]{})
			runtime.GC()
			require.Nil(t, argument.Value())
			require.Nil(t, result.Value())
			runtime.KeepAlive(kept) // and with it the frame
			runtime.KeepAlive(l)    // and with it the session, which is the context of the attempt
		})
	}
}
