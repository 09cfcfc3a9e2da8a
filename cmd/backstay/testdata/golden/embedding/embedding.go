// Package embedding has interfaces that get their methods from others.
package embedding

import (
	"fmt"
	"io"
)

//go:generate go tool backstay -type Wide,Copy,Failure

// Wide embeds whatever can be embedded.
type Wide interface {
	Own(n int) (int, error)
	io.ReadWriteCloser
	io.Closer
	reader
	text
	base[string]
	interface{ Flush(all bool) error }
	error
}

// reader has a method that io.ReadWriteCloser has too.
type reader interface {
	Read(p []byte) (n int, err error)
	ReadAll() ([]byte, error)
}

type text = fmt.Stringer

type base[T any] interface {
	pair[T, T]
	First(value T) error
}

type pair[A, B any] interface {
	Both(a A, b ...B) (A, []B, error)
}

// Copy has the methods of another interface.
type Copy Wide

// Failure has no methods but those of error.
type Failure interface{ error }
