//go:build !plan9 && (!js || !wasm)

package tags

import (
	"testing"

	"golden/script"
)

type device struct{ *script.Script }

func (t device) Read(register int) (uint32, error) {
	return uint32(register), t.Call("Read", register)
}

func TestDevice(t *testing.T) {
	s := script.New(t)
	value, err := script.Weave[Device](s, device{s}).Read(3)
	s.NoError(err)
	script.Equal(s, value, 3)
	s.Called("Read", 3)
}
