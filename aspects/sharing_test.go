package aspects_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/aspects"
)

// sharing is an aspect, and two annotations for it that write different settings for one name.
type sharing struct {
	name       string
	of         func() aspect.Aspect
	one, other func(name string) aspect.WrapOption
	has        string // settings of other
	hasOther   string // settings of one

	// holdsOther reports whether the settings of other hold for load, which adds to calls and takes a second.
	holdsOther func(load Load, calls *atomic.Int32) bool
}

var sharings = []sharing{
	{"caches", newCache,
		func(name string) aspect.WrapOption { return cached(func(c *aspects.Cacheable) { c.Name = name }) },
		func(name string) aspect.WrapOption {
			return cached(func(c *aspects.Cacheable) { c.Name, c.MaxEntries = name, 5 })
		}, "maxEntries 5", "maxEntries 1000",
		func(load Load, calls *atomic.Int32) bool {
			for _, id := range []string{"0", "1", "2", "3", "4", "5", "0"} {
				_, _ = load(context.Background(), id)
			}
			return calls.Load() == 7
		}},
	{"bulkheads", newBulkhead,
		func(name string) aspect.WrapOption {
			return annotated(func(b *aspects.Bulkhead) { b.MaxConcurrent, b.Name = 1, name })
		},
		func(name string) aspect.WrapOption {
			return annotated(func(b *aspects.Bulkhead) { b.MaxConcurrent, b.MaxQueue, b.Name = 1, 2, name })
		}, "maxConcurrent 1, maxQueue 2", "maxConcurrent 1, maxQueue 0",
		func(load Load, calls *atomic.Int32) bool { atOnce(load, 2); return calls.Load() == 2 }},
	{"rate limits", newRateLimit,
		func(name string) aspect.WrapOption {
			return annotated(func(r *aspects.RateLimit) { r.PerSecond, r.Name = 10, name })
		},
		func(name string) aspect.WrapOption {
			return annotated(func(r *aspects.RateLimit) { r.PerSecond, r.Burst, r.Name = 10, 1, name })
		}, "perSecond 10, burst 1", "perSecond 10, burst 10",
		func(load Load, calls *atomic.Int32) bool { atOnce(load, 2); return calls.Load() == 1 }},
}

// atOnce calls load n times, and waits for all of them.
func atOnce(load Load, n int) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { _, _ = load(context.Background(), fmt.Sprint(i)) })
	}
	wg.Wait()
}

func TestMethodsThatShareANameWithOtherSettingsAreRefused(t *testing.T) {
	for _, s := range sharings {
		t.Run(s.name, func(t *testing.T) {
			wrong := func(t *testing.T, err error) {
				t.Helper()
				d := definitionError(t, err)
				require.Equal(t, "Load#other@Call", d.Ref.String())
				require.Regexp(t, `^it has `+s.has+`, and Load#one@Call \(aspects/helper_test.go:\d+\), which shares the name "pg", has `+s.hasOther+`$`, d.Problem)
				require.Equal(t, "write the same for both, or another name", d.Remedy)
				require.Contains(t, d.Place, "helper_test.go:")
			}
			w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 1, s.of()))
			wrapped(t, w, Load(newTimed().load), aspect.WithName("one"), s.one("pg"))
			_, err := loading(aspect.WithName("other"), s.other("pg"))(w)
			wrong(t, err)
			for _, free := range []struct {
				service string
				option  aspect.WrapOption
			}{{"the same", s.one("pg")}, {"another name", s.other("smtp")}, {"no name", s.other("")}, {"no name either", s.one("")}} {
				_, err = loading(aspect.WithName(free.service), free.option)(w)
				require.NoError(t, err, free.service)
			}

			w = aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 1, unasked(s.of())))
			one, err := loading(aspect.WithName("one"), s.one("pg"))(w)
			require.NoError(t, err)
			require.NoError(t, one())
			other, err := loading(aspect.WithName("other"), s.other("pg"))(w)
			require.NoError(t, err)
			for range 2 {
				wrong(t, other())
			}
		})
	}
}

func TestADefaultHasNoPlaceInAConflict(t *testing.T) {
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 1,
		aspects.NewBulkhead(aspects.DefaultBulkhead(aspects.Bulkhead{MaxConcurrent: 1, Name: "pg"}))))
	_, err := loading(aspect.WithName("one"))(w)
	require.NoError(t, err)
	_, err = loading(aspect.WithName("other"), annotated(func(b *aspects.Bulkhead) { b.MaxConcurrent, b.Name = 2, "pg" }))(w)
	require.Equal(t, `it has maxConcurrent 2, maxQueue 0, and Load#one@Call, which shares the name "pg", has maxConcurrent 1, maxQueue 0`,
		definitionError(t, err).Problem)
}

// misspelled makes a mistake that no aspect has to do with, for which the plan is thrown away.
func misspelled() aspect.WrapOption { return aspect.Annotate[aspects.Bulkhead]("Clal") }

func TestCallsKnowNothingOfAPlanThatWasThrownAway(t *testing.T) {
	for _, s := range sharings {
		for _, name := range []string{"pg", ""} {
			t.Run(fmt.Sprintf("%s named %q", s.name, name), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var calls atomic.Int32
					target := Load(func(context.Context, string) (string, error) {
						calls.Add(1)
						time.Sleep(time.Second)
						return "fine", nil
					})
					w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 1, s.of()))
					_, err := aspect.Wrap(w, target, s.one(name), misspelled())
					require.ErrorContains(t, err, "Clal")
					require.True(t, s.holdsOther(wrapped(t, w, target, s.other(name)), &calls), "it was corrected")
				})
			})
		}
	}
}

func TestACorrectedPlanIsComparedByWhatItSaysNow(t *testing.T) {
	for _, s := range sharings {
		t.Run(s.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := s.of()
				w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 1, a))
				_, err := loading(aspect.WithName("one"), s.one("pg"), misspelled())(w)
				require.ErrorContains(t, err, "Clal")

				hidden := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 1, unasked(a)))
				call, err := loading(aspect.WithName("hidden"), s.other("pg"))(hidden)
				require.NoError(t, err)
				require.NoError(t, call(), "nobody has called what was planned")

				for _, service := range []string{"one", "other"} {
					time.Sleep(time.Second) // until there is a token
					call, err = loading(aspect.WithName(service), s.other("pg"))(w)
					require.NoError(t, err)
					require.NoError(t, call())
				}
				_, err = loading(aspect.WithName("one"), s.one("pg"))(w)
				require.Error(t, err, "another has the name")
				_, err = loading(aspect.WithName("other"), s.other("smtp"))(w)
				require.NoError(t, err)
				_, err = loading(aspect.WithName("one"), s.one("pg"))(w)
				require.NoError(t, err, "nobody else has it any more")
			})
		})
	}
}
