// Package generics has interfaces with every kind of constraint.
package generics

import (
	"cmp"
	"context"
	"fmt"
)

//go:generate go tool backstay -type Store,Sum[int,label],Sorted[string],Linked,Pointer[Item,*Item],Shadow,Fallible[error],Fallible[int],Blank[int],Fixed

// Number is a constraint of this package.
type Number interface{ ~int | ~int64 | ~float64 }

type label string

// Store has its instances registered because the package mentions them.
type Store[K comparable, V any] interface {
	Get(ctx context.Context, key K) (value V, ok bool, err error)
	Put(ctx context.Context, key K, values ...V) error
	All() map[K][]V
}

var _ Store[string, []Item]

// Sum has unions.
type Sum[N Number, S ~int | ~string] interface {
	Add(a, b N) (N, error)
	Join(parts ...S) S
}

// Sorted has a constraint of another package.
type Sorted[T cmp.Ordered] interface {
	Max(all []T) (max T, err error)
}

// Linked has a constraint that mentions its own type parameter.
type Linked[T interface {
	comparable
	Next() T
}] interface {
	Last(from T) (T, error)
}

type node struct{ next *node }

func (n *node) Next() *node { return n.next }

func lastOf(l Linked[*node], n *node) (*node, error) { return l.Last(n) }

// Pointer has a type parameter that is a pointer to another.
type Pointer[T any, P interface {
	*T
	Set(string)
}] interface {
	Parse(text string) (P, error)
}

// Item can be set.
type Item struct{ Text string }

// Set sets it.
func (i *Item) Set(text string) { i.Text = text }

// Shadow has type parameters that are called like everything else.
type Shadow[string, any, fmt, aspect, p, c, i, Number comparable] interface {
	stringer
	Do(string string, any any, p p, c c, i i) (Number, error)
	Format(fmt fmt, aspect aspect) Number
}

type stringer interface {
	fmt.Stringer
	Len() int
}

var _ Shadow[int, string, bool, int8, int16, int32, int64, float64]

// Fallible has a result that is an error in some instances.
type Fallible[E any] interface {
	Do(any any, err, last E) E
	Count() (int, E)
}

// Blank does not name its type parameter.
type Blank[_ any] interface {
	Do() error
}

// Fixed is not generic, but what it embeds is.
type Fixed interface {
	Sorted[float64]
	Store[int, Sum[int, label]]
}
