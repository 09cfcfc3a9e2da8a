package generics

import (
	"context"
	"errors"
	"testing"

	"golden/script"
)

type store[K comparable, V any] struct{ *script.Script }

func (t store[K, V]) Get(ctx context.Context, key K) (value V, ok bool, err error) {
	err = t.Call("Get", ctx, key)
	return value, err == nil, err
}

func (t store[K, V]) Put(ctx context.Context, key K, values ...V) error {
	return t.Call("Put", ctx, key, values)
}

func (t store[K, V]) All() map[K][]V {
	if t.Call("All") != nil {
		return nil
	}
	return map[K][]V{*new(K): {}}
}

func TestStore(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Store[string, []Item]](s, store[string, []Item]{s})
	ctx := script.Context("store")

	value, ok, err := p.Get(ctx, "key")
	s.NoError(err)
	script.Equal(s, value, nil)
	script.Equal(s, ok, true)
	s.Called("Get", ctx, "key")

	s.NoError(p.Put(ctx, "key", []Item{{"a"}}, nil))
	s.Called("Put", ctx, "key", [][]Item{{{"a"}}, nil})

	script.Equal(s, p.All(), map[string][][]Item{"": {}})
}

type sum struct{ *script.Script }

func (t sum) Add(a, b int) (int, error) { return a + b, t.Call("Add", a, b) }

func (t sum) Join(parts ...label) (all label) {
	if t.Call("Join", parts) == nil {
		for _, p := range parts {
			all += p
		}
	}
	return all
}

func TestSum(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Sum[int, label]](s, sum{s})

	n, err := p.Add(1, 2)
	s.NoError(err)
	script.Equal(s, n, 3)
	s.Called("Add", 1, 2)

	script.Equal(s, p.Join("a", "b"), "ab")
	s.Called("Join", []label{"a", "b"})
}

type sorted[T any] struct{ *script.Script }

func (t sorted[T]) Max(all []T) (T, error) { return all[0], t.Call("Max", all) }

func TestSorted(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Sorted[string]](s, sorted[string]{s})

	most, err := p.Max([]string{"z", "a"})
	s.NoError(err)
	script.Equal(s, most, "z")
	s.Called("Max", []string{"z", "a"})
}

type linked struct{ *script.Script }

func (t linked) Last(from *node) (*node, error) { return from.next, t.Call("Last", from) }

func TestLinked(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Linked[*node]](s, linked{s})

	n := &node{next: &node{}}
	last, err := lastOf(p, n)
	s.NoError(err)
	script.Equal(s, last, n.Next())
	s.Called("Last", n)
}

type pointer struct{ *script.Script }

func (t pointer) Parse(text string) (*Item, error) {
	i := &Item{}
	i.Set(text)
	return i, t.Call("Parse", text)
}

func TestPointer(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Pointer[Item, *Item]](s, pointer{s})

	i, err := p.Parse("text")
	s.NoError(err)
	script.Equal(s, i, &Item{"text"})
	s.Called("Parse", "text")
}

type shadow struct{ *script.Script }

func (t shadow) String() string {
	_ = t.Call("String")
	return "shadow"
}

func (t shadow) Len() int {
	_ = t.Call("Len")
	return 6
}

func (t shadow) Do(a int, b string, c int16, d int32, e int64) (float64, error) {
	return 1.5, t.Call("Do", a, b, c, d, e)
}

func (t shadow) Format(a bool, b int8) float64 {
	_ = t.Call("Format", a, b)
	return 2.5
}

func TestShadow(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Shadow[int, string, bool, int8, int16, int32, int64, float64]](s, shadow{s})

	script.Equal(s, p.String(), "shadow")
	script.Equal(s, p.Len(), 6)
	f, err := p.Do(1, "b", 3, 4, 5)
	s.NoError(err)
	script.Equal(s, f, 1.5)
	s.Called("Do", 1, "b", int16(3), int32(4), int64(5))
	script.Equal(s, p.Format(true, 1), 2.5)
	s.Called("Format", true, int8(1))
}

type fallible[E any] struct {
	*script.Script
	convert func(error) E
}

func (t fallible[E]) Do(any any, err, last E) E {
	return t.convert(t.Call("Do", any, err, last))
}

func (t fallible[E]) Count() (int, E) { return 3, t.convert(t.Call("Count")) }

func TestAResultThatIsAnErrorInOneInstance(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Fallible[error]](s, fallible[error]{s, func(err error) error { return err }})

	argument := errors.New("an argument")
	s.NoError(p.Do(1, argument, nil))
	s.Called("Do", 1, argument, nil)
	n, err := p.Count()
	s.NoError(err)
	script.Equal(s, n, 3)
}

func TestAResultThatIsNoErrorInAnotherInstance(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Fallible[int]](s, fallible[int]{s, func(err error) int {
		if err != nil {
			return 0
		}
		return 1
	}})

	script.Equal(s, p.Do(1, 2, 3), 1)
	s.Called("Do", 1, 2, 3)
	n, m := p.Count()
	script.Equal(s, n, 3)
	script.Equal(s, m, 1)
}

type blank struct{ *script.Script }

func (t blank) Do() error { return t.Call("Do") }

func TestBlank(t *testing.T) {
	s := script.New(t)
	s.NoError(script.Weave[Blank[int]](s, blank{s}).Do())
}

type fixed struct {
	sorted[float64]
	store[int, Sum[int, label]]
}

func TestFixed(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Fixed](s, fixed{sorted[float64]{s}, store[int, Sum[int, label]]{s}})
	ctx := script.Context("fixed")

	most, err := p.Max([]float64{2, 1})
	s.NoError(err)
	script.Equal(s, most, 2)
	value, ok, err := p.Get(ctx, 1)
	s.NoError(err)
	script.Equal(s, value, nil)
	script.Equal(s, ok, true)
	s.NoError(p.Put(ctx, 1, sum{s}))
	s.Called("Put", ctx, 1, []Sum[int, label]{sum{s}})
	script.Equal(s, len(p.All()), 1)
}
