// Package undefined does not compile where it matters.
package undefined

//go:generate go tool backstay -type Service

// Service has a type that does not exist.
type Service interface {
	Do(order Ordr) error
	Other(n int) (missing.Type, error)
}

// Order does.
type Order struct{}
