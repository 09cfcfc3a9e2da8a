package aspects

import (
	"reflect"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// CacheAspect keeps the results of methods, as their [Cacheable] annotations say. It is given to consumers as a value too,
// for those who invalidate.
//
// Only successes are kept; of a method without an error result, whatever it returns. A call with an error, a panic or
// runtime.Goexit leaves nothing. Kept results are shared: who gets a slice, a map or a pointer must not change what is in it.
//
// Calls with the same key that come while one is under way wait for it and get its results, or its error; there is one call
// of the method. Its context is that of the caller who came first. When that one's context ends it, or it panics, one of
// those who wait calls in its place. A context that is done while its caller waits ends that wait alone: the error matches the
// context's. A method without an error result cannot say so, and is called then.
//
// A key is made of the arguments, compared by ==. Slices, maps, funcs and pointers, alone or within structs, are refused,
// pointers because they are equal by address, whatever they point at; time.Time has one. Give Key there, or KeyArgs without
// them. A key with a NaN in it equals nothing: its calls are not cached.
//
// A method that calls itself with the same arguments, through its woven self, waits for itself.
type CacheAspect struct {
	byDefault *Cacheable
	methods   methods[*cachedMethod]
	stores    shared[Cacheable, entryLimit, *cacheStore]
}

var _ aspect.Checker = (*CacheAspect)(nil)

// CacheOption configures a [CacheAspect].
type CacheOption func(*CacheAspect)

// DefaultCacheable is what holds for methods that the aspect meets and that have no [Cacheable] annotation.
func DefaultCacheable(c Cacheable) CacheOption {
	return func(a *CacheAspect) { a.byDefault = &c }
}

// NewCache returns an aspect with nothing in it.
func NewCache(opts ...CacheOption) *CacheAspect {
	a := &CacheAspect{}
	configure(a, opts)
	return a
}

// cachedMethod is what a cache knows of one method.
type cachedMethod struct {
	settings Cacheable
	place    string
	store    *cacheStore
	keys     *keyMaker
	values   int   // results that are no error
	fails    bool  // there is an error result
	wrong    error // every call gets it; nil: the annotation fits
}

// Process answers with what is kept, or proceeds and keeps it.
func (a *CacheAspect) Process(jp aspect.JoinPoint) error {
	m, ok := a.methods.of(jp.Ref())
	if !ok {
		m = a.methods.add(met(jp), a.prepare)
	}
	if m.wrong != nil {
		return m.wrong
	}
	args, problem := m.keys.of(jp)
	switch {
	case problem != "":
		return wrongKey(jp.Ref(), m.place, problem)
	case !equalsItself(args):
		return jp.Proceed()
	}
	for key := (cacheKey{m, args}); ; {
		results, f, leads := m.store.look(key)
		switch {
		case f == nil:
			return answer(jp, results)
		case leads:
			return m.lead(jp, key, f)
		}
		select {
		case <-f.done:
		case <-jp.Context().Done():
			if !m.fails {
				return jp.Proceed()
			}
			return waitEnded(jp.Context(), jp.Ref(), "a call with the same key")
		}
		switch {
		case !f.shared: // look again
		case f.err != nil:
			return f.err
		default:
			return answer(jp, f.results)
		}
	}
}

// Check says whether results of a method that the aspect meets can be kept, and by which key.
func (a *CacheAspect) Check(m aspect.MetMethod) error {
	read, c, err := a.read(m)
	if err != nil || read.settings.Validate() != nil {
		return err // an annotation that is not valid has been reported, and is compared with nothing
	}
	return a.stores.plan(c)
}

// prepare makes what a method's calls need.
func (a *CacheAspect) prepare(m aspect.MetMethod) *cachedMethod {
	read, c, err := a.read(m)
	if err == nil {
		read.store, err = a.stores.get(c, newCacheStore)
	}
	read.wrong = err
	return read
}

// read is what a method's annotation says, and the store that it claims by that.
func (a *CacheAspect) read(m aspect.MetMethod) (read *cachedMethod, c claim[entryLimit], err error) {
	read = &cachedMethod{fails: hasError(m.Method), values: m.Method.Type.NumOut()}
	if read.fails {
		read.values--
	}
	read.settings, read.place, err = declared(m, a.byDefault, "aspects.DefaultCacheable")
	switch {
	case err != nil:
		return read, c, err
	case read.values == 0:
		return read, c, wrong[Cacheable](m.Ref, read.place, "the method returns nothing that can be kept", "leave it out")
	}
	keys, problem := newKeyMaker(read.settings, m.Method.Type)
	if problem != "" {
		return read, c, wrongKey(m.Ref, read.place, problem)
	}
	read.keys = keys
	return read, claim[entryLimit]{read.settings.Name, read.settings.maxEntries(), m.Ref, read.place}, nil
}

func wrongKey(ref retry.MethodRef, place, problem string) error {
	return wrong[Cacheable](ref, place, problem, "name the arguments that make the key by keyArgs, or make one by Key")
}

// lead is the call for which others wait. Whatever way out it takes, it lets them go on.
func (m *cachedMethod) lead(jp aspect.JoinPoint, key cacheKey, f *flight) error {
	defer m.store.land(key, f, m.settings.TTL)
	err := jp.Proceed()
	switch {
	case err == nil:
		f.shared, f.results = true, jp.Results()[:m.values]
	case jp.Context().Err() == nil:
		f.shared, f.err = true, err
	}
	return err
}

// answer returns kept results.
func answer(jp aspect.JoinPoint, results []any) error {
	for i, r := range results {
		aspect.SetResult(jp, i, r)
	}
	return nil
}

// Invalidate forgets what is kept under a name: that of annotations, or of a method that has a cache of its own, as in
// "PgUsers@Get". A key, if it is given, is what one entry is found by: the arguments that make it, each of its parameter's
// type, or what Key returned; one that cannot be compared stands for all. It returns whether there is a cache of that name:
// not before the first call of one of its methods.
//
// Calls that are under way are not kept, and who comes later does not wait for them: what is read after Invalidate has
// returned was not read before.
func (a *CacheAspect) Invalidate(name string, key ...any) (found bool) {
	args := keyOf(key)
	if args != nil && !reflect.ValueOf(args).Comparable() {
		key = nil // no entry has such a key, and to forget too little is the worse mistake
	}
	for ref, m := range a.methods.all() {
		if m.wrong != nil || name != ref.String() && (name != m.settings.Name || name == "") {
			continue
		}
		found = true
		if len(key) > 0 {
			m.store.invalidateKey(cacheKey{m, args})
			continue
		}
		m.store.invalidate(func(k cacheKey) bool { return k.method == m })
	}
	return found
}
