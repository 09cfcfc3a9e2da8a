// Package lib has signatures with types of an internal package.
package lib

import "errors/hiding/lib/internal/deep"

// Service has them.
type Service interface {
	Do(things ...deep.Thing) error
	Next() (deep.Thing, error)
}

// Repo has them in a constraint.
type Repo[K deep.Key] interface {
	Load(K) error
}
