package retry

import (
	"context"
	"reflect"
	"sync"
	"sync/atomic"
	"time"
)

// Chain protects a func(context.Context) (T, error). It is an immutable value: every method returns a longer chain, and
// one chain serves many goroutines. It is compiled once, by its first Call. Conditions are OR-ed; without any, errors
// are retried and results are not; with conditions, only what they ask for. Where several limits are given, each holds;
// where several waits are, the largest. A chain that is not bounded by Max, Within, or a policy that limits makes at
// most [DefaultMaxAttempts] attempts.
type Chain[T any] struct{ parts *parts }

// parts is what a chain is made of. It is never changed once it is part of a chain.
type parts struct {
	policies  []Policy
	fallback  func(ctx context.Context, s *Session, cause error) error
	listeners []Listener
	name      string
	wrap      bool

	once  sync.Once
	ready atomic.Pointer[HybridPolicy] // once it is compiled without an error
	err   error
}

// with returns a copy that change may change.
func (p *parts) with(change func(*parts)) *parts {
	n := &parts{}
	if p != nil {
		n.policies, n.fallback = p.policies[:len(p.policies):len(p.policies)], p.fallback
		n.listeners, n.name, n.wrap = p.listeners[:len(p.listeners):len(p.listeners)], p.name, p.wrap
	}
	change(n)
	return n
}

func (p *parts) add(policies ...Policy) *parts {
	return p.with(func(n *parts) { n.policies = append(n.policies, policies...) })
}

// compiled is the chain's one policy.
func (p *parts) compiled() (*HybridPolicy, error) {
	if p != nil {
		if h := p.ready.Load(); h != nil {
			return h, nil
		}
	}
	return p.compile()
}

// compile compiles the policy, once.
func (p *parts) compile() (*HybridPolicy, error) {
	if p == nil {
		return compileParts(&parts{})
	}
	p.once.Do(func() {
		// What the calls after this one get, should a policy panic when it is asked for its kind.
		p.err = &DefinitionError{Ref: MethodRef{Name: p.name}, Problem: "a policy of the chain panicked when it was compiled", Remedy: "let Kind return a name and do nothing else"}
		var h *HybridPolicy
		if h, p.err = compileParts(p); p.err == nil {
			p.ready.Store(h)
		}
	})
	return p.ready.Load(), p.err
}

func compileParts(p *parts) (*HybridPolicy, error) {
	h := &HybridPolicy{ref: MethodRef{Name: p.name}, listener: Listeners(p.listeners...)}
	h.hooks.Fallback = p.fallback
	h.settings = Settings{Ref: h.ref, MaxDelay: DefaultMaxDelay, WrapExhausted: p.wrap}
	if len(p.policies) == 0 {
		return nil, &DefinitionError{Ref: h.ref, Problem: "the chain has no policy", Remedy: "write what it may do, such as Max(3), WhenThrows() or With(policies...)"}
	}
	return compile(h, p.policies)
}

// For starts a chain whose result type is written.
func For[T any]() Chain[T] { return Chain[T]{} }

// When starts a chain that retries while f says so.
func When[T any](f func(T, error) bool) Chain[T] { return For[T]().When(f) }

// WhenReturns starts a chain that retries while v is returned without an error. An error is not retried, unless
// WhenThrows asks for it.
func WhenReturns[T comparable](v T) Chain[T] { return For[T]().WhenReturns(v) }

func (c Chain[T]) add(policies ...Policy) Chain[T] { return Chain[T]{c.parts.add(policies...)} }

// With adds policies.
func (c Chain[T]) With(policies ...Policy) Chain[T] { return c.add(policies...) }

// When adds a condition.
func (c Chain[T]) When(f func(T, error) bool) Chain[T] {
	if f == nil {
		return c.add(NewExpression(nil))
	}
	return c.add(NewExpression(func(s *Session) bool { return f(s.call.(*chainCall[T]).value, s.failure) }))
}

// WhenReturns adds the condition that v is returned without an error; T must be comparable, else it is a definition
// error.
func (c Chain[T]) WhenReturns(v T) Chain[T] { return c.add(newReturns(v)) }

// WhenThrows adds the condition that an error matches; without matchers, any error.
func (c Chain[T]) WhenThrows(matchers ...Matcher) Chain[T] { return c.add(NewClassifier(matchers...)) }

// Max allows n attempts, the first one included; or [Unlimited].
func (c Chain[T]) Max(n int) Chain[T] { return c.add(NewMaxAttempts(n)) }

