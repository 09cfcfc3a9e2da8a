// Package shop has the name of another package, and a class of the same name as one there.
package shop

// A is a third A.
type A struct{}
