package aspects_test

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/aspects"
)

// counted is a Load that counts its calls and returns their number.
func counted(calls *int) Load {
	return func(_ context.Context, id string) (string, error) {
		*calls++
		return fmt.Sprint(id, " ", *calls), nil
	}
}

// forMinute keeps results for a minute.
func forMinute(c *aspects.Cacheable) { c.TTL = time.Minute }

func TestCacheKeepsResultsOfOneKeyForTheirTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		load := around(t, aspects.NewCache(), counted(&calls), annotated(forMinute))
		for _, step := range []struct {
			after time.Duration
			id    string
			want  string
		}{
			{0, "a", "a 1"},
			{0, "a", "a 1"},
			{0, "b", "b 2"},
			{59 * time.Second, "a", "a 1"},
			{time.Second, "a", "a 3"}, // it is not kept for longer because it was asked for
			{0, "b", "b 4"},
			{59 * time.Second, "a", "a 3"},
		} {
			time.Sleep(step.after)
			got, err := load(t.Context(), step.id)
			require.NoError(t, err)
			require.Equal(t, step.want, got)
		}
	})
}

func TestCacheHoldsNoMoreThanItsEntries(t *testing.T) {
	calls := 0
	load := around(t, aspects.NewCache(), counted(&calls), annotated(func(c *aspects.Cacheable) { c.TTL, c.MaxEntries = time.Hour, 2 }))
	for _, step := range []struct{ id, want string }{
		{"a", "a 1"}, {"b", "b 2"}, {"a", "a 1"},
		{"c", "c 3"}, // b was used the longest ago
		{"a", "a 1"}, {"b", "b 4"}, {"a", "a 1"}, {"c", "c 5"},
	} {
		got, err := load(t.Context(), step.id)
		require.NoError(t, err)
		require.Equal(t, step.want, got)
	}
}

func TestCacheHoldsAThousandEntriesByDefault(t *testing.T) {
	calls := 0
	load := around(t, aspects.NewCache(), counted(&calls), annotated(forMinute))
	for i := range 1001 {
		_, _ = load(t.Context(), fmt.Sprint(i))
	}
	_, _ = load(t.Context(), "1")
	require.Equal(t, 1001, calls, "the second is still there")
	_, _ = load(t.Context(), "0")
	require.Equal(t, 1002, calls, "the first had to go")
}

func TestCacheLeavesNothingOfACallThatDidNotSucceed(t *testing.T) {
	var calls int
	load := around[Load](t, aspects.NewCache(), func(context.Context, string) (string, error) {
		switch calls++; calls {
		case 1:
			return "half", errDown
		case 2:
			panic("no")
		}
		return "good", nil
	}, annotated(forMinute))
	result, err := load(t.Context(), "a")
	require.Equal(t, "half", result)
	require.Same(t, errDown, err)
	require.PanicsWithValue(t, "no", func() { _, _ = load(t.Context(), "a") })
	for range 2 {
		result, err = load(t.Context(), "a")
		require.NoError(t, err)
		require.Equal(t, "good", result)
	}
	require.Equal(t, 3, calls)
}

// Report has results of several kinds, none of which is a string.
type Report func(day int) (lines []string, next any, err error)

func TestCacheReturnsAllResultsAsTheyWere(t *testing.T) {
	calls := 0
	report := around[Report](t, aspects.NewCache(), func(day int) ([]string, any, error) {
		calls++
		if day == 0 {
			return nil, nil, nil
		}
		return []string{"a"}, &calls, nil
	}, annotated(forMinute))
	for range 2 {
		lines, next, err := report(0)
		require.NoError(t, err)
		require.Nil(t, lines)
		require.True(t, next == nil, "a nil interface stays one")
		lines, next, err = report(1)
		require.NoError(t, err)
		require.Equal(t, []string{"a"}, lines)
		require.Same(t, &calls, next)
	}
	require.Equal(t, 2, calls)
}

