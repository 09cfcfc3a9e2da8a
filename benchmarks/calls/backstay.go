package calls

import (
	"context"
	"time"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/benchmarks/internal/generated"
	"github.com/backstay/backstay/retry"
)

// The forms of Backstay: a chain whose calls return a value, one whose calls return an error alone, and the two kinds of
// proxies.
const (
	NameFor       = "Backstay, retry.For[string]"
	NameWith      = "Backstay, retry.With"
	NameRunTime   = "Backstay, run-time proxy"
	NameGenerated = "Backstay, generated proxy"
)

// ---- one loop for each form

func backstayFor(name string, chain func() retry.Chain[string]) Contender {
	return Contender{Name: name, Wrap: func(target Service) Service {
		c := chain()
		return ServiceFunc(func(ctx context.Context, key string) (string, error) {
			return c.Call(ctx, func(ctx context.Context) (string, error) { return target.Get(ctx, key) })
		})
	}}
}

func backstayWith(chain func() retry.ErrorChain) Contender {
	return Contender{Name: NameWith, Wrap: func(target Service) Service {
		c := chain()
		return ServiceFunc(func(ctx context.Context, key string) (value string, err error) {
			err = c.Run(ctx, func(ctx context.Context) (err error) {
				value, err = target.Get(ctx, key)
				return err
			})
			return value, err
		})
	}}
}

// backstayRunTime weaves an A by a proxy made at run time.
func backstayRunTime[A any](opts ...annotation.Option) Contender {
	return Contender{Name: NameRunTime, Wrap: func(target Service) Service {
		return woven(aspect.NewWeaver(), target, aspect.RunTime, aspect.Annotate[A](Service.Get, opts...))
	}}
}

// backstayGenerated weaves an A by a generated proxy.
func backstayGenerated[A any](opts ...annotation.Option) Contender {
	return Contender{Name: NameGenerated, Wrap: func(target Service) Service {
		return woven[generated.Service](aspect.NewWeaver(), target, aspect.Generated, aspect.Annotate[A](generated.Service.Get, opts...))
	}}
}

// woven panics if the target cannot be woven, or is woven by the other kind of proxy.
func woven[I any](w *aspect.Weaver, target I, kind aspect.ProxyKind, opts ...aspect.WrapOption) I {
	proxy, err := aspect.Wrap(w, target, opts...)
	if err != nil {
		panic(err)
	}
	if got := aspect.KindOf(proxy); got != kind {
		panic("the service is " + got.String() + ", not woven by a " + kind.String() + " proxy")
	}
	return proxy
}

// ---- retry only

// RetryOnly is a Retry without fallback, budget and sleep.
type RetryOnly struct{ annotation.AbstractRetry }

// Defaults lists what differs from the table.
func (RetryOnly) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Policies(retry.Classifier, retry.MaxAttempts)}
}

func retryOnly() []retry.Policy {
	return []retry.Policy{retry.NewClassifier(), retry.NewMaxAttempts(maxAttempts)}
}

var backstayRetryOnly = []Contender{
	backstayFor(NameFor, func() retry.Chain[string] { return retry.For[string]().With(retryOnly()...) }),
	backstayWith(func() retry.ErrorChain { return retry.With(retryOnly()...) }),
	backstayRunTime[RetryOnly](),
	backstayGenerated[RetryOnly](),
}

// ---- the five default policies

// defaultBudget is the table's.
var defaultBudget = retry.BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1, Percent: 0.2}

// largeBudget pays for nine retries of each call. The default one would end a measurement of failures after ten.
var largeBudget = retry.BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1, Percent: 10}

func four(budget retry.BudgetSettings) []retry.Policy {
	return []retry.Policy{
		retry.NewClassifier(), retry.NewBudget(budget), retry.NewMaxAttempts(maxAttempts), retry.NewSleep(retry.Flat, 0),
	}
}

func five(budget retry.BudgetSettings) retry.Chain[string] {
	return retry.For[string]().With(four(budget)...).
		Fallback(func(context.Context, error) (string, error) { return fallbackValue, nil })
}

// closedBreaker looks at a window of calls and is told never to open.
func closedBreaker() retry.Policy {
	p := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Hour, Window: 100, FailureRatio: 1})
	retry.BreakerOf(p).MetricsOnly()
	return p
}

// NameForAndBreaker has six policies.
const NameForAndBreaker = NameFor + ", and a breaker"

func backstayFive(budget retry.BudgetSettings) []Contender {
	opts := []annotation.Option{
		annotation.Budget(budget),
		annotation.Fallback(func(context.Context, string) (string, error) { return fallbackValue, nil }),
	}
	return []Contender{
		backstayFor(NameFor, func() retry.Chain[string] { return five(budget) }),
		backstayFor(NameForAndBreaker, func() retry.Chain[string] { return five(budget).With(closedBreaker()) }),
		backstayRunTime[aliases.Retry](opts...),
		backstayGenerated[aliases.Retry](opts...),
	}
}

// ---- proxies

// NameChain is what woven services are compared with; NameRetry follows the name of a proxy with the default Retry.
const (
	NameChain = "Backstay, the chain called directly"
	NameRetry = ", default Retry"
)

// proceed is an aspect that does nothing: what it costs is the proxy.
var proceed = aspect.Func(func(jp aspect.JoinPoint) error { return jp.Proceed() })

func backstayAspect(name string, wrap func(*aspect.Weaver, Service) Service) Contender {
	return Contender{Name: name, Wrap: func(target Service) Service {
		return wrap(aspect.NewWeaver(aspect.WithAspect(aspect.Method("Get"), 0, proceed)), target)
	}}
}

func named(name string, c Contender) Contender { c.Name = name; return c }

var backstayProxies = []Contender{
	backstayFor(NameChain, func() retry.Chain[string] { return retry.For[string]().With(four(defaultBudget)...) }),
	named(NameRunTime+NameRetry, backstayRunTime[aliases.Retry]()),
	named(NameGenerated+NameRetry, backstayGenerated[aliases.Retry]()),
	backstayAspect(NameRunTime+", an aspect, no retry", func(w *aspect.Weaver, target Service) Service {
		return woven(w, target, aspect.RunTime)
	}),
	backstayAspect(NameGenerated+", an aspect, no retry", func(w *aspect.Weaver, target Service) Service {
		return woven[generated.Service](w, target, aspect.Generated)
	}),
}

// ---- breaker open

func opensAtOnce() []retry.Policy {
	return []retry.Policy{
		retry.NewClassifier(), retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Hour}), retry.NewMaxAttempts(1),
	}
}

var openAtOnce = []annotation.Option{
	annotation.MaxAttempts(1), annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Hour}),
}

var backstayOpen = []Contender{
	backstayFor(NameFor, func() retry.Chain[string] { return retry.For[string]().With(opensAtOnce()...) }),
	backstayWith(func() retry.ErrorChain { return retry.With(opensAtOnce()...) }),
	backstayRunTime[aliases.CircuitBreaker](openAtOnce...),
	backstayGenerated[aliases.CircuitBreaker](openAtOnce...),
}
