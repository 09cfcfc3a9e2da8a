// Package yaml has a name that the last element of its path does not tell.
package yaml

// Node is a type argument.
type Node struct{}
