//go:build !gc || purego || !(amd64 || arm64)

package dynproxy

import (
	"errors"
	"reflect"
	"runtime"
)

// errNoRoutines is why no proxy type can be made by this build.
var errNoRoutines = errors.New("this build for " + runtime.GOARCH + " lacks its assembly, which takes " +
	"amd64 or arm64, the compiler gc, and no build tag purego")

// selfCheck fails: there is nothing to check.
func selfCheck() error { return errNoRoutines }

// layout has no values on a build without routines, nor has Type.
type layout struct{ proxy reflect.Type }

func newLayout([]reflect.Type, []Method) (*layout, error) { return nil, errNoRoutines }

func (*layout) build(*Type, []reflect.Value, []Handler, any) any {
	panic("dynproxy: " + errNoRoutines.Error())
}

func dataOf(reflect.Value) (any, bool) { return nil, false }
