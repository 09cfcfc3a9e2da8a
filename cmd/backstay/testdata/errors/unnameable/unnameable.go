// Package unnameable asks for interfaces whose signatures it cannot write.
package unnameable

import "errors/unnameable/lib"

//go:generate go tool backstay -type lib.Store,lib.Instance

//go:generate go tool backstay -type Own

// Own has them from what it embeds.
type Own interface {
	lib.Store
	Close() error
}
