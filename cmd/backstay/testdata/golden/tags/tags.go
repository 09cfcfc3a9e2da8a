//go:build !plan9 && (!js || !wasm)

// Package tags is not built everywhere, and so its proxies are not.
package tags

//go:generate go tool backstay -type Device

// Device is something that a system without it has no type for.
type Device interface {
	Read(register int) (value uint32, err error)
}
