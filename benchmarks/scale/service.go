package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

//go:generate go tool backstay -type Store,Wide

// Store is the service that is woven, with a generated proxy.
type Store interface {
	Load(ctx context.Context, key string) (string, error)
}

// RunTimeStore has the same method and no generated proxy, so that its proxies are made at run time.
type RunTimeStore interface{ Store }

// Wide has ten methods.
type Wide interface {
	Load(ctx context.Context, key string) (string, error)
	Load2(ctx context.Context, key string) (string, error)
	Load3(ctx context.Context, key string) (string, error)
	Load4(ctx context.Context, key string) (string, error)
	Load5(ctx context.Context, key string) (string, error)
	Load6(ctx context.Context, key string) (string, error)
	Load7(ctx context.Context, key string) (string, error)
	Load8(ctx context.Context, key string) (string, error)
	Load9(ctx context.Context, key string) (string, error)
	Load10(ctx context.Context, key string) (string, error)
}

// RunTimeWide is to Wide what RunTimeStore is to Store.
type RunTimeWide interface{ Wide }

// methods are those of Wide, by number.
func methods(n int) (list string) {
	list = "Load"
	for i := 2; i <= n; i++ {
		list += fmt.Sprint(",Load", i)
	}
	return list
}

// memory is what all proxies stand before. It answers with the key, so that an answer proves that the call came through.
type memory struct{ _ byte } // not of size zero, or all would be one

func newMemory() *memory { return &memory{} }

//go:noinline
func (*memory) Load(_ context.Context, key string) (string, error)   { return key, nil }
func (*memory) Load2(_ context.Context, key string) (string, error)  { return key, nil }
func (*memory) Load3(_ context.Context, key string) (string, error)  { return key, nil }
func (*memory) Load4(_ context.Context, key string) (string, error)  { return key, nil }
func (*memory) Load5(_ context.Context, key string) (string, error)  { return key, nil }
func (*memory) Load6(_ context.Context, key string) (string, error)  { return key, nil }
func (*memory) Load7(_ context.Context, key string) (string, error)  { return key, nil }
func (*memory) Load8(_ context.Context, key string) (string, error)  { return key, nil }
func (*memory) Load9(_ context.Context, key string) (string, error)  { return key, nil }
func (*memory) Load10(_ context.Context, key string) (string, error) { return key, nil }

// yielding is a memory that lets others run in the midst of a call, as one does that waits for the network.
type yielding struct{ memory }

func newYielding() *yielding { return &yielding{} }

//go:noinline
func (*yielding) Load(_ context.Context, key string) (string, error) {
	runtime.Gosched()
	return key, nil
}

// source makes the stores of one measurement: n of them, each with what opts say, and checked.
type source func(n int, constructor any, opts ...container.ProvideOption) ([]Store, error)

var errAnswer = errors.New("the call did not answer with its key")

// call makes a call and checks its answer.
func call(ctx context.Context, s Store) error {
	answer, err := s.Load(ctx, "key")
	if err == nil && answer != "key" {
		return errAnswer
	}
	return err
}

// The sources of stores: plain, and woven in a container by either kind of proxy.
var (
	plain     source = unwoven
	generated source = woven[Store](aspect.Generated)
	runTime   source = woven[RunTimeStore](aspect.RunTime)

	generatedWide source = woven[Wide](aspect.Generated)
	runTimeWide   source = woven[RunTimeWide](aspect.RunTime)
)

// unwoven are the targets alone.
func unwoven(n int, constructor any, _ ...container.ProvideOption) (stores []Store, err error) {
	for range n {
		switch constructor := constructor.(type) {
		case func() *memory:
			stores = append(stores, constructor())
		case func() *yielding:
			stores = append(stores, constructor())
		}
	}
	return checked(stores, aspect.NoProxy)
}

// woven are services of one container, each with a breaker and a budget of its own where it has any.
func woven[S Store](kind aspect.ProxyKind) source {
	return func(n int, constructor any, opts ...container.ProvideOption) ([]Store, error) {
		_, stores, err := inContainer[S]("store", n, constructor, opts...)
		if err != nil {
			return nil, err
		}
		return checked(stores, kind)
	}
}

// inContainer provides n services under names that begin with prefix, and gets them.
func inContainer[S Store](prefix string, n int, constructor any, opts ...container.ProvideOption) (*container.Container, []Store, error) {
	c := container.New()
	for i := range n {
		c.Provide(constructor, append([]container.ProvideOption{container.As[S](), container.Name(fmt.Sprint(prefix, i))}, opts...)...)
	}
	stores := make([]Store, n)
	for i := range n {
		s, err := container.Get[S](c, container.Name(fmt.Sprint(prefix, i)))
		if err != nil {
			return nil, nil, err
		}
		stores[i] = s
	}
	return c, stores, nil
}

// checked calls each store once, before anything is timed.
func checked(stores []Store, kind aspect.ProxyKind) ([]Store, error) {
	for _, s := range stores {
		if is := aspect.KindOf(s); is != kind {
			return nil, fmt.Errorf("a store is %v, not %v", is, kind)
		}
		if err := call(context.Background(), s); err != nil {
			return nil, err
		}
	}
	return stores, nil
}
