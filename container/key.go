package container

import (
	"fmt"
	"reflect"
	"sync/atomic"
)

// key is what a service is asked for by. In a group the name is the group's.
type key struct {
	t    reflect.Type
	name string
}

// String is the type, with the name if there is one.
func (k key) String() string {
	if k.name != "" {
		return fmt.Sprintf("%v named %q", k.t, k.name)
	}
	return k.t.String()
}

// offer is a service under one of its keys.
type offer struct {
	key
	service *service

	// A *T for key type T, once somebody has asked for it and the service is built: what Get dereferences.
	value atomic.Pointer[any]
}

// open returns a pointer to the built service as the type of the key. The registration must be done.
func (o *offer) open() any {
	if v := o.value.Load(); v != nil {
		return *v
	}
	cell := reflect.New(o.t)
	cell.Elem().Set(o.service.as(o.t))
	v := cell.Interface()
	o.value.Store(&v) // another goroutine may have stored an equal one
	return v
}
