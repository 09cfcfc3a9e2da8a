// Package directive reads what the generator is asked for: the arguments on a command line, and the //go:generate comments
// that hold such command lines.
package directive
