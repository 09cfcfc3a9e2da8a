// Command storm shows a retry storm, and how it does not happen.
//
//	go run .                        simulate, and print what came of it
//	go run . -o pictures            draw it too
//	go run . -failing 40            an outage that fails two requests in five
//
// A fleet of clients calls a peer of limited capacity, which fails for thirty seconds and then is well again. What the
// clients may do when a call fails is said by Backstay's own policies; what becomes of the peer is counted. All of it runs in
// virtual time, by goroutines that sleep in a bubble of testing/synctest: 150 s take a few.
//
// The model is internal/sim, and its package comment tells all that is assumed. internal/chart draws. This package is what a
// program needs around them: flags, tables, pictures.
package main

import (
	"os"
	"runtime/debug"
	"testing"
)

func main() {
	debug.SetGCPercent(400) // a run makes many contexts and timers that are soon over, and holds little
	underTest(func(t *testing.T) int { return command(t, os.Args[1:], os.Stdout, os.Stderr) })
}
