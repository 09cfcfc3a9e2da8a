package aspects_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/aspects"
)

// Funcs of several shapes.
type (
	Save  func(ctx context.Context, id string) error
	Count func() int
	Touch func()
)

// weaving weaves a target by w, and returns a call of it.
type weaving func(w *aspect.Weaver) (call func() error, err error)

// woven weaves target and calls it. A panic with an error is one of the call.
func woven[I any](target I, call func(I) error, opts ...aspect.WrapOption) weaving {
	return func(w *aspect.Weaver) (func() error, error) {
		i, err := aspect.Wrap(w, target, opts...)
		return func() (err error) {
			defer func() {
				if p, ok := recover().(error); ok {
					err = p
				}
			}()
			return call(i)
		}, err
	}
}

func cached(set func(*aspects.Cacheable)) aspect.WrapOption {
	return annotated(func(c *aspects.Cacheable) {
		c.TTL = time.Minute
		if set != nil {
			set(c)
		}
	})
}

func definitionError(t *testing.T, err error) *annotation.DefinitionError {
	t.Helper()
	d := new(annotation.DefinitionError)
	require.ErrorAs(t, err, &d)
	return d
}

const makeAKey = "name the arguments that make the key by keyArgs, or make one by Key"

type byPointer struct{ To *int }

// loading is a Load without settings of its own, or with those.
func loading(opts ...aspect.WrapOption) weaving {
	return woven(Load(newTimed().load), func(load Load) error { _, err := load(context.Background(), "7"); return err }, opts...)
}

// picking is a Pick that is called with what.
func picking(what any, opts ...aspect.WrapOption) weaving {
	return woven(Pick(func(any) (int, error) { return 0, nil }), func(pick Pick) error { _, err := pick(what); return err }, opts...)
}

