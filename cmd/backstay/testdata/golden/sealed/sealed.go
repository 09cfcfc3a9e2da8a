// Package sealed has unexported interfaces, methods and types.
package sealed

import "context"

//go:generate go tool backstay -type Store,queue

type (
	key     string
	options struct{ limit int }
	visitor func(key) bool
)

// Store can be implemented by this package only.
type Store interface {
	Get(ctx context.Context, k key, opts ...options) (*record, error)
	Walk(v visitor) error
	seal()
	peek(k key, opts ...options) (r *record, ok bool)
}

type record struct{ key key }

// queue is unexported altogether.
type queue interface {
	Push(r record) error
	len() int
}
