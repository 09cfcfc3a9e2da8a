package faults_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

const (
	resetTimeout = time.Second
	reserve      = 10 // retries that the budget holds besides what sessions earn; each session earns one
)

var (
	budgetSettings  = retry.BudgetSettings{TTL: time.Hour, MinPerSec: 0.003, Percent: 1} // 10.8, and no time for more
	breakerSettings = retry.BreakerSettings{ResetTimeout: resetTimeout}
)

// subject is a protected call with everything there is around it.
type subject struct {
	*rig
	call    func(ctx context.Context) (receipt, error)
	trip    func(t *testing.T)            // opens the breaker
	drain   func(ctx context.Context) int // how many retries the budget still pays for
	breaker *retry.Breaker
	c       *container.Container // nil for a chain
}

// The two forms in which the same thing can be written.
var forms = map[string]func(*testing.T, *rig, ...annotation.Option) *subject{"chain": asChain, "woven": asWoven}

// asChain is the fluent form. It has no OnlyIf, WaitHint, BeforeRetry, Discard, nor aspects. Options are for the other.
func asChain(t *testing.T, r *rig, _ ...annotation.Option) *subject {
	breaker, budget := retry.NewCircuitBreaker(breakerSettings), retry.NewBudget(budgetSettings)
	chain := retry.For[receipt]().
		With(outerGate{r}, breaker, innerGate{r}, budget, starter{r}, judge{r}).
		When(func(x receipt, err error) bool {
			r.strike("condition")
			return err != nil || x.Falsy()
		}).
		WhenThrows(matcher{r}, retry.Is(errFull), retry.As[*retry.DefinitionError]()).
		Within(time.Hour).Max(3).
		With(retry.NewAttemptTimeout(time.Minute), limiter{r}, retry.NewSleep(strategy{r}, 0), waiter{r}, taker{r}, lastTaker{r}, ender{r}, lastEnder{r}).
		Fallback(func(context.Context, error) (receipt, error) {
			return r.instead()
		}).
		Listen(ears{r})
	_, err := chain.Policy()
	require.NoError(t, err)
	return &subject{
		rig:  r,
		call: func(ctx context.Context) (receipt, error) { return chain.Call(ctx, r.charge) },
		trip: func(t *testing.T) {
			require.Error(t, retry.With(breaker).Max(1).Run(t.Context(), func(context.Context) error { return errFull }))
		},
		drain: func(ctx context.Context) int {
			n := 0
			_ = retry.With(budget).Run(ctx, func(context.Context) error { n++; return errFull })
			return n - 1
		},
		breaker: retry.BreakerOf(breaker),
	}
}

// gateway is the woven service.
type gateway interface {
	Charge(ctx context.Context, order int) (receipt, error)
	Trip(ctx context.Context) error
	Drain(ctx context.Context) error
}

type till struct {
	r       *rig
	drained int
}

func (x *till) Charge(ctx context.Context, _ int) (receipt, error) { return x.r.charge(ctx) }
func (x *till) Trip(context.Context) error                         { return errFull }
func (x *till) Drain(context.Context) error                        { x.drained++; return errFull }

type backup struct{ r *rig }

func (b *backup) Charge(context.Context, int) (receipt, error) {
	return b.r.instead()
}

// Retried is a user's own annotation.
type Retried struct{ annotation.AbstractRetry }

var (
	outerGateOf = retry.PolicyFrom("outerGate", func(r *rig) outerGate { return outerGate{r} })
	innerGateOf = retry.PolicyFrom("innerGate", func(r *rig) innerGate { return innerGate{r} })
	starterOf   = retry.PolicyFrom("starter", func(r *rig) starter { return starter{r} })
	judgeOf     = retry.PolicyFrom("judge", func(r *rig) judge { return judge{r} })
	limiterOf   = retry.PolicyFrom("limiter", func(r *rig) limiter { return limiter{r} })
	waiterOf    = retry.PolicyFrom("waiter", func(r *rig) waiter { return waiter{r} })
	takerOf     = retry.PolicyFrom("taker", func(r *rig) taker { return taker{r} })
	lastTakerOf = retry.PolicyFrom("lastTaker", func(r *rig) lastTaker { return lastTaker{r} })
	enderOf     = retry.PolicyFrom("ender", func(r *rig) ender { return ender{r} })
	lastEnderOf = retry.PolicyFrom("lastEnder", func(r *rig) lastEnder { return lastEnder{r} })
)

