//go:build gc && !purego && (amd64 || arm64)

package dynproxy_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/backstay/backstay/internal/dynproxy"
)

// service is an interface of the size that services have.
type service interface {
	Get(ctx context.Context, id int) (string, error)
	Put(ctx context.Context, id int, text string) error
	List(ctx context.Context, ids ...int) ([]string, error)
	Delete(ctx context.Context, id int) error
	Close() error
}

type memory struct{ text string }

//go:noinline
func (m *memory) Get(context.Context, int) (string, error) { return m.text, nil }

func (m *memory) Put(context.Context, int, string) error { return nil }

func (m *memory) List(context.Context, ...int) ([]string, error) { return nil, nil }

func (m *memory) Delete(context.Context, int) error { return nil }

func (m *memory) Close() error { return nil }

func BenchmarkCall(b *testing.B) {
	target := &memory{"text"}
	run := func(s service) func(b *testing.B) {
		return func(b *testing.B) {
			ctx := b.Context()
			b.ReportAllocs()
			for b.Loop() {
				_, _ = s.Get(ctx, 1)
			}
		}
	}
	b.Run("target", run(target))
	b.Run("straight", run(proxyOf[service](b, target, straight)))
	b.Run("handler", run(proxyBy[service](b, func() func(dynproxy.Method, []reflect.Value) []reflect.Value {
		out := append(results("text"), reflect.Zero(reflect.TypeFor[error]()))
		return func(dynproxy.Method, []reflect.Value) []reflect.Value { return out }
	}())))
	b.Run("handler that calls by reflection", run(proxyOf[service](b, target, handled)))
	b.Run("bare MakeFunc that calls by reflection", func(b *testing.B) {
		get := reflect.ValueOf(target).MethodByName("Get")
		f := reflect.MakeFunc(get.Type(), get.Call).Interface().(func(context.Context, int) (string, error))
		ctx := b.Context()
		b.ReportAllocs()
		for b.Loop() {
			_, _ = f(ctx, 1)
		}
	})
}

func BenchmarkNew(b *testing.B) {
	typ := typeOf(b, reflect.TypeFor[service]())
	targets := results(&memory{})
	one := make([]dynproxy.Handler, typ.NumMethod())
	one[2] = func(args []reflect.Value) []reflect.Value { return args }
	all := make([]dynproxy.Handler, typ.NumMethod())
	for i := range all {
		all[i] = one[2]
	}
	for _, c := range []struct {
		name     string
		handlers []dynproxy.Handler
	}{
		{"no handler", make([]dynproxy.Handler, typ.NumMethod())},
		{"one handler of five", one},
		{"five handlers", all},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				typ.New(targets, c.handlers, nil)
			}
		})
	}
}

func BenchmarkTypeOfKnown(b *testing.B) {
	interfaces := []reflect.Type{reflect.TypeFor[service](), reflect.TypeFor[first]()}
	typeOf(b, interfaces...)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = dynproxy.TypeOf(interfaces...)
	}
}

func BenchmarkDataOf(b *testing.B) {
	var p any = proxyOf[service](b, &memory{}, straight)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = dynproxy.DataOf(p)
	}
}
