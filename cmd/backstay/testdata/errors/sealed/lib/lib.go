// Package lib is somebody else's.
package lib

// Sealed can be implemented here only.
type Sealed interface {
	Do() error
	seal()
	mustEmbedUnimplemented()
}

type hidden interface{ Do() error }

// Repo has type parameters, and is sealed.
type Repo[K comparable] interface {
	Load(key K) (hidden, error)
	seal()
}
