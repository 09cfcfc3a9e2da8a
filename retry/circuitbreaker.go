package retry

import (
	"context"
	"reflect"
	"sync"
	"time"
)

const kindCircuitBreaker = "circuitBreaker"

// NewCircuitBreaker returns the policy that stops calling a peer that fails. Chains that hold the same value share it.
// It is a gate: while the breaker is open, calls are rejected with ErrCircuitOpen; and a limit: when it opens during a
// session, that session ends. Settings out of range are a definition error of what the policy is put into.
func NewCircuitBreaker(settings BreakerSettings) Policy { return newCircuitBreaker("", settings) }

func newCircuitBreaker(name string, settings BreakerSettings) *circuitBreaker {
	p := &circuitBreaker{settings: settings}
	if p.problems = settings.check(); len(p.problems) > 0 {
		settings = BreakerSettings{ResetTimeout: time.Second} // never runs: the problems are definition errors
	}
	p.breaker = newBreaker(name, settings)
	return p
}

type circuitBreaker struct {
	settings BreakerSettings
	problems []string
	breaker  *Breaker

	mu   sync.Mutex
	told map[Listener]bool // whom bind has subscribed
}

func (*circuitBreaker) Kind() string { return kindCircuitBreaker }

func (p *circuitBreaker) check() []string { return p.problems }

// BreakerOf is the handle of a policy made by [NewCircuitBreaker], for operators; nil of any other policy.
func BreakerOf(p Policy) *Breaker {
	if cb, ok := p.(*circuitBreaker); ok {
		return cb.breaker
	}
	return nil
}

// bind names a breaker that has no name yet after what it guards, and tells l of its changes. Chains made from one another,
// and methods that share a breaker, bring the same listener again; it is told once.
func (p *circuitBreaker) bind(ref MethodRef, l Listener) {
	p.breaker.nameIfNone(ref.String())
	if several, ok := l.(listeners); ok {
		for _, l := range several {
			p.subscribe(ref, l)
		}
	} else if l != nil {
		p.subscribe(ref, l)
	}
}

func (p *circuitBreaker) subscribe(ref MethodRef, l Listener) {
	if reflect.ValueOf(l).Comparable() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.told[l] {
			return
		}
		if p.told == nil {
			p.told = map[Listener]bool{}
		}
		p.told[l] = true
	}
	p.breaker.subscribe(func(from, to BreakerState) {
		l.On(context.Background(), BreakerChanged{ref, p.breaker, from, to})
	})
}
