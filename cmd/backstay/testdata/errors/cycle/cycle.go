// Package cycle asks for an interface of a package that imports it.
package cycle

//go:generate go tool backstay -type errors/cycle/lib.Store

// Order is a type.
type Order struct{}
