package aspects_test

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/aspects"
	"github.com/backstay/backstay/retry"
)

func TestRecoverMakesAnErrorOfAPanic(t *testing.T) {
	for _, c := range []struct {
		name  string
		raise func()
		text  string
	}{
		{"of any value", func() { panic("no") }, "panic: no"},
		{"of an error", func() { panic(errDown) }, "panic: down"},
		{"of nil", func() { panic(nil) }, "panic: panic called with nil argument"},
		{"of the runtime", func() { var m map[string]int; m["x"] = 1 }, "panic: assignment to entry in nil map"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var told []*aspects.PanicError
			a := aspects.NewRecover(aspects.OnPanic(func(_ context.Context, ref retry.MethodRef, p *aspects.PanicError) {
				require.Equal(t, "PgUsers@Get", ref.String())
				told = append(told, p)
			}))
			users := around[Users](t, a, &PgUsers{get: func(context.Context, string) (string, error) { c.raise(); return "Ann", nil }})
			result, err := users.Get(t.Context(), "7")
			require.Empty(t, result)
			require.ErrorContains(t, err, c.text)
			p := new(aspects.PanicError)
			require.ErrorAs(t, err, &p)
			require.Contains(t, string(p.Stack), "recover_test.go", "the stack is that of the panic")
			require.Equal(t, []*aspects.PanicError{p}, told)
		})
	}
}

func TestARecoveredErrorIsFoundInThePanic(t *testing.T) {
	users := around[Users](t, aspects.NewRecover(), &PgUsers{save: func(context.Context, string) error { panic(errDown) }})
	require.ErrorIs(t, users.Save(t.Context(), "7"), errDown)
}

func TestRecoverLeavesReturnsAsTheyAre(t *testing.T) {
	users := around[Users](t, aspects.NewRecover(aspects.OnPanic(func(context.Context, retry.MethodRef, *aspects.PanicError) {
		t.Error("there is no panic")
	})), &PgUsers{get: func(context.Context, string) (string, error) { return "Ann", errDown }})
	result, err := users.Get(t.Context(), "7")
	require.Equal(t, "Ann", result)
	require.Same(t, errDown, err)
}

func TestRecoverTakesBackResultsThatAnAspectFurtherInHasLeft(t *testing.T) {
	w := aspect.NewWeaver(
		aspect.WithAspect(aspect.Any(), 2, aspects.NewRecover()),
		aspect.WithAspect(aspect.Any(), 1, aspect.Func(func(jp aspect.JoinPoint) error {
			_ = jp.Proceed()
			panic("after the method has returned")
		})))
	users := wrapped[Users](t, w, &PgUsers{get: func(context.Context, string) (string, error) { return "Ann", nil }})
	result, err := users.Get(t.Context(), "7")
	require.Error(t, err)
	require.Empty(t, result)
}

func TestRecoverLetsThroughWhatItCannotTell(t *testing.T) {
	users := around[Users](t, aspects.NewRecover(), &PgUsers{
		count: func() int { panic(errDown) },
		save:  func(context.Context, string) error { runtime.Goexit(); return nil },
	})
	e := endOf(func() (string, error) { return "", users.Save(t.Context(), "7") })
	require.Equal(t, ended{}, e, "runtime.Goexit ends the goroutine")
	defer func() {
		err, _ := recover().(error)
		require.Same(t, errDown, err, "a panic of a method without an error result is unchanged")
		require.False(t, errors.As(err, new(*aspects.PanicError)))
	}()
	users.Count()
}
