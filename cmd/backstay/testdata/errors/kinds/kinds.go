// Package kinds asks for proxies of what has none.
package kinds

import _ "cmp"

//go:generate go tool backstay -type Order,Handler,Names,Prices,Pair,Feed,Ref,Count,Number,Key,Mixed,Empty,Quiet,Ready
//go:generate go tool backstay -type cmp.Ordered,error

type (
	// Order is a struct.
	Order struct{ N int }

	// Handler is a func.
	Handler func() error

	// Names is a slice.
	Names []string

	Prices map[string]int
	Pair   [2]int
	Feed   chan int
	Ref    *Order
	Count  = int

	// Number is a constraint.
	Number interface{ ~int | ~float64 }

	// Key is a constraint too.
	Key interface {
		comparable
		Hash() int
	}

	// Mixed has methods, and yet is a constraint.
	Mixed interface {
		*Order
		Do() error
	}

	// Empty has no methods.
	Empty interface{}

	// Quiet has no exported methods.
	Quiet interface{ do() error }

	// Ready has nothing wrong with it.
	Ready interface{ Do() error }
)
