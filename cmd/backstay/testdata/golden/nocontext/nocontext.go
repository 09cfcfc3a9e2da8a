// Package nocontext has methods without context, errors, parameters and results.
package nocontext

//go:generate go tool backstay -type Clock

// Clock tells a time of its own.
type Clock interface {
	Now() int64
	Since(t int64) (seconds int64, past bool)
	Set(hours, minutes int, seconds ...int)
	Stop()
	Sync() error
}
