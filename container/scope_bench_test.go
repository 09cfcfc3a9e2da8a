package container_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
)

// Ten services of a request, each of which takes the one before it.
type (
	ten0 struct{ n int }
	ten1 struct{ *ten0 }
	ten2 struct{ *ten1 }
	ten3 struct{ *ten2 }
	ten4 struct{ *ten3 }
	ten5 struct{ *ten4 }
	ten6 struct{ *ten5 }
	ten7 struct{ *ten6 }
	ten8 struct{ *ten7 }
	ten9 struct{ *ten8 }
)

func BenchmarkAScopeOfTen(b *testing.B) {
	constructors := []any{
		func() *ten0 { return &ten0{} },
		func(p *ten0) *ten1 { return &ten1{p} },
		func(p *ten1) *ten2 { return &ten2{p} },
		func(p *ten2) *ten3 { return &ten3{p} },
		func(p *ten3) *ten4 { return &ten4{p} },
		func(p *ten4) *ten5 { return &ten5{p} },
		func(p *ten5) *ten6 { return &ten6{p} },
		func(p *ten6) *ten7 { return &ten7{p} },
		func(p *ten7) *ten8 { return &ten8{p} },
		func(p *ten8) *ten9 { return &ten9{p} },
	}
	ctx := context.Background()
	b.Run("none woven", func(b *testing.B) {
		c := container.New()
		for _, f := range constructors {
			c.Provide(f, container.Scoped())
		}
		require.NoError(b, c.Verify())
		b.ReportAllocs()
		for b.Loop() {
			s := c.Scope()
			if _, err := container.Get[*ten9](s); err != nil {
				b.Fatal(err)
			}
			_ = s.Close(ctx)
		}
	})
	b.Run("one woven", func(b *testing.B) {
		c := container.New()
		for _, f := range constructors[:9] {
			c.Provide(f, container.Scoped())
		}
		c.Provide(func(*ten8) *Client { return &Client{} }, container.As[Caller](), container.Scoped())
		require.NoError(b, c.Verify())
		b.ReportAllocs()
		for b.Loop() {
			s := c.Scope()
			if _, err := container.Get[Caller](s); err != nil {
				b.Fatal(err)
			}
			_ = s.Close(ctx)
		}
	})
	// What nothing that runs arbitrary constructors can be faster than.
	b.Run("ten calls by reflection", func(b *testing.B) {
		var values []reflect.Value
		for _, f := range constructors {
			values = append(values, reflect.ValueOf(f))
		}
		b.ReportAllocs()
		for b.Loop() {
			var args []reflect.Value
			for _, f := range values {
				args = f.Call(args)
			}
		}
	})
}
