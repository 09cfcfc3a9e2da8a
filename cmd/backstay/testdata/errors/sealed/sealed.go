// Package sealed asks for interfaces that only another package can implement.
package sealed

import "errors/sealed/lib"

//go:generate go tool backstay -type lib.Sealed,lib.hidden
//go:generate go tool backstay -type lib.Repo,Own

// Own becomes sealed by what it embeds.
type Own interface {
	lib.Sealed
	Close() error
}
