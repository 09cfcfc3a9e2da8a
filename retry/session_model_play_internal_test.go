package retry

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// modelPlay is a plan played by the product.
type modelPlay struct {
	plan     *modelPlan
	breakers []*Breaker
	hybrids  []*HybridPolicy

	// Time wakes calls one by one, but nothing else orders what they do.
	mu    sync.Mutex
	roots []*playedRoot
	told  [][]transition
}

// playedRoot is a call that comes from outside. It runs in a goroutine of its own; all calls inside it do too.
type playedRoot struct {
	play    *modelPlay
	number  int
	journal []string
	release chan modelStep
	cancel  context.CancelCauseFunc
	report  *Report
	ended   string
	done    bool
	keys    map[*modelFrame]string
}

type playedRootKey struct{}

// do makes a step happen. It has happened when every goroutine waits. Which call the step is for, the model says.
func (p *modelPlay) do(t *testing.T, s modelStep, root int) {
	switch s.Op {
	case "call":
		p.call(t, s)
	case "finish":
		if root >= 0 {
			p.roots[root].release <- s
		}
	case "cancel":
		if root >= 0 && s.B%2 == 0 {
			p.roots[root].cancel(nil)
		} else if root >= 0 {
			p.roots[root].cancel(errModelStop)
		}
	case "sleep":
		time.Sleep(s.sleep())
	case "operator":
		if len(p.breakers) > 0 {
			b := p.breakers[s.A%len(p.breakers)]
			map[BreakerState]func(){
				BreakerForceOpen: b.ForceOpen, BreakerForceClosed: b.ForceClose, BreakerMetricsOnly: b.MetricsOnly, BreakerClosed: b.Reset,
			}[s.operation()]()
		}
	}
	synctest.Wait()
}

func (p *modelPlay) call(t *testing.T, s modelStep) {
	r := &playedRoot{play: p, number: len(p.roots), release: make(chan modelStep), keys: map[*modelFrame]string{}}
	p.mu.Lock()
	p.roots = append(p.roots, r)
	p.mu.Unlock()
	ctx, cancel := context.WithCancelCause(context.WithValue(t.Context(), playedRootKey{}, r))
	r.cancel = cancel
	if d := s.deadline(); d > 0 {
		var stop func()
		ctx, stop = context.WithTimeout(ctx, d)
		r.cancel = func(cause error) { cancel(cause); stop() }
	}
	if s.canceled() {
		cancel(errModelStop)
	} else if s.once() {
		ctx = Once(ctx)
	}
	if s.reports() {
		ctx, r.report = WithReport(ctx)
	}
	go func() {
		how := "exited"
		defer func() {
			if v := recover(); v != nil {
				how = fmt.Sprintf("panicked: %v", v)
			}
			r.ended, r.done = how, true
		}()
		f, err := p.run(ctx, r, s.A%len(p.plan.Methods))
		how = "returned " + modelReturn(f.value, inModelWords(err), isItself(err, f.returned))
	}()
}

func modelReturn(value int, err string, itself bool) string {
	return fmt.Sprintf("%d and %s, its own %v", value, err, itself)
}

// isItself reports whether two errors are one value.
func isItself(a, b error) bool {
	if _, list := a.(modelList); list || a == nil {
		return false
	}
	return a == b
}

// run makes one call of a method.
func (p *modelPlay) run(ctx context.Context, r *playedRoot, method int) (*modelFrame, error) {
	f, s := &modelFrame{root: r, method: method}, new(Session)
	if p.plan.Methods[method].Single {
		s.AttemptOnce()
	}
	err := p.hybrids[method].Run(ctx, s, f, func(ctx context.Context) error {
		f.returned = nil
		f.returned = f.attempt(ctx)
		return f.returned
	})
	return f, err
}

// end lets what is under way come to an end.
func (p *modelPlay) end() {
	for _, r := range p.roots {
		r.cancel(nil)
		for synctest.Wait(); !r.done; synctest.Wait() {
			select {
			case r.release <- modelStep{B: 14}: // an error that is worth no retry
			case <-time.After(time.Minute):
			}
		}
	}
}
