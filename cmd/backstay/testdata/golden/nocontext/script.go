package nocontext

import (
	"testing"

	"golden/script"
)

type clock struct{ *script.Script }

func (t clock) Now() int64 {
	if t.Call("Now") != nil {
		return -1
	}
	return 5
}

func (t clock) Since(at int64) (int64, bool) { return 5 - at, t.Call("Since", at) == nil }

func (t clock) Set(hours, minutes int, seconds ...int) { _ = t.Call("Set", hours, minutes, seconds) }

func (t clock) Stop() { _ = t.Call("Stop") }

func (t clock) Sync() error { return t.Call("Sync") }

func TestClock(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Clock](s, clock{s})

	script.Equal(s, p.Now(), 5)
	seconds, past := p.Since(3)
	script.Equal(s, seconds, 2)
	script.Equal(s, past, true)
	s.Called("Since", int64(3))
	p.Set(1, 2)
	s.Called("Set", 1, 2, []int(nil))
	p.Stop()
	s.NoError(p.Sync())
}
