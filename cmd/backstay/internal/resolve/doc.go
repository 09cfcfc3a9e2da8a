// Package resolve finds what an output is asked for in type-checked packages: the interfaces, their instantiations, the
// constraints that they are built under, and what is wrong with any of these.
package resolve
