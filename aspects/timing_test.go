package aspects_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/aspects"
	"github.com/backstay/backstay/retry"
)

func TestTimingTellsOfEachOutcome(t *testing.T) {
	for _, c := range []struct {
		name string
		get  func() (string, error)
		want error
	}{
		{"a success", func() (string, error) { return "Ann", nil }, nil},
		{"an error", func() (string, error) { return "", errDown }, errDown},
		{"a panic", func() (string, error) { panic("no") }, aspects.ErrAborted},
		{"runtime.Goexit", func() (string, error) { runtime.Goexit(); return "", nil }, aspects.ErrAborted},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var told []string
				a := aspects.NewTiming(func(ctx context.Context, ref retry.MethodRef, took time.Duration, err error) {
					require.Equal(t, "4711", ctx.Value(traceKey{}))
					told = append(told, fmt.Sprint(ref, " ", took, " ", err))
				})
				users := around[Users](t, a, &PgUsers{get: func(context.Context, string) (string, error) {
					time.Sleep(3 * time.Second)
					return c.get()
				}})
				e := endOf(func() (string, error) { return users.Get(context.WithValue(t.Context(), traceKey{}, "4711"), "7") })
				require.Equal(t, []string{fmt.Sprint("PgUsers@Get 3s ", c.want)}, told)
				if e.returned {
					require.Equal(t, c.want, e.err)
				}
			})
		})
	}
}

func TestTimingWithNobodyToTellIsADefinitionErrorBeforeTheFirstCall(t *testing.T) {
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Method("Get"), 1, aspects.NewTiming(nil)))
	_, err := aspect.Wrap[Users](w, &PgUsers{})
	told := definitionError(t, err)
	require.Equal(t, "PgUsers@Get", told.Ref.String())
	require.Equal(t, "the timing has nobody to tell", told.Problem)
	require.Equal(t, "give aspects.NewTiming a func", told.Remedy)
	require.Contains(t, told.Place, "timing_test.go:", "that of the aspect")

	users := around[Users](t, unasked(aspects.NewTiming(nil)), &PgUsers{})
	_, err = users.Get(t.Context(), "7")
	require.EqualError(t, err, "backstay: PgUsers@Get: the timing has nobody to tell; give aspects.NewTiming a func", "nobody could be asked")
}
