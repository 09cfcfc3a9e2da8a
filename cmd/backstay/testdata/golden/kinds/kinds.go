// Package kinds has parameters and results of every kind of type.
package kinds

import (
	"context"
	"io"
	"unsafe"
)

//go:generate go tool backstay -type Kinds

type own struct{ n int }

// Kinds has a method for each.
type Kinds interface {
	Basic(a bool, b byte, c rune, d uintptr, e complex128, f unsafe.Pointer) (float32, error)
	Arrays(a [3]int, b [2][1]*own, c [0]func()) ([2]string, error)
	Maps(m map[string][]map[own]*int) (map[[2]int]struct{}, error)
	Channels(a chan int, b <-chan int, c chan<- int, d chan (<-chan int), e <-chan chan<- chan int, f chan<- (<-chan func())) (chan<- func() <-chan int, error)
	Funcs(a func(), b func(int, ...string) (int, error), c func(f func(x, y int) int) func(), d func(ctx context.Context, _ int) (n int, err error)) (func(...any), error)
	Structs(a struct{}, b struct {
		A int `json:"n"`
		B int
		c string "n:\"`\""
		*own
		io.Reader
	}) (struct{ own }, error)
	Interfaces(a any, b interface{}, c interface {
		M(x int, y ...string) (err error)
		io.Closer
		hidden()
	}) (interface{ error }, error)
	Pointers(a *int, b **own, c *[]*[1]int, d *func()) (*struct{ N *int }, error)
	Slices(a []byte, b [][]rune, c ...[]error) ([]interface{ M() }, error)
	Errors(n int) (error, int, error)
	OnlyErrors() (first, second, third error)
	Anonymous(v ...struct{ A int }) (n int, err error)
}
