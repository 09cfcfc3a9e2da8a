package hyperf_test

import (
	"runtime"
	"testing"
	"weak"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// around is the func f, woven with an aspect.
func around[F any](t *testing.T, f F, a aspect.Func) F {
	t.Helper()
	woven, err := aspect.Wrap(aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, a)), f)
	require.NoError(t, err)
	return woven
}

// hyperf:7.8, ProceedingJoinPoint and ProxyTrait.

func TestAncestorsProcessOriginalMethod(t *testing.T) {
	f := around(t, func() int { return 1 }, func(jp aspect.JoinPoint) error {
		err := jp.Proceed()
		require.Equal(t, 1, aspect.Result[int](jp, 0))
		return err
	})
	require.Equal(t, 1, f())
}

func TestAncestorsGetArguments(t *testing.T) {
	// The ancestor's variadic arguments follow the others, some by name. Go's have no names, and are one slice.
	var seen []any
	see := func(n int) aspect.Func {
		return func(jp aspect.JoinPoint) error {
			seen = nil
			for i := range n {
				seen = append(seen, aspect.Arg[any](jp, i))
			}
			return jp.Proceed()
		}
	}
	t.Run("none", func(t *testing.T) {
		around(t, func() {}, func(jp aspect.JoinPoint) error {
			require.PanicsWithValue(t, "aspect: func()@Call has no argument 0", func() { aspect.Arg[any](jp, 0) })
			return jp.Proceed()
		})()
	})
	t.Run("no variadic ones", func(t *testing.T) {
		around(t, func(int, ...any) {}, see(2))(1)
		require.Equal(t, []any{1, []any(nil)}, seen)
	})
	t.Run("variadic ones", func(t *testing.T) {
		around(t, func(int, ...any) {}, see(2))(1, 2, "3")
		require.Equal(t, []any{1, []any{2, "3"}}, seen)
	})
	t.Run("a slice", func(t *testing.T) {
		around(t, func(int, []any) {}, see(2))(1, []any{2, "3"})
		require.Equal(t, []any{1, []any{2, "3"}}, seen)
	})
	t.Run("what the original sees", func(t *testing.T) {
		var id int
		var variadic []string
		around(t, func(i int, v ...string) { id, variadic = i, v }, see(2))(1, "2", "3")
		require.Equal(t, 1, id)
		require.Equal(t, []string{"2", "3"}, variadic)
	})
	t.Run("a pointer", func(t *testing.T) {
		// The ancestor copies what is passed by reference, so that the caller does not see what is written to it.
		n := 1
		around(t, func(p *int) { *p++ }, see(1))(&n)
		require.Equal(t, 2, n)
	})
}

func TestAncestorsHandleAround(t *testing.T) {
	plusOne := aspect.Func(func(jp aspect.JoinPoint) error {
		err := jp.Proceed()
		aspect.SetResult(jp, 0, aspect.Result[int](jp, 0)+1)
		return err
	})
	type adder func() int
	w := aspect.NewWeaver(
		aspect.WithAspect(aspect.Class("adder"), 0, plusOne),
		aspect.WithAspect(aspect.Annotated[DemoAnnotation](), 0, plusOne))
	f, err := aspect.Wrap[adder](w, func() int { return 1 }, aspect.Annotate[DemoAnnotation]("*"))
	require.NoError(t, err)
	require.Equal(t, 3, f())
}

func TestAncestorsProcessTwice(t *testing.T) {
	// The ancestor's pipe is gone after the first, and has to be saved and restored by hand.
	calls := 0
	f := around(t, func() int { calls++; return calls }, func(jp aspect.JoinPoint) error {
		_ = jp.Proceed()
		return jp.Proceed()
	})
	require.Equal(t, 2, f())
}

func TestAncestorsWeakReferenceForPipelineCarry(t *testing.T) {
	// The ancestor makes a pipeline for each call, which must not hold itself. Ours is made once, and a call's frame lets go
	// of what it held, however the aspect ended it.
	var argument weak.Pointer[[1 << 16]byte]
	f := around(t, func(*[1 << 16]byte) bool { t.Error("it was called"); return false }, func(jp aspect.JoinPoint) error {
		argument = weak.Make(aspect.Arg[*[1 << 16]byte](jp, 0))
		aspect.SetResult(jp, 0, true)
		return nil
	})
	require.True(t, f(new([1 << 16]byte)))
	require.NotEqual(t, weak.Pointer[[1 << 16]byte]{}, argument)
	runtime.GC()
	require.Nil(t, argument.Value())
	runtime.KeepAlive(f)
}

// hyperf:7.8, Scanner.testCollect: what is declared can be looked up. Ours is declared of methods alone.
func TestAncestorsCollector(t *testing.T) {
	w := aspect.NewWeaver()
	_, err := aspect.Wrap[Tests](w, &Demo{},
		aspect.Annotate[DemoAnnotation]("*", annotation.Set(func(a *DemoAnnotation) { a.Text = "class" })),
		aspect.Annotate[DemoAnnotation]("Test1", annotation.Set(func(a *DemoAnnotation) { a.Text = "method" })),
		aspect.Annotate[DemoAlias]("Test2"))
	require.NoError(t, err)

	texts := func(entries []annotation.Entry) (all []string) {
		for _, e := range entries {
			switch a := e.Annotation.(type) {
			case DemoAnnotation:
				all = append(all, e.Ref.Method+" "+a.Text)
			case DemoAlias:
				all = append(all, e.Ref.Method+" alias")
			}
		}
		return all
	}
	// By the method. The ancestor keeps the one that was written last for a class; ours the nearest, and others beside it.
	require.Equal(t, []string{"Test1 method"}, texts(w.Registry().Of("Demo@Test1")))
	require.Equal(t, []string{"Test2 alias", "Test2 class"}, texts(w.Registry().Of("Demo@Test2")))
	require.Empty(t, w.Registry().Of("Demo@Test4"))
	// By the annotation. The ancestor looks for the very class, ours for what embeds it too.
	require.ElementsMatch(t, []string{"Test1 method", "Test2 alias", "Test2 class", "Test3 class", "No class"},
		texts(annotation.AllOf[DemoAnnotation](w.Registry())))
	require.Equal(t, []string{"Test2 alias"}, texts(annotation.AllOf[DemoAlias](w.Registry())))
}
