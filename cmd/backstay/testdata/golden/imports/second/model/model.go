// Package model has the name of another one.
package model

// Order is of the second.
type Order struct{ N int }
