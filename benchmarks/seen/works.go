package main

import (
	"context"
	"math"
	"time"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/benchmarks/calls"
	"github.com/backstay/backstay/benchmarks/internal/generated"
	"github.com/backstay/backstay/retry"
)

// work is one kind of call, in the two forms in which it is made.
type work struct {
	short    string // for the head of a column
	call     calls.Work
	parallel bool

	weave func(target calls.Service, opts ...aspect.WeaverOption) calls.Service
	chain func() retry.Chain[string]

	each, before events // of each call, and of the one that opens the breaker
}

// events are what listeners are told of, and what eventlog writes of it.
type events struct {
	calls, attempts, retries, fallbacks int
	info, debug                         int // records at these levels and above
}

// name is the name of the work in one of its forms.
func (w *work) name(form string) string { return w.call.Name + ", " + form }

const (
	maxAttempts   = 10
	fallbackValue = "fallback"
)

// largeBudget pays for nine retries of each call. The default one exists to refuse them.
var largeBudget = retry.BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1, Percent: maxAttempts}

// opening is the settings of a breaker that one exhausted session opens for longer than anything is measured.
var opening = retry.BreakerSettings{ResetTimeout: time.Hour}

// policies are those of the default Retry, but for the fallback.
func policies() retry.Chain[string] {
	return retry.For[string]().With(retry.NewClassifier(), retry.NewBudget(largeBudget),
		retry.NewMaxAttempts(maxAttempts), retry.NewSleep(retry.Flat, 0))
}

func guarded() retry.Chain[string] {
	return retry.For[string]().With(retry.NewClassifier(), retry.NewCircuitBreaker(opening), retry.NewMaxAttempts(1))
}

// weave weaves an A by the generated proxy. What cannot be woven is a bug of this program.
func weave[A any](opts ...annotation.Option) func(calls.Service, ...aspect.WeaverOption) calls.Service {
	return func(target calls.Service, weaver ...aspect.WeaverOption) calls.Service {
		proxy, err := aspect.Wrap[generated.Service](aspect.NewWeaver(weaver...), target, aspect.Annotate[A](generated.Service.Get, opts...))
		if err != nil {
			panic(err)
		}
		if kind := aspect.KindOf(proxy); kind != aspect.Generated {
			panic("the service is " + kind.String() + ", not woven by a generated proxy")
		}
		return proxy
	}
}

// works are all that is timed.
func works() []*work {
	budget := annotation.Budget(largeBudget)
	atOnce := work{
		short: "success at once",
		call:  calls.Work{Name: "Success at once", About: "The peer answers.", Want: calls.Outcome{Calls: 1}},
		weave: weave[aliases.Retry](budget),
		chain: policies,
		each:  events{calls: 1, attempts: 1},
	}
	rejected := work{
		short: "rejected",
		call: calls.Work{
			Name: "Rejected by a breaker", About: "One failure has opened the breaker for an hour; the caller gets the rejection, without a fallback.",
			Failures: math.MaxInt, Opens: true, Want: calls.Outcome{Err: true},
		},
		weave:  weave[aliases.CircuitBreaker](annotation.MaxAttempts(1), annotation.Breaker(opening)),
		chain:  guarded,
		each:   events{calls: 1, info: 1, debug: 1},
		before: events{calls: 1, attempts: 1, info: 2, debug: 3},
	}
	return []*work{
		&atOnce,
		{
			short: "two failures, success",
			call: calls.Work{
				Name: "Two failures, then success", About: "Three attempts, without a wait.",
				Failures: 2, Want: calls.Outcome{Calls: 3},
			},
			weave: weave[aliases.Retry](budget),
			chain: policies,
			each:  events{calls: 1, attempts: 3, retries: 2, debug: 5},
		},
		{
			short: "exhausted, fallback",
			call: calls.Work{
				Name: "Exhausted, with a fallback", About: "Ten attempts fail, without a wait, and the fallback answers.",
				Failures: math.MaxInt, Want: calls.Outcome{Value: fallbackValue, Calls: maxAttempts},
			},
			weave: weave[aliases.Retry](budget, annotation.Fallback(func(context.Context, string) (string, error) { return fallbackValue, nil })),
			chain: func() retry.Chain[string] {
				return policies().Fallback(func(context.Context, error) (string, error) { return fallbackValue, nil })
			},
			each: events{calls: 1, attempts: maxAttempts, retries: maxAttempts - 1, fallbacks: 1, info: 2, debug: 2*maxAttempts + 1},
		},
		&rejected,
		inParallel(atOnce),
		inParallel(rejected),
	}
}

// inParallel is the work done by all processors at once.
func inParallel(w work) *work {
	w.short += ", in parallel"
	w.call.Name = calls.Parallel(w.call.Name)
	w.call.About += " By GOMAXPROCS goroutines at once, which share the service and all that listens; what is told is the time that passes per call."
	w.parallel = true
	return &w
}
