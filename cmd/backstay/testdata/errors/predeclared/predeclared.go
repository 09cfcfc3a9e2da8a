// Package predeclared has declared what is predeclared.
package predeclared

import "fmt"

//go:generate go tool backstay -type Service,fmt.Stringer

type (
	string int
	bool   struct{}
	any    struct{}
)

// Service mentions some of it.
type Service interface {
	interface{ fmt.Stringer }
	Do(any) (string, error)
}

var _ fmt.Stringer
