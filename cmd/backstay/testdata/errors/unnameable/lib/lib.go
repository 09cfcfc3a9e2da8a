// Package lib is somebody else's.
package lib

type (
	options struct{ limit int }
	list    = []options
)

// Generic is for instances with what only this package can name.
type Generic[T any] interface {
	Take(T) error
}

// Store has signatures that only this package can write.
type Store interface {
	Get(key string, opts ...options) (map[string]*options, error)
	Named(struct{ limit int }) (_ interface{ seal() }, _ error)
	Func(f func(list) (n int, _ chan<- options)) error
	Fine(key string) error
}

// Instance is one.
type Instance = Generic[options]
