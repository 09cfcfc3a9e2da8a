package wiring

import (
	"context"
	"fmt"
	"runtime"
	"strconv"

	"github.com/samber/do/v2"
	"go.uber.org/dig"

	"github.com/backstay/backstay/benchmarks/harness"
	"github.com/backstay/backstay/container"
)

// RequestScope is the name of the work, NameScoped that of Backstay's contender.
const (
	RequestScope = "open a request scope, resolve ten scoped services, close it"
	NameScoped   = "Backstay"
)

// The services of a request, each of which needs the one before it.
type (
	r0 struct{ depth int }
	r1 struct{ prev *r0 }
	r2 struct{ prev *r1 }
	r3 struct{ prev *r2 }
	r4 struct{ prev *r3 }
	r5 struct{ prev *r4 }
	r6 struct{ prev *r5 }
	r7 struct{ prev *r6 }
	r8 struct{ prev *r7 }
	r9 struct{ prev *r8 }
)

func newR0() *r0         { return &r0{depth: 10} }
func newR1(prev *r0) *r1 { return &r1{prev} }
func newR2(prev *r1) *r2 { return &r2{prev} }
func newR3(prev *r2) *r3 { return &r3{prev} }
func newR4(prev *r3) *r4 { return &r4{prev} }
func newR5(prev *r4) *r5 { return &r5{prev} }
func newR6(prev *r5) *r6 { return &r6{prev} }
func newR7(prev *r6) *r7 { return &r7{prev} }
func newR8(prev *r7) *r8 { return &r8{prev} }
func newR9(prev *r8) *r9 { return &r9{prev} }

var scoped = []any{newR0, newR1, newR2, newR3, newR4, newR5, newR6, newR7, newR8, newR9}

// request serves one request: it opens a scope, resolves the last service and closes the scope.
type request func() (*r9, error)

// depth is 10 where the whole chain was built.
func (last *r9) depth() int {
	return last.prev.prev.prev.prev.prev.prev.prev.prev.prev.depth
}

// scopers are the contenders, by name; each makes a container and returns what serves a request in it.
var scopers = []struct {
	name string
	make func() (request, error)
}{
	{NameScoped, scopedByBackstay},
	{NameDo, scopedByDo},
	{NameDigDeferred + ", the scope is never closed", scopedByDig},
	{nameHand, func() (request, error) { return scopedByHand, nil }},
}

func scopedByBackstay() (request, error) {
	c := container.New()
	for _, f := range scoped {
		c.Provide(f, container.Scoped())
	}
	return func() (*r9, error) {
		scope := c.Scope()
		last, err := container.Get[*r9](scope)
		if err != nil {
			return nil, err
		}
		return last, scope.Close(context.Background())
	}, c.Verify()
}

// scopedByDo gives each scope a name of its own, as it has to have, and the services: a scope has those that it provides.
// The scope stays with its parent after Shutdown.
func scopedByDo() (request, error) {
	root, opened := do.New(), 0
	return func() (*r9, error) {
		opened++
		scope := root.Scope(strconv.Itoa(opened))
		do.Provide(scope, func(do.Injector) (*r0, error) { return newR0(), nil })
		provideNext(scope, newR1)
		provideNext(scope, newR2)
		provideNext(scope, newR3)
		provideNext(scope, newR4)
		provideNext(scope, newR5)
		provideNext(scope, newR6)
		provideNext(scope, newR7)
		provideNext(scope, newR8)
		provideNext(scope, newR9)
		last, err := do.Invoke[*r9](scope)
		if err != nil {
			return nil, err
		}
		if report := scope.Shutdown(); !report.Succeed {
			return nil, report
		}
		return last, nil
	}, nil
}

func provideNext[P, T any](scope do.Injector, constructor func(P) T) {
	do.Provide(scope, func(i do.Injector) (T, error) {
		prev, err := do.Invoke[P](i)
		if err != nil {
			return *new(T), err
		}
		return constructor(prev), nil
	})
}

// scopedByDig has nothing to close a scope by; it stays with its parent.
func scopedByDig() (request, error) {
	c := dig.New(dig.DeferAcyclicVerification())
	return func() (last *r9, err error) {
		scope := c.Scope("request")
		for _, f := range scoped {
			if err := scope.Provide(f); err != nil {
				return nil, err
			}
		}
		err = scope.Invoke(func(t *r9) { last = t })
		return last, err
	}, nil
}

func scopedByHand() (*r9, error) {
	return newR9(newR8(newR7(newR6(newR5(newR4(newR3(newR2(newR1(newR0()))))))))), nil
}

// scopeWork is the work of all of them.
func scopeWork() harness.Work {
	w := harness.Work{
		Name: RequestScope,
		About: "One container for all requests. Backstay's scoped services are registered in the container; the others register them in each scope. " +
			"Scopes of samber/do and dig stay with their parent for as long as that lives.",
		Reference: NameScoped,
	}
	for _, s := range scopers {
		w.Cases = append(w.Cases, harness.Case{Name: s.name, New: func() (harness.Op, error) {
			serve, err := s.make()
			return harness.Op{Run: func(_, n int) error { return serve.times(n) }}, err
		}})
	}
	return w
}

// times serves n requests, of which none may get what another one got.
func (serve request) times(n int) error {
	var before *r9
	for range n {
		last, err := serve()
		if err != nil {
			return err
		}
		if last == before || last.depth() != len(scoped) {
			return fmt.Errorf("a request got the services of another one, or not all of them")
		}
		before = last
	}
	return nil
}

// Retained is how many bytes of heap each of n closed scopes of Backstay leaves behind.
func Retained(n int) (float64, error) {
	serve, err := scopedByBackstay()
	if err != nil {
		return 0, err
	}
	if err := serve.times(100); err != nil { // what is made once
		return 0, err
	}
	before := harness.Live()
	if err := serve.times(n); err != nil {
		return 0, err
	}
	after := harness.Live()
	runtime.KeepAlive(serve)
	return (after - before) / float64(n), nil
}
