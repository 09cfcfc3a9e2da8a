package main

// Point has a field that other packages cannot name.
type Point struct{ X, y int }

// Kind is a string of its own.
type Kind string

type hidden struct{ n int }

// Step is a func.
type Step func(first int, rest ...string) (int, error)

// Pair is generic.
type Pair[A, B any] struct {
	First  A
	Second B
}

// Same is an alias of an instance.
type Same = Pair[string, Kind]