// Within bounds the session; see [NewTimeout].
func (c Chain[T]) Within(d time.Duration) Chain[T] { return c.add(NewTimeout(d)) }

// Sleep waits d before each retry.
func (c Chain[T]) Sleep(d time.Duration) Chain[T] { return c.add(NewSleep(Flat, d)) }

// Backoff waits base, 2·base, 4·base ... plus up to 20 %, at most [DefaultMaxDelay].
func (c Chain[T]) Backoff(base time.Duration) Chain[T] { return c.add(NewSleep(Backoff, base)) }

// Fallback gives the result of a session that is exhausted or rejected. Of several, the last holds.
func (c Chain[T]) Fallback(f func(ctx context.Context, cause error) (T, error)) Chain[T] {
	if f == nil {
		return c.add(&fallback{missing: true})
	}
	run := func(ctx context.Context, s *Session, cause error) (err error) {
		call := s.call.(*chainCall[T])
		call.value, err = f(ctx, cause)
		return err
	}
	return Chain[T]{c.parts.add(&fallback{}).with(func(p *parts) { p.fallback = run })}
}

// WrapExhausted makes the error of an exhausted session an *ExhaustedError.
func (c Chain[T]) WrapExhausted() Chain[T] {
	return Chain[T]{c.parts.with(func(p *parts) { p.wrap = true })}
}

// Listen tells l what happens; nil is nobody. A breaker that chains share tells one listener once: a chain made for each
// call should bring a listener that == compares, such as a pointer, since a func is known again only in chains made from
// this one.
func (c Chain[T]) Listen(l Listener) Chain[T] { return Chain[T]{c.parts.listen(l)} }

// listen keeps a listener that cannot be compared in a cell of its own, by which a breaker knows it again.
func (p *parts) listen(l Listener) *parts {
	if several, ok := l.(listeners); ok {
		for _, l := range several {
			p = p.listen(l)
		}
		return p
	}
	if l != nil && !reflect.ValueOf(l).Comparable() {
		l = &cell{l}
	}
	return p.with(func(n *parts) { n.listeners = append(n.listeners, l) })
}

type cell struct{ Listener }

// Named gives the chain a name for events, reports and errors.
func (c Chain[T]) Named(name string) Chain[T] {
	return Chain[T]{c.parts.with(func(p *parts) { p.name = name })}
}

// Policy is the chain's one policy, and its definition error if there is one.
func (c Chain[T]) Policy() (*HybridPolicy, error) { return c.parts.compiled() }

// chainCall is one call of a chain: its session and its result.
type chainCall[T any] struct {
	value T // first: at the end, the value without a size of a chain without a result would be padded
	Session
}

func (c *chainCall[T]) Arg(int) any { return nil }

func (c *chainCall[T]) Result(i int) any {
	if i != 0 {
		return nil
	}
	return c.value
}

func (c *chainCall[T]) Judged() any {
	var p any = &c.value
	if _, none := p.(*struct{}); none {
		return nil
	}
	return p
}

func (c *chainCall[T]) Clear() { c.value = *new(T) }

// Call runs f under the chain's policies. Without any policy, with a wrong one, or without f, it returns a
// *DefinitionError and calls nothing. Otherwise the result and the error are those of the last attempt or of the
// fallback; see the package documentation. A nil ctx is taken as context.Background().
func (c Chain[T]) Call(ctx context.Context, f func(context.Context) (T, error)) (T, error) {
	h, err := c.parts.compiled()
	if err == nil && f == nil {
		err = &DefinitionError{Ref: h.ref, Problem: "the func to call is nil", Remedy: "give it one"}
	}
	if err != nil {
		return *new(T), err
	}
	if ctx == nil {
		ctx = context.Background()
	}
	var p progress
	if rejection := h.admit(ctx, &p); rejection != nil {
		return c.rejected(ctx, h, &p, rejection)
	}
	call := new(chainCall[T])
	err = h.run(ctx, &call.Session, call, &p, func(ctx context.Context) (err error) {
		call.value, err = f(ctx)
		return err
	})
	return call.value, err
}

// rejected allocates nothing where there is no fallback.
func (c Chain[T]) rejected(ctx context.Context, h *HybridPolicy, p *progress, rejection *RejectedError) (T, error) {
	if h.hooks.Fallback == nil {
		return *new(T), h.rejected(ctx, nil, p, rejection)
	}
	call := new(chainCall[T])
	call.Context, call.plan, call.call, call.started = ctx, h, call, p.at
	err := h.rejected(ctx, &call.Session, p, rejection)
	return call.value, err
}
