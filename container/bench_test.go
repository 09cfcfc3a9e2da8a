package container_test

import (
	"reflect"
	"testing"

	"go.uber.org/dig"

	"github.com/backstay/backstay/container"
)

// links are constructors of a chain of services, each of which needs the one before it.
func links(n int) (constructors []any, last any) {
	of := func(i int) reflect.Type { return reflect.ArrayOf(i, reflect.TypeFor[struct{}]()) }
	in := []reflect.Type(nil)
	for i := range n {
		made := []reflect.Value{reflect.Zero(of(i))}
		t := reflect.FuncOf(in, []reflect.Type{of(i)}, false)
		constructors = append(constructors, reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value { return made }).Interface())
		in = []reflect.Type{of(i)}
	}
	return constructors, reflect.MakeFunc(reflect.FuncOf(in, nil, false), func([]reflect.Value) []reflect.Value { return nil }).Interface()
}

func BenchmarkBuildAChainOfAThousand(b *testing.B) {
	constructors, last := links(1000)
	b.Run("backstay", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c := container.New()
			for _, f := range constructors {
				c.Provide(f)
			}
			if err := c.Invoke(last); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("dig-deferred", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c := dig.New(dig.DeferAcyclicVerification())
			for _, f := range constructors {
				if err := c.Provide(f); err != nil {
					b.Fatal(err)
				}
			}
			if err := c.Invoke(last); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkGetABuiltSingleton(b *testing.B) {
	c := container.New()
	c.Provide(func() *Plain { return &Plain{} }, container.As[Caller]())
	c.Provide(func() *A { return &A{} })
	c.Provide(func() *C { return &C{} }, container.Name("c"))
	b.Run("interface", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = container.Get[Caller](c)
		}
	})
	b.Run("pointer", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = container.Get[*A](c)
		}
	})
	b.Run("named", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = container.Get[*C](c, container.Name("c"))
		}
	})
	b.Run("parallel", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				_, _ = container.Get[Caller](c)
			}
		})
	})
}