func TestCacheKeepsResultsOfMethodsWithoutAnError(t *testing.T) {
	calls := 0
	users := where[aspects.Cacheable, Users](t, aspects.NewCache(), &PgUsers{count: func() int { calls++; return 40 + calls }},
		aspect.Annotate[aspects.Cacheable](Users.Count, annotation.Set(forMinute)))
	require.Equal(t, 41, users.Count())
	require.Equal(t, 41, users.Count())
}

func TestCacheEntriesOfOneMethodAreNotThoseOfAnother(t *testing.T) {
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 1, aspects.NewCache()))
	together := annotated(func(c *aspects.Cacheable) { c.TTL, c.Name = time.Minute, "all" })
	a := wrapped[Load](t, w, func(context.Context, string) (string, error) { return "a", nil }, aspect.WithName("a"), together)
	b := wrapped[Load](t, w, func(context.Context, string) (string, error) { return "b", nil }, aspect.WithName("b"), together)
	for range 2 {
		got, _ := a(t.Context(), "7")
		require.Equal(t, "a", got)
		got, _ = b(t.Context(), "7")
		require.Equal(t, "b", got)
	}
}

func TestCacheSharesItsEntriesByName(t *testing.T) {
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 1, aspects.NewCache()))
	together := annotated(func(c *aspects.Cacheable) { c.TTL, c.Name, c.MaxEntries = time.Minute, "all", 1 })
	calls := 0
	a := wrapped(t, w, counted(&calls), aspect.WithName("a"), together)
	b := wrapped(t, w, counted(&calls), aspect.WithName("b"), together)
	for range 2 {
		_, _ = a(t.Context(), "7")
		_, _ = b(t.Context(), "7")
	}
	require.Equal(t, 4, calls, "each entry of one pushes out that of the other")
}

// Search has arguments that need a key of their own making.
type Search func(ctx context.Context, tenant string, filter map[string]string, page int) (string, error)

func TestCacheMakesKeysAsTheAnnotationSays(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(*aspects.Cacheable)
		same func(search Search, ctx context.Context) []string // results of calls with one key, and of one with another
	}{
		{"of some arguments", func(c *aspects.Cacheable) { c.KeyArgs = []int{1, 3} },
			func(search Search, ctx context.Context) (all []string) {
				for _, call := range []struct {
					tenant string
					page   int
				}{{"t", 1}, {"t", 1}, {"t", 2}} {
					got, _ := search(ctx, call.tenant, map[string]string{fmt.Sprint(len(all)): ""}, call.page)
					all = append(all, got)
				}
				return all
			}},
		{"by a func", func(c *aspects.Cacheable) {
			c.Key = func(jp aspect.JoinPoint) any { return aspect.Arg[map[string]string](jp, 2)["q"] }
		}, func(search Search, ctx context.Context) (all []string) {
			for page, q := range []string{"x", "x", "y"} {
				got, _ := search(ctx, "t", map[string]string{"q": q}, page)
				all = append(all, got)
			}
			return all
		}},
		{"of the context, by a func", func(c *aspects.Cacheable) {
			c.Key = func(jp aspect.JoinPoint) any { return jp.Context().Value(traceKey{}) }
		}, func(search Search, ctx context.Context) (all []string) {
			for page, user := range []any{nil, nil, "ann"} {
				got, _ := search(context.WithValue(ctx, traceKey{}, user), "t", nil, page)
				all = append(all, got)
			}
			return all
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			calls := 0
			search := around[Search](t, aspects.NewCache(), func(context.Context, string, map[string]string, int) (string, error) {
				calls++
				return fmt.Sprint(calls), nil
			}, annotated(func(a *aspects.Cacheable) { forMinute(a); c.set(a) }))
			require.Equal(t, []string{"1", "1", "2"}, c.same(search, t.Context()))
		})
	}
}

type point struct{ X, Y float64 }

// Pick takes what may or may not be compared.
type Pick func(what any) (int, error)

