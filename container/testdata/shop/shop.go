// Package shop has a class of the same short name as one of the tests.
package shop

// A is another A.
type A struct{}
