package many

import "context"

// Gateway is another, and Audit is asked for twice.
//
//go:generate go tool backstay -type Gateway,Audit
type Gateway interface {
	Charge(ctx context.Context, amount int64) (receipt string, err error)
}

//go:generate go tool backstay -type Audit

// Audit comes first in the file.
type Audit interface {
	Note(what string)
}
