package testfile

import (
	"testing"

	"golden/script"
)

//go:generate go tool backstay -type counter

type counter interface {
	Add(n Count) (Count, error)
}

type target struct{ *script.Script }

func (t target) Add(n Count) (Count, error) { return n + 1, t.Call("Add", n) }

func TestCounter(t *testing.T) {
	s := script.New(t)
	n, err := script.Weave[counter](s, target{s}).Add(Zero)
	s.NoError(err)
	script.Equal(s, n, 1)
	s.Called("Add", Zero)
}
