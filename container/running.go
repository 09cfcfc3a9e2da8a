package container

import (
	"bytes"
	"fmt"
	"reflect"
	"runtime"
)

// run calls a constructor for a scope, and leaves a trace of that on the stack: see runs. An array of two is passed in
// memory, never in a register, so a stack trace shows it as it is.
//
//go:noinline
func run(_ [2]*Scope, constructor reflect.Value, args []reflect.Value) []reflect.Value {
	return constructor.Call(args)
}

// runs reports whether the calling goroutine runs a constructor of the scope, which would wait for itself if it asked its
// scope. Reading a stack trace takes many microseconds, so it is done only while somebody builds something in the scope:
// keeping the number of the goroutine that builds, as the container does for singletons, would cost each scope as much as
// all of its constructors. A trace shows the fifty frames that are furthest in: a constructor that asks from deeper down
// than that waits for itself.
func runs(s *Scope) bool {
	trace := make([]byte, 32<<10)
	trace = trace[:runtime.Stack(trace, false)]
	return bytes.Contains(trace, fmt.Appendf(nil, "container.run({%p,", s))
}
