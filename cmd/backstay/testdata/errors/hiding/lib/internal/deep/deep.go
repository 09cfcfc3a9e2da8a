// Package deep is for lib alone.
package deep

// Thing is exported, but who can import it?
type Thing struct{}

// Doer is exported too.
type Doer interface{ Do(Thing) error }

// Key is a constraint.
type Key interface{ Hash(Thing) int }
