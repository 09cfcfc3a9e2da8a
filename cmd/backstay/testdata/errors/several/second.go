package several

import "reflect"

//go:generate go tool backstay -type Second,reflect.Type,Third

// Second cannot be implemented here.
type Second interface {
	reflect.Type
}

// Third is no interface.
type Third struct{}
