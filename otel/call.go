package backstayotel

import (
	"context"

	"github.com/backstay/backstay/retry"
)

// Call is chain.Call(ctx, f) with spans: one of the session, a child of the one in ctx, and under it one of each attempt,
// which f finds in its context. They have the chain's name; without one, "backstay.call". What the session tells to
// [Instrumentation.Listener] becomes attributes and events of its span, so the chain should listen to it: once, when it is
// made, since a chain is compiled by its first call.
//
//	var prices = retry.For[float64]().Max(3).Backoff(100 * time.Millisecond).Named("prices").Listen(in.Listener())
//
//	price, err := backstayotel.Call(ctx, in, prices, fetch)
//
// A chain with a definition error, and a nil f, get no span.
func Call[T any](ctx context.Context, in *Instrumentation, chain retry.Chain[T], f func(context.Context) (T, error)) (_ T, err error) {
	if ctx == nil {
		ctx = context.Background()
	}
	s, ctx := in.tracing.beginChain(ctx, chain, f == nil)
	if s == nil {
		return chain.Call(ctx, f)
	}
	err = errAborted
	defer func() { s.end(err) }()
	number := 0
	v, err := chain.Call(s, func(ctx context.Context) (v T, err error) {
		number++
		err = s.attempt(ctx, number, func(ctx context.Context) (err error) {
			v, err = f(ctx)
			return err
		})
		return v, err
	})
	return v, err
}

// Run is chain.Run(ctx, f) with spans; see [Call].
func Run(ctx context.Context, in *Instrumentation, chain retry.ErrorChain, f func(context.Context) error) (err error) {
	if ctx == nil {
		ctx = context.Background()
	}
	s, ctx := in.tracing.beginChain(ctx, chain, f == nil)
	if s == nil {
		return chain.Run(ctx, f)
	}
	err = errAborted
	defer func() { s.end(err) }()
	number := 0
	err = chain.Run(s, func(ctx context.Context) error {
		number++
		return s.attempt(ctx, number, f)
	})
	return err
}

// compiled is a chain of either kind.
type compiled interface {
	Policy() (*retry.HybridPolicy, error)
}

// beginChain starts the span of a session of c, which calls nothing where it is given nothing. Where nothing records, the
// session is nil. The context is the one to call the chain under.
func (t *tracing) beginChain(ctx context.Context, c compiled, nothing bool) (*session, context.Context) {
	if t.off || nothing {
		return nil, ctx
	}
	policy, err := c.Policy()
	if err != nil {
		return nil, ctx
	}
	s, unrecorded := t.begin(ctx, policy.Settings().Ref)
	switch {
	case s != nil:
		s.only = true
		return s, s
	case unrecorded != nil:
		return nil, unrecorded
	}
	return nil, ctx
}
