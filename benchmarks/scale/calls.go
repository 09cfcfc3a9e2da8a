package main

import (
	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/benchmarks/harness"
	"github.com/backstay/backstay/container"
)

// services is the cost of a call against the number of woven services in the container.
func services(limit int) family {
	sizes := upTo(limit, 1, 10, 100, 1000, 10000)
	inTurn := func(from source) func(int) (harness.Op, error) {
		return func(n int) (harness.Op, error) {
			return calling(from(n, newMemory, container.Annotate[aliases.Retry]("Load")))
		}
	}
	same := func(from source) func(int) (harness.Op, error) {
		return func(n int) (harness.Op, error) {
			stores, err := from(n, newMemory, container.Annotate[aliases.Retry]("Load"))
			return calling(stores[:min(1, len(stores))], err)
		}
	}
	return family{
		name: "services", title: "A call, by woven services in the container",
		about: "Every service has a Retry with its defaults, so a budget of its own. Calls go to one of them, or to all in turn; what all " +
			"in turn cost more is what the caches of the processor no longer hold, as the plain calls show.",
		x: "services in the container", y: "time per call, ns", logX: true, logY: true,
		lines: []line{
			over(sizes, line{name: "plain, in turn", floor: true}, inTurn(plain)),
			over(sizes, line{name: "generated, always one"}, same(generated)),
			over(sizes, line{name: "generated, in turn"}, inTurn(generated)),
			over(sizes, line{name: "run-time, always one", dashed: true}, same(runTime)),
			over(sizes, line{name: "run-time, in turn", dashed: true}, inTurn(runTime)),
		},
	}
}

// merged are annotations that all stand on one method, the first n of them.
func merged(n int) []container.ProvideOption {
	return []container.ProvideOption{
		container.Annotate[aliases.Retry]("Load"),
		container.Annotate[aliases.RetryThrowable]("Load"),
		container.Annotate[aliases.RetryFalsy]("Load"),
		container.Annotate[aliases.BackoffRetryThrowable]("Load"),
		container.Annotate[aliases.CircuitBreaker]("Load"),
	}[:n]
}

// annotations is the cost of a call against the number of annotations that are merged into its policy.
func annotations(int) family {
	of := func(from source) func(int) (harness.Op, error) {
		return func(n int) (harness.Op, error) { return calling(from(1, newMemory, merged(n)...)) }
	}
	sizes := []int{1, 2, 3, 4, 5}
	return family{
		name: "annotations", title: "A call, by annotations merged on its method",
		about: "In this order: Retry, RetryThrowable, RetryFalsy, BackoffRetryThrowable, CircuitBreaker. They are merged when the service is " +
			"woven; a call pays for the policies that come out: from RetryFalsy on for looking at the result, and with CircuitBreaker for the breaker.",
		x: "annotations on the method", y: "time per call, ns",
		lines: []line{
			over(sizes, line{name: "generated"}, of(generated)),
			over(sizes, line{name: "run-time", dashed: true}, of(runTime)),
		},
	}
}

// annotated is the cost of a call of one method against the number of annotated methods that its service has.
func annotated(int) family {
	of := func(from source) func(int) (harness.Op, error) {
		return func(n int) (harness.Op, error) {
			return calling(from(1, newMemory, container.Annotate[aliases.Retry](methods(n))))
		}
	}
	sizes := []int{1, 2, 4, 6, 8, 10}
	return family{
		name: "methods", title: "A call, by annotated methods of its service",
		about: "The interface has ten methods; the first of them is called.",
		x:     "annotated methods", y: "time per call, ns",
		lines: []line{
			over(sizes, line{name: "generated"}, of(generatedWide)),
			over(sizes, line{name: "run-time", dashed: true}, of(runTimeWide)),
		},
	}
}

// aspects is the cost of a call against the number of aspects around it.
func aspects(int) family {
	sizes := []int{0, 1, 2, 4, 8, 16, 32}
	return family{
		name: "aspects", title: "A call, by aspects around its Retry",
		about: "The aspects do nothing but proceed. They are outside the method's Retry, which has its defaults.",
		x:     "aspects", y: "time per call, ns",
		lines: []line{
			over(sizes, line{name: "generated"}, func(n int) (harness.Op, error) {
				return calling(surrounded[Store](n, aspect.Generated))
			}),
			over(sizes, line{name: "run-time", dashed: true}, func(n int) (harness.Op, error) {
				return calling(surrounded[RunTimeStore](n, aspect.RunTime))
			}),
		},
	}
}

// surrounded is one store with so many aspects around its Retry.
func surrounded[S Store](n int, kind aspect.ProxyKind) ([]Store, error) {
	c := container.New()
	for range n {
		c.Provide(func() aspect.Func { return aspect.JoinPoint.Proceed }, container.AsAspect(aspect.Method("Load"), aspect.RetryPriority+1))
	}
	c.Provide(newMemory, container.As[S](), container.Annotate[aliases.Retry]("Load"))
	s, err := container.Get[S](c)
	if err != nil {
		return nil, err
	}
	return checked([]Store{s}, kind)
}
