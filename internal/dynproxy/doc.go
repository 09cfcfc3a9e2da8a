// Package dynproxy makes interface proxies at run time: values that implement
// interfaces known only by their reflect.Type, and whose methods either run a
// [Handler] or go straight through to a target. It is the only package of
// Backstay that uses unsafe and assembly.
//
// # How
//
// [reflect.StructOf], given embedded fields of interface types, makes a struct
// type that has those interfaces' methods, though every one of them panics. The
// code addresses in that type's method records are replaced, once per type, by
// the addresses of assembly routines. Routine i takes slot i of the table that
// the receiver points at and jumps to the closure it finds there. No routine
// touches an argument, a result or the stack, so every signature works, and
// tracebacks, stack growth, panics and the garbage collector never see a frame
// that is not an ordinary one. As the result is a full type, type assertions,
// type switches, method values, map keys and reflection work as for any other.
//
// A slot holds one of two closures: a function made by [reflect.MakeFunc], which
// runs a handler, or a record for the forward routine, which puts the target in
// the receiver's place and jumps to the target's own method.
//
// # What it relies on
//
// The runtime's data layouts and calling convention are not promised to stay.
// Each fact used is listed where it is used: layouts in raw.go, registers in
// routines_amd64.s and routines_arm64.s. On first use a self check compares the
// layouts with what reflect says publicly, then makes proxies of its own and
// calls them; and every type is compared with reflect's view before and after
// its records are written. What does not match is an [*UnsupportedError], which
// names the generator of proxies as the way out. So is every build without
// routines: architectures other than amd64 and arm64, compilers other than gc,
// and the build tag purego.
package dynproxy

//go:generate go run gen.go
