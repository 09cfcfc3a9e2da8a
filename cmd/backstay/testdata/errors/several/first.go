// Package several has problems in several files.
package several

import "net/http"

//go:generate go tool backstay -type First,Nothing

// First has another package's method.
type First interface {
	sealed
	Do(c *http.Client) error
}

type sealed interface{ seal() }
