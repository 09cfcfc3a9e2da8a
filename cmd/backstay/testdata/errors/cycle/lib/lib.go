// Package lib imports the package that wants a proxy of its interface.
package lib

import "errors/cycle"

// Store has signatures of this package and that.
type Store interface{ Put(cycle.Order) error }
