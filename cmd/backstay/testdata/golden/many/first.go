// Package many has several interfaces, and a directive for each that stands beside it.
package many

import "context"

//go:generate go tool backstay -type Ledger

// Ledger is one.
type Ledger interface {
	Book(ctx context.Context, amount int64) error
}

// unmarked has no directive, and so no proxy.
type unmarked interface{ Do() error }

var _ unmarked
