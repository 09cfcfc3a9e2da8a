// Package lib is somebody else's.
package lib

import "context"

type constraint interface{ ~int | ~string }

// Repo has a constraint that only this package can name.
type Repo[K constraint, V any] interface {
	Load(ctx context.Context, key K) (V, error)
	Watch(func(Event[V])) (stop func())
}

// Event is in its signatures.
type Event[V any] struct{ Value V }
