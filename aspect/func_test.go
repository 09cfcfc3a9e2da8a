package aspect_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

func TestAFuncIsWoven(t *testing.T) {
	calls := 0
	w := aspect.NewWeaver()
	job := wrapped[Job](t, w, func(ctx context.Context) error {
		if a, ok := retry.FromContext(ctx); !ok || a.Number < 3 {
			calls++
			return errDown
		}
		return nil
	}, aspect.Annotate[Quick]("Call"))
	require.True(t, aspect.IsWoven(job))
	require.NoError(t, job(t.Context()))
	require.Equal(t, 2, calls)
	require.Len(t, annotation.AllOf[Quick](w.Registry()), 1)
	require.Equal(t, "Job@Call", annotation.AllOf[Quick](w.Registry())[0].Ref.String())
}

func TestAFuncOfAnUnnamedType(t *testing.T) {
	var tr trail
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Method("Call"), 0, tr.leave("met")))
	f := wrapped(t, w, func(n int) int { return n + 1 })
	require.Equal(t, 3, f(2))
	require.Equal(t, "met", tr.take())
}

func TestAVariadicFunc(t *testing.T) {
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, aspect.Func(func(jp aspect.JoinPoint) error {
		aspect.SetArg(jp, 1, append(aspect.Arg[[]int](jp, 1), 10))
		return jp.Proceed()
	})))
	sum := wrapped(t, w, func(first int, more ...int) int {
		for _, m := range more {
			first += m
		}
		return first
	})
	require.Equal(t, 16, sum(1, 2, 3))
	require.Equal(t, 11, sum(1))
}

func TestAFuncWithMethodsIsWovenAsTheInterface(t *testing.T) {
	var tr trail
	w := aspect.NewWeaver(aspect.WithAspect(aspect.And(aspect.Class("http.HandlerFunc"), aspect.Method(http.Handler.ServeHTTP)), 0, tr.leave("met")))
	h := wrapped[http.Handler](t, w, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/", nil))
	require.Equal(t, http.StatusTeapot, rec.Code)
	require.Equal(t, "met", tr.take())
}

func TestUnwrapOfAFunc(t *testing.T) {
	calls := 0
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, aspect.Func(func(aspect.JoinPoint) error { return errFull })))
	job := wrapped[Job](t, w, func(context.Context) error { calls++; return nil })
	require.Equal(t, errFull, job(t.Context()))
	target := aspect.Unwrap(job)
	require.False(t, aspect.IsWoven(target))
	require.NoError(t, target(t.Context()))
	require.Equal(t, 1, calls)
}

func TestAFuncIsAServiceForReferences(t *testing.T) {
	w := aspect.NewWeaver()
	wrapped[Job](t, w, func(context.Context) error { return errFull }, aspect.WithName("cleanup"))
	for _, reference := range []string{"Job@Call", "Job#cleanup@Call", "cleanup"} {
		t.Run(reference, func(t *testing.T) {
			job := wrapped[Job](t, w, func(context.Context) error { return errDown }, aspect.WithName("main "+reference),
				aspect.Annotate[Quick]("Call", annotation.Fallback(reference)))
			err := job(t.Context())
			require.ErrorIs(t, err, errFull)
			require.ErrorIs(t, err, errDown)
		})
	}
}
