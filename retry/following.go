package retry

import "context"

// afterFuncer is a context that calls a func when it is done, without a goroutine until then; see [context.AfterFunc].
type afterFuncer interface {
	AfterFunc(func()) (stop func() bool)
}

// follow calls f in a goroutine of its own when the session's context is done, until stop is called. It reports whether
// that costs no goroutine meanwhile, so that it may go on for as long as the parent lives.
func follow(s *Session, f func()) (stop func() bool, free bool) {
	if outer, ok := s.Value(attemptContextKey).(*attemptContext); ok && outer.Done() == s.Done() {
		return outer.AfterFunc(f), true // also through contexts that hide its AfterFunc
	}
	_, free = s.Context.(afterFuncer)
	return context.AfterFunc(s.Context, f), free || derives(s.Context)
}

// derives reports whether ctx is done when one of the standard library's contexts is, which calls funcs without a
// goroutine. Others, of types with a Done channel of their own, need one.
func derives(ctx context.Context) bool {
	nearest, ok := ctx.Value(cancelerKey).(context.Context)
	return ok && nearest.Done() == ctx.Done()
}

// cancelerKey is the key by which the standard library finds the nearest of its own contexts that can be canceled. Should
// it ever use none, no context derives from one.
var cancelerKey = func() any {
	p := &keyProbe{Context: context.Background(), done: make(chan struct{})}
	context.AfterFunc(p, func() {})
	return p.key
}()

// keyProbe is a context that notes by which key it is asked.
type keyProbe struct {
	context.Context
	done chan struct{}
	key  any
}

func (p *keyProbe) Done() <-chan struct{}               { return p.done }
func (p *keyProbe) Value(key any) any                   { p.key = key; return nil }
func (p *keyProbe) AfterFunc(func()) (stop func() bool) { return func() bool { return false } }
