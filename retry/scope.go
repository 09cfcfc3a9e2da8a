package retry

import (
	"context"
	"sync/atomic"
)

// scopeKey finds, in one walk up the context, the nearest session or what was said since by WithKey, Once and WithReport.
var scopeKey any = scopeKeyType{}

type scopeKeyType struct{}

// scope is what a context says to the sessions under it.
type scope struct {
	outer  *Session // the nearest session above
	once   bool
	key    string // of WithKey
	report *claim // of WithReport; nil below the session that has claimed it
}

// claim is a report that the first session under its context fills.
type claim struct {
	report *Report
	taken  atomic.Bool
}

// scopeOf reads what ctx says to a session that begins under it.
func scopeOf(ctx context.Context) scope { return scopeFrom(ctx.Value(scopeKey)) }

// scopeFrom reads what was found under scopeKey; nil says nothing.
func scopeFrom(said any) (sc scope) {
	switch v := said.(type) {
	case *scopeContext:
		return v.scope
	case *Session:
		sc.outer = v
		if x := v.more.Load(); x != nil {
			sc.once, sc.key = x.scope.once, x.scope.key
		}
	}
	return sc
}

// scopeContext is a context that says more than its parent.
type scopeContext struct {
	context.Context
	scope scope
}

func (c *scopeContext) Value(key any) any {
	if key == scopeKey {
		return c
	}
	return c.Context.Value(key)
}

func withScope(ctx context.Context, change func(*scope)) context.Context {
	sc := scopeOf(ctx)
	change(&sc)
	return &scopeContext{ctx, sc}
}

// WithKey sets the idempotency key of sessions under the context: what makes a peer recognise the same request in all
// attempts. Without it each session makes its own, which changes when an outer layer calls again.
func WithKey(ctx context.Context, key string) context.Context {
	return withScope(ctx, func(sc *scope) { sc.key = key })
}

// Once tells sessions under the context not to retry: a kill switch, or a caller that knows better. Gates, limits on the
// first attempt and fallbacks stay; a failure worth a retry is exhausted, with the limit "once".
func Once(ctx context.Context) context.Context {
	return withScope(ctx, func(sc *scope) { sc.once = true })
}
