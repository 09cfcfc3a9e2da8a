// Package aliases has interfaces that are aliases, and aliases in signatures.
package aliases

import (
	"context"
	"io"

	"golden/aliases/hidden"
)

//go:generate go tool backstay -type OrderRepo,Unnamed,Again,Partial[order],Foreign,Mixed,Signatures

type order struct{ id int }

// Repo is generic.
type Repo[K comparable, V any] interface {
	Load(ctx context.Context, key K) (V, error)
}

type (
	// OrderRepo is an instance.
	OrderRepo = Repo[string, order]

	// Unnamed has no other name.
	Unnamed = interface {
		Open(name string) (io.Reader, error)
		Len() int
	}

	// Again is an alias of an alias of a defined type.
	Again = once
	once  = defined

	// Partial is a generic alias.
	Partial[V any] = Repo[int, V]

	// Foreign is of another package.
	Foreign = io.ByteReader

	// Mixed has aliases in its signatures that this package cannot name.
	Mixed = hidden.Mixed
)

type defined interface{ Do() failure }

type failure = error

// Signatures has aliases in its signatures.
type Signatures interface {
	All(set set[string], pairs ...pair[int]) (set[bool], failure)
	Open(hidden.Open) (Unnamed, error)
}

type (
	set[T comparable] = map[T]struct{}
	pair[T any]       = [2]T
)