func TestWhatDoesNotFitItsMethodIsADefinitionErrorBeforeItsFirstCall(t *testing.T) {
	type (
		variadic func(...string) (int, error)
		pointer  func(context.Context, *int) (int, error)
		array    func([2]byPointer) (int, error)
		moment   func(time.Time) (int, error)
	)
	for _, c := range []struct {
		name    string
		of      func() aspect.Aspect
		weave   weaving
		problem string
		remedy  string
		ofNone  bool // there is no annotation whose place could be told
	}{
		{"a cache of a slice", newCache,
			woven(variadic(func(...string) (int, error) { return 0, nil }), func(f variadic) error { _, err := f("a"); return err }, cached(nil)),
			"argument 0 can be in no key: a []string cannot be compared", makeAKey, false},
		{"a cache of a pointer", newCache,
			woven(pointer(func(context.Context, *int) (int, error) { return 0, nil }), func(f pointer) error { _, err := f(context.Background(), nil); return err }, cached(nil)),
			"argument 1 can be in no key: a *int is compared by its address", makeAKey, false},
		{"a cache of a pointer in a struct in an array", newCache,
			woven(array(func([2]byPointer) (int, error) { return 0, nil }), func(f array) error { _, err := f([2]byPointer{}); return err }, cached(nil)),
			"argument 0 can be in no key: aspects_test.byPointer has a field To, and a *int is compared by its address", makeAKey, false},
		{"a cache of a time", newCache,
			woven(moment(func(time.Time) (int, error) { return 0, nil }), func(f moment) error { _, err := f(time.Now()); return err }, cached(nil)),
			"argument 0 can be in no key: time.Time has a field loc, and a *time.Location is compared by its address", makeAKey, false},
		{"a cache of a context", newCache, loading(cached(func(c *aspects.Cacheable) { c.KeyArgs = []int{0, 1} })),
			"argument 0 can be in no key: a context.Context differs from call to call", makeAKey, false},
		{"a cache of an argument that is not there", newCache, loading(cached(func(c *aspects.Cacheable) { c.KeyArgs = []int{1, 2} })),
			"keyArgs has 2, and the method has 2 arguments, counted from 0", makeAKey, false},
		{"a cache of nothing", newCache,
			woven(Save(func(context.Context, string) error { return nil }), func(f Save) error { return f(context.Background(), "7") }, cached(nil)),
			"the method returns nothing that can be kept", "leave it out", false},
		{"a cache without settings", newCache, loading(),
			"the method has none, and the aspect has no default", "annotate the method, or give the aspect's constructor aspects.DefaultCacheable", true},
		{"a cache with a wrong default", func() aspect.Aspect { return aspects.NewCache(aspects.DefaultCacheable(aspects.Cacheable{})) }, loading(),
			"the aspect's default is not valid: it has no ttl; write how long results are kept, such as 30s", "correct what aspects.DefaultCacheable is given", true},
		{"a bulkhead without settings", newBulkhead, loading(),
			"the method has none, and the aspect has no default", "annotate the method, or give the aspect's constructor aspects.DefaultBulkhead", true},
		{"a bulkhead with a wrong default", func() aspect.Aspect { return aspects.NewBulkhead(aspects.DefaultBulkhead(aspects.Bulkhead{})) }, loading(),
			"the aspect's default is not valid: maxConcurrent is 0; write how many calls may run, 1 or more", "correct what aspects.DefaultBulkhead is given", true},
		{"a bulkhead of what cannot be refused", newBulkhead,
			woven(Count(func() int { return 0 }), func(f Count) error { f(); return nil }, bulkhead(1, 0, 0)),
			"the method returns no error, so that no call can be refused", "let it return one, or leave it out", false},
		{"a rate limit without settings", newRateLimit, loading(),
			"the method has none, and the aspect has no default", "annotate the method, or give the aspect's constructor aspects.DefaultRateLimit", true},
		{"a rate limit with a wrong default", func() aspect.Aspect { return aspects.NewRateLimit(aspects.DefaultRateLimit(aspects.RateLimit{})) }, loading(),
			"the aspect's default is not valid: perSecond is 0; write how many calls may come in a second, such as 50 or 0.5", "correct what aspects.DefaultRateLimit is given", true},
		{"a rate limit of what cannot be refused", newRateLimit,
			woven(Touch(func() {}), func(f Touch) error { f(); return nil }, limit(1, 0, 0)),
			"the method returns no error, so that no call can be refused", "let it return one, or leave it out", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.weave(aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 1, c.of())))
			told := definitionError(t, err)
			require.Equal(t, c.problem, told.Problem)
			require.Equal(t, c.remedy, told.Remedy)
			require.Equal(t, "Call", told.Ref.Method)
			if c.ofNone {
				require.Contains(t, told.Place, "misfit_test.go:", "that of the aspect")
			} else {
				require.Contains(t, told.Place, "helper_test.go:", "that of the annotation")
			}

			call, err := c.weave(aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 1, unasked(c.of()))))
			require.NoError(t, err, "nobody could be asked")
			for range 2 {
				late := *definitionError(t, call())
				if c.ofNone {
					late.Place = told.Place // a call does not know where the aspect was given
				}
				require.Equal(t, *told, late, "each call ends with the same")
			}
		})
	}
}

func newCache() aspect.Aspect     { return aspects.NewCache() }
func newBulkhead() aspect.Aspect  { return aspects.NewBulkhead() }
func newRateLimit() aspect.Aspect { return aspects.NewRateLimit() }

func TestWhatOnlyACallCanTellIsADefinitionErrorOfTheCall(t *testing.T) {
	type pair struct {
		V any
		N int
	}
	for _, c := range []struct {
		name  string
		weave weaving
		want  string
	}{
		{"a key that cannot be compared", loading(cached(func(c *aspects.Cacheable) { c.Key = func(aspect.JoinPoint) any { return []int{1} } })),
			"Key returned a []int, which cannot be compared"},
		{"a slice in an interface", picking([]int{1}, cached(nil)), "argument 0 can be in no key: a []int cannot be compared"},
		{"a map in an interface beside others", picking(pair{map[int]int{}, 1}, cached(nil)), "argument 0 can be in no key: a map[int]int cannot be compared"},
		{"a pointer in an interface in a struct in an array", picking([1]struct{ V any }{{new(int)}}, cached(nil)),
			"argument 0 can be in no key: a *int is compared by its address"},
		{"a context in a struct in an interface", picking(struct{ context.Context }{context.Background()}, cached(nil)),
			"argument 0 can be in no key: struct { context.Context } has a field Context, and a context.Context differs from call to call"},
	} {
		t.Run(c.name, func(t *testing.T) {
			call, err := c.weave(aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 1, aspects.NewCache())))
			require.NoError(t, err)
			told := definitionError(t, call())
			require.Equal(t, c.want, told.Problem)
			require.Equal(t, makeAKey, told.Remedy)
			require.Contains(t, told.Place, "helper_test.go:")
		})
	}
}
