package faults_test

import (
	"errors"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

// What somebody does who is at fault.

var errCulprit = errors.New("culprit")

// culprit panics with v. Its frame is what stacks have to show.
//
//go:noinline
func culprit(v any) { panic(v) }

//go:noinline
func culpritOfTheRuntime() {
	var m map[string]int
	m["nobody has made it"]++
}

// deed is one way to end what was begun.
type deed struct {
	do   func()
	seen func(t *testing.T, s seen) // how it has to arrive
}

// seen is how a call ended, as its caller sees it.
type seen struct {
	returned bool
	value    any
	stack    string
}

var deeds = map[string]deed{
	"panics with an error": {func() { culprit(errCulprit) }, func(t *testing.T, s seen) {
		require.Same(t, errCulprit, s.value)
		require.Contains(t, s.stack, "faults_test.culprit(")
	}},
	"panics with a string": {func() { culprit("lost") }, func(t *testing.T, s seen) {
		require.Equal(t, "lost", s.value)
		require.Contains(t, s.stack, "faults_test.culprit(")
	}},
	"panics with what cannot be compared": {func() { culprit([]int{1}) }, func(t *testing.T, s seen) {
		require.Equal(t, []int{1}, s.value)
		require.Contains(t, s.stack, "faults_test.culprit(")
	}},
	"panics with nil": {func() { culprit(nil) }, func(t *testing.T, s seen) {
		require.IsType(t, new(runtime.PanicNilError), s.value)
		require.Contains(t, s.stack, "faults_test.culprit(")
	}},
	"fails at run time": {culpritOfTheRuntime, func(t *testing.T, s seen) {
		require.Implements(t, (*runtime.Error)(nil), s.value)
		require.ErrorContains(t, s.value.(error), "assignment to entry in nil map")
		require.Contains(t, s.stack, "faults_test.culpritOfTheRuntime(")
	}},
	"ends its goroutine": {runtime.Goexit, func(t *testing.T, s seen) {
		require.False(t, s.returned)
		require.Nil(t, s.value)
	}},
}

// watched runs f in a goroutine of its own, which it may end.
func watched(f func()) (s seen) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			s.value, s.stack = recover(), string(debug.Stack())
		}()
		f()
		s.returned = true
	}()
	<-done
	return s
}