// asWoven is the declared form: an annotated service of a container.
func asWoven(t *testing.T, r *rig, extra ...annotation.Option) *subject {
	around := func(place string) aspect.Func {
		return func(jp aspect.JoinPoint) error {
			r.strike(place)
			err := jp.Proceed()
			r.strike(place + ", after")
			return err
		}
	}
	x := &till{r: r}
	c := container.New(container.WithListener(ears{r}))
	c.Supply(r)
	c.Supply(around("outside"), container.Name("outside"), container.AsAspect(aspect.Method(gateway.Charge), aspect.RetryPriority+1))
	c.Supply(around("inside"), container.Name("inside"), container.AsAspect(aspect.Method(gateway.Charge), aspect.RetryPriority-1))
	c.Provide(func() *backup { return &backup{r} })
	c.Provide(func() *till { return x }, container.As[gateway](),
		container.Annotate[Retried](gateway.Charge, append([]annotation.Option{
			annotation.Policies(retry.Fallback, retry.Classifier, retry.Timeout, retry.AttemptTimeout, outerGateOf, retry.CircuitBreaker,
				innerGateOf, retry.Budget, starterOf, judgeOf, limiterOf, retry.MaxAttempts, retry.Sleep, waiterOf, takerOf, lastTakerOf, enderOf, lastEnderOf),
			annotation.Timeout(time.Hour), annotation.AttemptTimeout(time.Minute),
			annotation.MaxAttempts(3),
			annotation.Breaker(breakerSettings), annotation.BreakerName("shared"),
			annotation.Budget(budgetSettings), annotation.BudgetName("shared"),
			annotation.SleepStrategy(strategy{r}),
			annotation.RetryErrors(matcher{r}, retry.Is(errFull), retry.As[*retry.DefinitionError]()),
			annotation.RetryIfError(func(error) bool { r.strike("retryIfError(error)"); return false }),
			annotation.RetryIfError(func(s *retry.Session) bool { r.strike("retryIfError(session)"); return true }),
			annotation.RetryIfResult(func(x receipt) bool { r.strike("retryIfResult(result)"); return false }),
			annotation.RetryIfResult(retry.Falsy),
			annotation.OnlyIf(func(context.Context, int) bool { r.strike("onlyIf"); return true }),
			annotation.WaitHint(func(receipt, error) time.Duration { r.strike("waitHint"); return 0 }),
			annotation.BeforeRetry(func(context.Context, int) error { r.strike("beforeRetry"); return nil }),
			annotation.Discard(func(receipt) { r.count(&r.discarded); r.strike("discard") }),
			annotation.Fallback((*backup).Charge),
		}, extra...)...),
		container.Annotate[Retried](gateway.Trip, annotation.Policies(retry.Classifier, retry.CircuitBreaker, retry.MaxAttempts),
			annotation.MaxAttempts(1), annotation.BreakerName("shared")),
		container.Annotate[Retried](gateway.Drain, annotation.Policies(retry.Classifier, retry.Budget, retry.MaxAttempts),
			annotation.MaxAttempts(retry.Unlimited), annotation.BudgetName("shared")))
	require.NoError(t, c.Verify())
	g, err := container.Get[gateway](c)
	require.NoError(t, err)
	breaker, err := c.Breaker("shared")
	require.NoError(t, err)
	return &subject{
		rig:  r,
		call: func(ctx context.Context) (receipt, error) { return g.Charge(ctx, 1) },
		trip: func(t *testing.T) { require.Error(t, g.Trip(t.Context())) },
		drain: func(ctx context.Context) int {
			x.drained = 0
			_ = g.Drain(ctx)
			return x.drained - 1
		},
		breaker: breaker,
		c:       c,
	}
}
