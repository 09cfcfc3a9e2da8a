package testfile_test

import (
	"testing"

	"golden/script"
	. "golden/testfile"
)

//go:generate go tool backstay -type counter -o backstay_external_gen_test.go

type counter interface {
	Next(n Count) (Count, error)
}

type target struct{ *script.Script }

func (t target) Next(n Count) (Count, error) { return n + 2, t.Call("Next", n) }

func TestCounterOfTheExternalTest(t *testing.T) {
	s := script.New(t)
	n, err := script.Weave[counter](s, target{s}).Next(Zero)
	s.NoError(err)
	script.Equal(s, n, 2)
	s.Called("Next", Zero)
}
