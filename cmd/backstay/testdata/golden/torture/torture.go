// Package torture has the interfaces on which generators of mocks and wrappers are known to stumble.
package torture

import (
	"context"
	"fmt"
	"io"
)

//go:generate go tool backstay -type Torture,Gen,IntGen,Sealed

// Base is embedded as an instance.
type Base[T any] interface {
	Base(ctx context.Context, value T) (T, error)
}

// Torture is one interface with a bit of everything.
type Torture interface {
	io.Closer
	Base[int]
	Variadic(ctx context.Context, format string, args ...any) error
	Unnamed(context.Context, int, string) (int, error)
	Blank(_ context.Context, _ int, _ ...string) error
	Names(mock int, err error, r0 string, fmt fmt.Stringer, context context.Context) (ret string, _ error)
	Named(n int) (ret int, ok bool)
	Func(f func(format string, args ...any) (n int, err error)) error
	Chan(ch chan<- struct{ A int }) (<-chan struct{ A int }, error)
	Nothing()
}

// Gen is generic.
type Gen[K comparable, V any] interface {
	Get(ctx context.Context, key K) (V, error)
	Keys() []K
}

// IntGen is an alias of an instance.
type IntGen = Gen[int, string]

// Sealed has a method that other packages cannot implement.
type Sealed interface {
	Open(name string) error
	seal() int
}
