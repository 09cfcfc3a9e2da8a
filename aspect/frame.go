package aspect

import (
	"context"
	"fmt"
	"reflect"

	"github.com/backstay/backstay/retry"
)

// Frame is what is the same in every call of every woven method: where the call is in its chain, and the session of its
// retry. Call structs of generated proxies embed it. The zero value is ready; it belongs to one call and is not copied.
type Frame struct {
	call    Call // which holds arguments and results
	chain   *Chain
	undo    *[]change // nil: nobody has replaced an argument
	session retry.Session
	used    bool // session is not to be handed out: it has been (contexts outlive calls), or the frame is a clone
	dirty   bool // there may be results to clear
	ended   bool
}

// change is an argument that an aspect has replaced. depth is that aspect's place, so that what is further in can be
// undone without what is further out.
type change struct {
	depth   int
	restore func()
}

// frame is how a chain finds the frame of a call struct, and what makes call structs embed one.
func (f *Frame) frame() *Frame { return f }

func (f *Frame) method() *method { return f.chain.method }

// End lets go of all that the call has brought, since its session may live on as a context. Generated proxies defer it.
func (f *Frame) End() {
	f.ended, f.undo = true, nil
	f.call.Release()
}

// undoBeyond takes back what aspects further in than depth have done to the arguments.
func (f *Frame) undoBeyond(depth int) {
	if f.undo == nil {
		return
	}
	for undo := *f.undo; len(undo) > 0 && undo[len(undo)-1].depth > depth; undo = *f.undo {
		last := len(undo) - 1
		undo[last].restore()
		*f.undo = undo[:last]
	}
}

// undoable remembers how to take back what the aspect at depth has done to an argument.
func (f *Frame) undoable(depth int, restore func()) {
	if f.undo == nil {
		f.undo = new([]change)
	}
	*f.undo = append(*f.undo, change{depth, restore})
}

// invoke calls the target.
func (f *Frame) invoke() error {
	f.mustRun()
	f.dirty = true
	return f.call.Invoke()
}

// mustRun refuses a join point that somebody has kept: by then it has neither target nor arguments.
func (f *Frame) mustRun() {
	if f.ended {
		panic(fmt.Sprintf("aspect: a join point of %v is used after its call has ended", f.method().ref))
	}
}

// clear forgets the results.
func (f *Frame) clear() {
	if f.dirty {
		f.dirty = false
		f.call.Clear()
	}
}

func (f *Frame) clone() *Frame {
	call := f.call.Clone()
	c := call.frame()
	c.call, c.chain, c.used, c.dirty = call, f.chain, true, true
	return c
}

// newSession is a session for one run of the retry aspect: the frame's own, or another when an aspect outside the retry
// proceeds again. That it is another tells that the request has been sent.
func (f *Frame) newSession() *retry.Session {
	if f.used {
		return new(retry.Session)
	}
	f.used = true
	return &f.session
}

// contextArg is where the context among the arguments is, to be replaced; nil when there is none.
func (f *Frame) contextArg() *context.Context {
	if at := f.method().contextAt; at >= 0 {
		return f.call.Arg(at).(*context.Context)
	}
	return nil
}

// context is the call's context as the arguments have it now. It changes nothing, not even where an argument is: other
// goroutines may be cloning the frame.
func (f *Frame) context() (ctx context.Context) {
	r, isReflected := f.call.(*reflected)
	switch m := f.method(); {
	case isReflected:
		ctx = r.contextOf(m)
	case m.contextAt >= 0:
		ctx = *f.contextArg()
	case m.requestAt >= 0:
		ctx = contextOf(*f.requestArg())
	}
	return orBackground(ctx)
}

// orBackground is ctx or, where a caller has passed none, the one that is never done.
func orBackground(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// arg is the i-th argument. It may be a cell of the frame, whose value changes.
func (f *Frame) arg(i int) reflect.Value {
	if r, ok := f.call.(*reflected); ok {
		return r.args[i]
	}
	return reflect.ValueOf(f.call.Arg(i)).Elem()
}

// result is the i-th result, as arg.
func (f *Frame) result(i int) reflect.Value {
	if r, ok := f.call.(*reflected); ok {
		return r.result(i)
	}
	return reflect.ValueOf(f.call.Result(i)).Elem()
}

// protected is a frame as its session knows it.
type protected Frame

var _ retry.Call = (*protected)(nil)

// frameOf is the frame of a session that the retry aspect runs.
func frameOf(s *retry.Session) *Frame { return (*Frame)(s.Call().(*protected)) }

// Arg is the i-th argument, boxed.
func (p *protected) Arg(i int) any {
	f := (*Frame)(p)
	if f.ended || i < 0 || i >= f.method().typ.NumIn() {
		return nil
	}
	return f.arg(i).Interface()
}

// Result is the i-th result, boxed.
func (p *protected) Result(i int) any {
	f := (*Frame)(p)
	if i < 0 || i >= f.method().typ.NumOut() {
		return nil
	}
	return f.result(i).Interface()
}

// Judged is a pointer to the result by which falsiness is judged.
func (p *protected) Judged() any {
	f := (*Frame)(p)
	if at := f.method().judgedAt; at >= 0 {
		return f.call.Result(at)
	}
	return nil
}

// Clear forgets the results.
func (p *protected) Clear() { (*Frame)(p).clear() }
