package retry

import (
	"context"
	"fmt"
	"runtime"
)

// modelFrame is the call of a method.
type modelFrame struct {
	root     *playedRoot
	method   int
	value    int
	returned error // by the last attempt
}

func (f *modelFrame) Arg(int) any    { return nil }
func (f *modelFrame) Result(int) any { return f.value }
func (f *modelFrame) Judged() any    { return &f.value }
func (f *modelFrame) Clear()         { f.value = 0 }

func (f *modelFrame) say(format string, args ...any) {
	f.root.play.mu.Lock()
	defer f.root.play.mu.Unlock()
	f.root.journal = append(f.root.journal, modelName(f.method)+": "+fmt.Sprintf(format, args...))
}

// attempt is the body of a method.
func (f *modelFrame) attempt(ctx context.Context) error {
	r, m := f.root, &f.root.play.plan.Methods[f.method]
	a, _ := FromContext(ctx)
	f.say("attempt %d of %d after %s", a.Number, a.Limit, inModelWords(a.Failure))
	if key, ok := r.keys[f]; ok && key != a.Key {
		f.say("the key has changed")
	}
	r.keys[f] = a.Key
	if len(m.Calls) == 0 {
		return f.leaf(ctx, m)
	}
	for _, method := range m.Calls {
		inner := ctx
		if m.CallsOnce {
			inner = Once(inner)
		}
		x, err := r.play.run(inner, r, method)
		f.say("got %s", modelReturn(x.value, inModelWords(err), isItself(err, x.returned)))
		f.value = x.value
		if err == nil {
			continue
		}
		switch m.Passes[(a.Number-1)%len(m.Passes)] {
		case "wrapped":
			return fmt.Errorf("wrapped: %w", err)
		case "joined":
			return fmt.Errorf("%w, %w", err, errModelIgnored)
		case "replaced":
			return errModelOther
		case "swallowed":
			f.value = 0
			return nil
		}
		return err
	}
	return nil
}

// leaf is an attempt that a step ends, or its context.
func (f *modelFrame) leaf(ctx context.Context, m *modelMethod) error {
	over := ctx.Done()
	if !m.Heeds {
		over = nil
	}
	var err error
	select {
	case s := <-f.root.release:
		kind, value := s.outcome()
		switch kind {
		case "!bang":
			panic("bang")
		case "!boom":
			panic(errModelBoom)
		case "!exit":
			runtime.Goexit()
		}
		f.value, err = value, realError(kind)
	case <-over:
		f.value, err = 0, ctx.Err()
	}
	if m.NoError {
		return nil
	}
	return err
}

// On writes what a call's listener is told into the call's journal, and what is told of breakers into the play's.
func (p *modelPlay) On(ctx context.Context, e Event) {
	if changed, ok := e.(BreakerChanged); ok {
		p.mu.Lock()
		defer p.mu.Unlock()
		for i, b := range p.breakers {
			if b == changed.Breaker {
				p.told[i] = append(p.told[i], transition{changed.From, changed.To})
			}
		}
		return
	}
	f := &modelFrame{root: ctx.Value(playedRootKey{}).(*playedRoot), method: int(e.Ref().Method[0] - 'A')}
	switch e := e.(type) {
	case AttemptFailed:
		f.say("attempt %d failed: %s", e.Attempt, inModelWords(e.Err))
	case RetryScheduled:
		f.say("retry %d scheduled in %v: %s", e.Attempt, e.Wait, inModelWords(e.Err))
	case Succeeded:
		f.say("succeeded after %d in %v", e.Attempts, e.Elapsed)
	case Failed:
		f.say("failed after %d in %v: %s", e.Attempts, e.Elapsed, inModelWords(e.Err))
	case Exhausted:
		f.say("exhausted by %s after %d in %v: %s, %s", e.Limit, e.Attempts, e.Elapsed, inModelWords(e.Err), inModelWords(e.Reason))
	case Aborted:
		f.say("aborted after %d in %v", e.Attempts, e.Elapsed)
	case Rejected:
		f.say("rejected: %s", inModelWords(e.Reason))
	case FallbackSucceeded:
		f.say("fallback succeeded: %s", inModelWords(e.Cause))
	case FallbackFailed:
		f.say("fallback failed: %s, %s", inModelWords(e.Cause), inModelWords(e.Err))
	case BudgetRefused:
		f.say("budget refused")
	}
}
