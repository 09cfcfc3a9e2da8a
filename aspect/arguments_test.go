package aspect_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aspect"
)

// Box has a method with parameters and results of many kinds.
type Box interface {
	Put(n int, r io.Reader, p *int, v any, more ...string) (io.Reader, any, []string, error)
}

// box gives back what it has got.
type box struct{}

func (box) Put(_ int, r io.Reader, _ *int, v any, more ...string) (io.Reader, any, []string, error) {
	return r, v, more, nil
}

// inside runs f in an aspect around a call of a Box, after the target has run.
func inside(t *testing.T, f func(jp aspect.JoinPoint), r io.Reader, v any, more ...string) {
	t.Helper()
	ran := false
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, aspect.Func(func(jp aspect.JoinPoint) error {
		err := jp.Proceed()
		f(jp)
		ran = true
		return err
	})))
	_, _, _, err := wrapped[Box](t, w, box{}).Put(1, r, nil, v, more...)
	require.NoError(t, err)
	require.True(t, ran)
}

func TestArgAndResultGiveWhatIsThere(t *testing.T) {
	text := strings.NewReader("text")
	inside(t, func(jp aspect.JoinPoint) {
		require.Equal(t, 1, aspect.Arg[int](jp, 0))
		require.Equal(t, 1, aspect.Arg[any](jp, 0), "any interface that it implements will do")
		require.True(t, io.Reader(text) == aspect.Arg[io.Reader](jp, 1))
		require.True(t, text == aspect.Arg[*strings.Reader](jp, 1))
		require.Nil(t, aspect.Arg[*int](jp, 2))
		require.Equal(t, "v", aspect.Arg[any](jp, 3))
		require.Equal(t, []string{"a", "b"}, aspect.Arg[[]string](jp, 4), "a variadic one is a slice")
		require.True(t, io.Reader(text) == aspect.Result[io.Reader](jp, 0))
		require.Equal(t, "v", aspect.Result[string](jp, 1))
		require.Equal(t, []string{"a", "b"}, aspect.Result[[]string](jp, 2))
		require.NoError(t, aspect.Result[error](jp, 3))
	}, text, "v", "a", "b")
}

func TestNilInterfacesAmongArgumentsAndResults(t *testing.T) {
	inside(t, func(jp aspect.JoinPoint) {
		require.Nil(t, aspect.Arg[io.Reader](jp, 1))
		require.Nil(t, aspect.Arg[any](jp, 3))
		require.Nil(t, aspect.Arg[[]string](jp, 4), "a nil slice stays nil")
		require.Nil(t, aspect.Result[io.Reader](jp, 0))
		require.Nil(t, aspect.Result[any](jp, 1))
		require.Nil(t, aspect.Result[[]string](jp, 2))
	}, nil, nil)
}

