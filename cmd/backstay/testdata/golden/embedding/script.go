package embedding

import (
	"testing"

	"golden/script"
)

type target struct{ *script.Script }

func (t target) Own(n int) (int, error)            { return n, t.Call("Own", n) }
func (t target) Read(p []byte) (n int, err error)  { return len(p), t.Call("Read", p) }
func (t target) Write(p []byte) (n int, err error) { return len(p), t.Call("Write", p) }
func (t target) Close() error                      { return t.Call("Close") }
func (t target) ReadAll() ([]byte, error)          { return []byte("all"), t.Call("ReadAll") }
func (t target) First(value string) error          { return t.Call("First", value) }
func (t target) Flush(all bool) error              { return t.Call("Flush", all) }

func (t target) Both(a string, b ...string) (string, []string, error) {
	return a, b, t.Call("Both", a, b)
}

func (t target) String() string {
	_ = t.Call("String")
	return "target"
}

func (t target) Error() string {
	_ = t.Call("Error")
	return "failure"
}

func call(s *script.Script, p Wide) {
	n, err := p.Own(3)
	s.NoError(err)
	script.Equal(s, n, 3)
	n, err = p.Read([]byte("r"))
	s.NoError(err)
	script.Equal(s, n, 1)
	s.Called("Read", []byte("r"))
	n, err = p.Write([]byte("wr"))
	s.NoError(err)
	script.Equal(s, n, 2)
	s.Called("Write", []byte("wr"))
	s.NoError(p.Close())
	all, err := p.ReadAll()
	s.NoError(err)
	script.Equal(s, all, []byte("all"))
	s.NoError(p.First("first"))
	s.Called("First", "first")
	s.NoError(p.Flush(true))
	s.Called("Flush", true)
	a, b, err := p.Both("a", "b", "c")
	s.NoError(err)
	script.Equal(s, a, "a")
	script.Equal(s, b, []string{"b", "c"})
	s.Called("Both", "a", []string{"b", "c"})
	script.Equal(s, p.String(), "target")
	script.Equal(s, p.Error(), "failure")
}

func TestWide(t *testing.T) {
	s := script.New(t)
	call(s, script.Weave[Wide](s, target{s}))
}

func TestCopy(t *testing.T) {
	s := script.New(t)
	call(s, script.Weave[Copy](s, target{s}))
}

func TestFailure(t *testing.T) {
	s := script.New(t)
	script.Equal(s, script.Weave[Failure](s, target{s}).Error(), "failure")
}
