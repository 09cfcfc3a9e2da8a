package container_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/backstay/backstay/container"
)

// wiring is a random graph of services with random lifetimes, and how often each was built.
type wiring struct {
	needs    [][]int  // by service: those before it that it takes
	lifetime []string // "once", "in each scope", "each time"
	bound    []bool   // to be had from a scope only
	built    []int
}

func drawWiring(t *rapid.T) *wiring {
	n := rapid.IntRange(1, 12).Draw(t, "services")
	w := &wiring{built: make([]int, n)}
	for i := range n {
		l := rapid.SampledFrom([]string{"once", "in each scope", "each time"}).Draw(t, "lifetime")
		bound := l == "in each scope"
		var needs []int
		for range min(i, rapid.IntRange(0, 3).Draw(t, "needs")) {
			d := rapid.IntRange(0, i-1).Draw(t, "need")
			if w.bound[d] && l == "once" {
				continue // a definition error
			}
			needs = append(needs, d)
			bound = bound || w.bound[d]
		}
		w.needs, w.lifetime, w.bound = append(w.needs, needs), append(w.lifetime, l), append(w.bound, bound)
	}
	return w
}

func typeOf(i int) reflect.Type { return reflect.ArrayOf(i+1, reflect.TypeFor[int]()) }

// container provides the services. Each is a pointer to an array, whose length is its number, and checks what it gets.
func (w *wiring) container(t *rapid.T) *container.Container {
	c := container.New()
	for i, needs := range w.needs {
		var in []reflect.Type
		for _, d := range needs {
			in = append(in, reflect.PointerTo(typeOf(d)))
		}
		f := reflect.MakeFunc(reflect.FuncOf(in, []reflect.Type{reflect.PointerTo(typeOf(i))}, false), func(args []reflect.Value) []reflect.Value {
			for _, a := range args {
				require.False(t, a.IsNil())
			}
			w.built[i]++
			return []reflect.Value{reflect.New(typeOf(i))}
		})
		switch w.lifetime[i] {
		case "once":
			c.Provide(f.Interface())
		case "in each scope":
			c.Provide(f.Interface(), container.Scoped())
		case "each time":
			c.Provide(f.Interface(), container.Transient())
		}
	}
	return c
}

// get is what a Get of service i from a scope builds, by the rules: want counts it.
func (w *wiring) get(i int, once, here map[int]bool, want []int) {
	switch w.lifetime[i] {
	case "once":
		if once[i] {
			return
		}
		once[i] = true
	case "in each scope":
		if here[i] {
			return
		}
		here[i] = true
	}
	want[i]++
	for _, d := range w.needs[i] {
		w.get(d, once, here, want)
	}
}

func TestScopesBuildWhatTheModelSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWiring(t)
		c := w.container(t)
		require.NoError(t, c.Verify())
		want, once := make([]int, len(w.built)), map[int]bool{}
		scopes := []*container.Scope{c.Scope()}
		here := []map[int]bool{{}}
		values := []map[int]any{{}} // kept, so that no address is used twice
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			at := rapid.IntRange(0, len(scopes)).Draw(t, "scope")
			if at == len(scopes) {
				scopes, here, values = append(scopes, c.Scope()), append(here, map[int]bool{}), append(values, map[int]any{})
			}
			i := rapid.IntRange(0, len(want)-1).Draw(t, "service")
			var got any
			f := reflect.MakeFunc(reflect.FuncOf([]reflect.Type{reflect.PointerTo(typeOf(i))}, nil, false), func(args []reflect.Value) []reflect.Value {
				got = args[0].Interface()
				return nil
			}).Interface()
			if !w.bound[i] && rapid.Bool().Draw(t, "from the container") {
				require.NoError(t, c.Invoke(f))
			} else {
				require.NoError(t, scopes[at].Invoke(f))
			}
			w.get(i, once, here[at], want)
			require.Equal(t, want, w.built, fmt.Sprint(w.needs, w.lifetime))

			same := values[at]
			if w.lifetime[i] == "once" {
				same = values[0]
			}
			if known, ok := same[i]; ok {
				require.Equal(t, w.lifetime[i] != "each time", known == got)
			}
			same[i] = got
		}
		for _, s := range scopes {
			require.NoError(t, s.Close(t.Context()))
		}
	})
}