func TestArgumentsAndResultsOfTheWrongType(t *testing.T) {
	for _, c := range []struct {
		do   func(jp aspect.JoinPoint)
		want string
	}{
		{func(jp aspect.JoinPoint) { aspect.Arg[string](jp, 0) }, "aspect: argument 0 of box@Put is a int, not a string"},
		{func(jp aspect.JoinPoint) { aspect.Arg[io.Writer](jp, 1) }, "aspect: argument 1 of box@Put is a *strings.Reader, not a io.Writer"},
		{func(jp aspect.JoinPoint) { aspect.Arg[string](jp, 3) }, "aspect: argument 3 of box@Put is a <nil>, not a string"},
		{func(jp aspect.JoinPoint) { aspect.Arg[int](jp, 5) }, "aspect: box@Put has no argument 5"},
		{func(jp aspect.JoinPoint) { aspect.Arg[int](jp, -1) }, "aspect: box@Put has no argument -1"},
		{func(jp aspect.JoinPoint) { aspect.Result[int](jp, 2) }, "aspect: result 2 of box@Put is a []string, not a int"},
		{func(jp aspect.JoinPoint) { aspect.Result[int](jp, 4) }, "aspect: box@Put has no result 4"},
		{func(jp aspect.JoinPoint) { aspect.Result[int](jp, -1) }, "aspect: box@Put has no result -1"},
		{func(jp aspect.JoinPoint) { aspect.SetArg(jp, 0, "1") }, "aspect: a string is no argument of type int of box@Put"},
		{func(jp aspect.JoinPoint) { aspect.SetArg(jp, 0, int64(1)) }, "aspect: a int64 is no argument of type int of box@Put"},
		{func(jp aspect.JoinPoint) { aspect.SetArg[any](jp, 0, "1") }, "aspect: a string is no argument of type int of box@Put"},
		{func(jp aspect.JoinPoint) { aspect.SetArg[any](jp, 0, nil) }, "aspect: nil is no argument of type int of box@Put"},
		{func(jp aspect.JoinPoint) { aspect.SetArg(jp, 1, io.Discard) }, "aspect: a io.discard is no argument of type io.Reader of box@Put"},
		{func(jp aspect.JoinPoint) { aspect.SetArg(jp, 4, "one") }, "aspect: a string is no argument of type []string of box@Put"},
		{func(jp aspect.JoinPoint) { aspect.SetArg(jp, 5, "one") }, "aspect: box@Put has no argument 5"},
		{func(jp aspect.JoinPoint) { aspect.SetArg(jp, -1, "one") }, "aspect: box@Put has no argument -1"},
		{func(jp aspect.JoinPoint) { aspect.SetResult(jp, 2, 1) }, "aspect: a int is no result of type []string of box@Put"},
		{func(jp aspect.JoinPoint) { aspect.SetResult(jp, 4, 1) }, "aspect: box@Put has no result 4"},
		{func(jp aspect.JoinPoint) { aspect.SetResult(jp, -1, 1) }, "aspect: box@Put has no result -1"},
	} {
		t.Run(c.want, func(t *testing.T) {
			inside(t, func(jp aspect.JoinPoint) {
				require.PanicsWithValue(t, c.want, func() { c.do(jp) })
			}, strings.NewReader("text"), nil)
		})
	}
}

// putter is a Box that is a func.
type putter func(n int, r io.Reader, p *int, v any, more []string)

func (f putter) Put(n int, r io.Reader, p *int, v any, more ...string) (io.Reader, any, []string, error) {
	f(n, r, p, v, more)
	return r, v, more, nil
}

func TestSetArgFitsWhatIsAssignable(t *testing.T) {
	seven, text := 7, strings.NewReader("text")
	var got []any
	target := putter(func(n int, r io.Reader, p *int, v any, more []string) { got = []any{n, r, p, v, more} })
	for _, c := range []struct {
		name string
		set  func(jp aspect.JoinPoint)
		want []any
	}{
		{"the very type", func(jp aspect.JoinPoint) {
			aspect.SetArg(jp, 0, 2)
			aspect.SetArg(jp, 2, &seven)
			aspect.SetArg(jp, 4, []string{"a"})
		}, []any{2, nil, &seven, nil, []string{"a"}}},
		{"a type that implements it", func(jp aspect.JoinPoint) {
			aspect.SetArg(jp, 1, text)
			aspect.SetArg(jp, 3, 4)
		}, []any{1, text, (*int)(nil), 4, []string(nil)}},
		{"an interface that holds it", func(jp aspect.JoinPoint) {
			aspect.SetArg[any](jp, 0, 2)
			aspect.SetArg[fmt.Stringer](jp, 3, &strings.Builder{})
			aspect.SetArg[any](jp, 1, text)
		}, []any{2, text, (*int)(nil), &strings.Builder{}, []string(nil)}},
		{"an interface that has more methods", func(jp aspect.JoinPoint) {
			aspect.SetArg[io.ReadSeeker](jp, 1, text)
		}, []any{1, text, (*int)(nil), nil, []string(nil)}},
		{"a nil interface", func(jp aspect.JoinPoint) {
			aspect.SetArg[io.Reader](jp, 1, nil)
			aspect.SetArg[any](jp, 1, nil)
			aspect.SetArg[error](jp, 3, nil)
		}, []any{1, nil, (*int)(nil), nil, []string(nil)}},
		{"a nil of its type", func(jp aspect.JoinPoint) {
			aspect.SetArg[*int](jp, 2, nil)
			aspect.SetArg[[]string](jp, 4, nil)
		}, []any{1, nil, (*int)(nil), nil, []string(nil)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, aspect.Func(func(jp aspect.JoinPoint) error {
				c.set(jp)
				return jp.Proceed()
			})))
			_, _, _, err := wrapped[Box](t, w, target).Put(1, nil, nil, nil)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestSetResultFitsWhatIsAssignable(t *testing.T) {
	text := strings.NewReader("text")
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, aspect.Func(func(jp aspect.JoinPoint) error {
		err := jp.Proceed()
		aspect.SetResult(jp, 0, text)
		aspect.SetResult[any](jp, 1, nil)
		aspect.SetResult[any](jp, 2, []string{"c"})
		return err
	})))
	r, v, more, err := wrapped[Box](t, w, box{}).Put(1, nil, nil, "v", "a")
	require.NoError(t, err)
	require.True(t, io.Reader(text) == r)
	require.Nil(t, v)
	require.Equal(t, []string{"c"}, more)
}

