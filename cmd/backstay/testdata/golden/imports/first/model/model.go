// Package model has the name of another one.
package model

// Order is of the first.
type Order struct{ N int }