func TestCacheComparesWhatIsInInterfaces(t *testing.T) {
	calls := 0
	pick := around[Pick](t, aspects.NewCache(), func(any) (int, error) { calls++; return calls, nil }, annotated(forMinute))
	for _, c := range []struct {
		name string
		what any
		want int
	}{
		{"nil", nil, 1},
		{"nil again", nil, 1},
		{"an int", 1, 2},
		{"another type", int64(1), 3},
		{"a struct", point{1, 2}, 4},
		{"an equal one", point{1, 2}, 4},
		{"a pair", [2]any{"a", point{}}, 5},
		{"an equal pair", [2]any{"a", point{}}, 5},
		{"a struct with an interface", struct{ V any }{1}, 6},
		{"an equal one", struct{ V any }{1}, 6},
		{"not a number", point{math.NaN(), 0}, 7},
		{"which equals nothing", point{math.NaN(), 0}, 8},
	} {
		got, err := pick(c.what)
		require.NoError(t, err, c.name)
		require.Equal(t, c.want, got, c.name)
	}
}

// Build returns something that tells whether it is still held.
type Build func(cost float64) (*[1 << 10]byte, error)

func TestAKeyThatEqualsNothingLeavesNothingBehind(t *testing.T) {
	build := around[Build](t, aspects.NewCache(), func(float64) (*[1 << 10]byte, error) { return new([1 << 10]byte), nil }, annotated(forMinute))
	for cost, held := range map[float64]bool{1: true, math.NaN(): false} {
		built, err := build(cost)
		require.NoError(t, err)
		kept := weak.Make(built)
		built = nil
		runtime.GC()
		require.Equal(t, held, kept.Value() != nil, cost)
	}
	runtime.KeepAlive(build)
}

func TestCacheInvalidatesWhatIsMeant(t *testing.T) {
	for _, c := range []struct {
		name  string
		cache string
		key   []any
		found bool
		want  []string // of Get 1, Get 2, Count after
	}{
		{"a method's entry", "PgUsers@Get", []any{"1"}, true, []string{"1 4", "2 2", "3"}},
		{"a method", "PgUsers@Get", nil, true, []string{"1 4", "2 5", "3"}},
		{"a shared cache", "users", nil, true, []string{"1 4", "2 5", "6"}},
		{"an entry in a shared cache", "users", []any{"2"}, true, []string{"1 1", "2 4", "3"}},
		{"a key that cannot be compared", "PgUsers@Get", []any{[]string{"1"}}, true, []string{"1 4", "2 5", "3"}},
		{"a key of another type", "PgUsers@Get", []any{1}, true, []string{"1 1", "2 2", "3"}},
		{"a cache that does not exist", "orders", nil, false, []string{"1 1", "2 2", "3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cache, calls := aspects.NewCache(), 0
			set := annotation.Set(func(c *aspects.Cacheable) { forMinute(c); c.Name = "users" })
			users := where[aspects.Cacheable, Users](t, cache, &PgUsers{get: counted(&calls), count: func() int { calls++; return calls }},
				aspect.Annotate[aspects.Cacheable]("Get,Count", set))
			ask := func() []string {
				one, _ := users.Get(t.Context(), "1")
				two, _ := users.Get(t.Context(), "2")
				return []string{one, two, fmt.Sprint(users.Count())}
			}
			require.False(t, cache.Invalidate("users"), "nobody has called yet")
			require.Equal(t, []string{"1 1", "2 2", "3"}, ask())
			require.Equal(t, c.found, cache.Invalidate(c.cache, c.key...))
			require.Equal(t, c.want, ask())
		})
	}
}

func TestACacheOfOneMethodIsFoundByTheMethodAlone(t *testing.T) {
	cache, calls := aspects.NewCache(), 0
	load := around(t, cache, counted(&calls), annotated(forMinute))
	_, _ = load(t.Context(), "a")
	require.False(t, cache.Invalidate(""))
	require.True(t, cache.Invalidate("Load@Call"))
}

func TestCacheHasADefaultForMethodsWithoutAnnotation(t *testing.T) {
	calls := 0
	load := around(t, aspects.NewCache(aspects.DefaultCacheable(aspects.Cacheable{TTL: time.Minute})), counted(&calls))
	_, _ = load(t.Context(), "a")
	_, err := load(t.Context(), "a")
	require.NoError(t, err)
	require.Equal(t, 1, calls)
}