func TestArgumentsThatAnInnerAspectReplacedAreRestored(t *testing.T) {
	add := func(text string) aspect.Func {
		return func(jp aspect.JoinPoint) error {
			aspect.SetArg(jp, 1, aspect.Arg[string](jp, 1)+text)
			aspect.SetArg(jp, 1, aspect.Arg[string](jp, 1)+"'")
			return jp.Proceed()
		}
	}
	var seen []string
	see := func(jp aspect.JoinPoint) error {
		err := jp.Proceed()
		seen = append(seen, aspect.Arg[string](jp, 1))
		return err
	}
	twice := func(jp aspect.JoinPoint) error { _ = jp.Proceed(); return jp.Proceed() }
	s := &Stripe{}
	s.charge = func(_ context.Context, order string, _ int) (string, error) {
		seen = append(seen, "target "+order)
		return "", nil
	}
	_, err := around(t, s, see, add("a"), twice, see, add("b"), add("c")).Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, []string{"target 7a'b'c'", "7a'", "target 7a'b'c'", "7a'", "7"}, seen)
}

func TestArgumentsAreRestoredAfterAPanic(t *testing.T) {
	s := &Stripe{}
	var got []string
	s.charge = func(_ context.Context, order string, _ int) (string, error) {
		if got = append(got, order); len(got) == 1 {
			panic("boom")
		}
		return "paid " + order, nil
	}
	change := func(text string) aspect.Func {
		return func(jp aspect.JoinPoint) error {
			aspect.SetArg(jp, 1, text)
			return jp.Proceed()
		}
	}
	g := around(t, s,
		func(jp aspect.JoinPoint) error {
			require.NoError(t, recovering(1)(jp))
			require.Equal(t, "7", aspect.Arg[string](jp, 1))
			aspect.SetArg(jp, 1, "8")
			err := jp.Proceed()
			require.Equal(t, "8", aspect.Arg[string](jp, 1))
			return err
		},
		func(jp aspect.JoinPoint) error {
			aspect.SetArg(jp, 1, aspect.Arg[string](jp, 1)+"!")
			return jp.Proceed()
		},
		change("inner"))
	receipt, err := g.Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, "paid inner", receipt)
	require.Equal(t, []string{"inner", "inner"}, got)
}

func TestAVariadicArgumentMayBeReplaced(t *testing.T) {
	for _, c := range []struct {
		name string
		set  []string
	}{
		{"by more", []string{"a", "b", "c"}},
		{"by none", []string{}},
		{"by nil", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := around(t, &Stripe{}, func(jp aspect.JoinPoint) error {
				require.Equal(t, []string{"x", "y"}, aspect.Arg[[]string](jp, 0))
				aspect.SetArg(jp, 0, c.set)
				return jp.Proceed()
			})
			require.Equal(t, c.set, g.Tags("x", "y"))
		})
	}
	require.Nil(t, around(t, &Stripe{}, proceed).Tags())
}
