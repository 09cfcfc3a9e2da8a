package main

import (
	"math"
	"runtime"

	"github.com/backstay/backstay/benchmarks/calls"
	"github.com/backstay/backstay/benchmarks/harness"
	"github.com/backstay/backstay/benchmarks/wiring"
)

// goals are the rows of the design's table of speed, taken apart. Where a row does not say which of Backstay's forms it
// means, each of them has to meet it, and the one that does worst is named; where it does not say which peer, it is the
// one that does best.
func goals() []goal {
	chains := []string{calls.NameFor, calls.NameWith}
	retryOnly := places([]string{calls.RetryOnlySuccess, calls.RetryOnlyDeadline}, chains)
	five := places([]string{calls.ComposedSuccess}, []string{calls.NameFor})
	generated := place{calls.Proxies, calls.NameGenerated + calls.NameRetry}
	runTime := place{calls.Proxies, calls.NameRunTime + calls.NameRetry}
	twice, twiceFive := places([]string{calls.RetryOnlyTwice}, chains), places([]string{calls.ComposedTwice}, []string{calls.NameFor})
	ten, tenFive := places([]string{calls.RetryOnlyTen}, chains), places([]string{calls.ComposedTen}, []string{calls.NameFor})
	open := places([]string{calls.BreakerOpen}, chains)
	chain := places([]string{wiring.BuildChain}, []string{wiring.NameRunTime, wiring.NameGenerated})
	singleton := places([]string{wiring.ResolveSingleton}, []string{wiring.NamePointer, wiring.NameService})
	scope := places([]string{wiring.RequestScope}, []string{wiring.NameScoped})
	allTwice, allTen := []string{calls.RetryOnlyTwice, calls.ComposedTwice}, []string{calls.RetryOnlyTen, calls.ComposedTen}

	var all []goal
	row := ""
	atLeast := func(limit float64, what string, value measurement) {
		all = append(all, goal{row: row, what: what, limit: limit, value: value})
	}
	atMost := func(limit float64, unit, what string, value measurement) {
		all = append(all, goal{row: row, what: what, limit: limit, most: true, unit: unit, value: value})
	}

	row = "retry only, a context per call, success on the first attempt"
	atMost(1, "", "allocations", allocations(retryOnly))
	atMost(112, "B", "allocated", allocated(retryOnly))
	atLeast(6, "times as fast as failsafe-go", faster(retryOnly, calls.NameFailsafe))
	atLeast(1.4, "times as fast as cenkalti/backoff", faster(retryOnly, calls.NameCenkalti))

	row = "five default policies, success on the first attempt"
	atMost(1, "", "allocations", allocations(five))
	atLeast(7, "times as fast as failsafe-go's retry, breaker and fallback", faster(five, calls.NameFailsafe))
	atLeast(1, "times as fast as a hand-written loop around gobreaker", faster(five, calls.NameHandAndGobreaker))

	row = "generated proxy and default Retry, success"
	atMost(1, "", "allocations", allocations([]place{generated}))
	atMost(80, "ns", "more than the chain called directly", beyond(generated, calls.NameChain))

	row = "run-time proxy and default Retry, success"
	atMost(1.5, "", "times as long as a bare reflect.MakeFunc that forwards by reflection", slower([]place{runTime}, calls.NameBareMakeFunc))

	row = "two failures, then success, no wait"
	atLeast(8, "retry only: times as fast as the fastest peer", fasterThanAll(twice, allTwice, isPeer))
	atLeast(5, "five policies: times as fast as the fastest peer", fasterThanAll(twiceFive, allTwice, isPeer))

	row = "ten failures, no wait"
	atLeast(10, "retry only: times as fast as the fastest peer that waits through a timer", fasterThanAll(ten, allTen, hasTimer))
	atLeast(7, "five policies: times as fast as the fastest peer that waits through a timer", fasterThanAll(tenFive, allTen, hasTimer))

	row = "breaker open, rejected"
	atMost(0.5, "", "times as long as gobreaker", slower(open, calls.NameGobreaker))
	atMost(0, "", "allocations", allocations(open))

	row = "build and resolve 1000 services in a chain, one woven in ten"
	atLeast(10, "times as fast as dig", faster(chain, wiring.NameDig))
	atMost(1.3, "", "times as long as dig with its cycle check deferred", slower(chain, wiring.NameDigDeferred))

	row = "resolve a built singleton"
	atLeast(10, "times as fast as samber/do", faster(singleton, wiring.NameDo))
	atMost(0, "", "allocations", allocations(singleton))

	row = "request scope with ten scoped services: open, resolve, close"
	atMost(2000, "ns", "takes", most(scope, (*harness.Series).Nanos))
	atMost(0, "", "bytes kept after each of 100,000", retained)

	row = "calls in parallel: the cost beyond an allocation falls with cores"
	for _, w := range calls.Works() {
		if runtime.GOMAXPROCS(0) == 1 {
			break // nothing is in parallel
		}
		atLeast(nearly, w.Name+": times as much as the plain call's", falls(w))
	}
	return all
}

// nearly is how much of the plain call's gain by several processors has to be reached: in full, but for noise.
const nearly = 0.9

// falls is how much less a call costs by several processors than by one, beyond a bare allocation of what it allocates,
// compared with how much less a plain call costs: 1 is the same, and more is better. Of Backstay's forms the worst
// counts.
//
// Beyond the allocation, since what an allocation costs in parallel is the garbage collector's affair. Where nothing is
// left beyond it, the value has no bound.
func falls(w *calls.Work) measurement {
	return func(r *harness.Results) (value float64, who string, ok bool) {
		for _, c := range w.Contenders {
			if c.Kind != calls.Backstay || c.Name == calls.NameForAndBreaker {
				continue
			}
			v, measured := gain(r, w.Name, c.Name)
			if !measured {
				return 0, "", false
			}
			if v < value || !ok {
				value, who, ok = v, short(c.Name), true
			}
		}
		return value, who, ok
	}
}

// gain is what falls is for one contender.
func gain(r *harness.Results, work, contender string) (value float64, ok bool) {
	both := func(work, contender string) []place {
		return []place{{work, contender}, {calls.Parallel(work), contender}}
	}
	all := both(work, contender)
	all = append(all, both(calls.RetryOnlySuccess, calls.NamePlainCall)...)
	allocation := calls.NamePlainCall // of who allocates nothing
	if s, found := at(r, all[0]); found && math.Round(s[0].Bytes()) > 0 {
		allocation = calls.Allocation(math.Round(s[0].Bytes()))
	}
	s, ok := at(r, append(all, both(calls.RetryOnlySuccess, allocation)...)...)
	if !ok {
		return 0, false
	}
	return harness.Paired(func(n ...float64) float64 {
		alone, together, plainAlone, plainTogether, allocAlone, allocTogether := n[0], n[1], n[2], n[3], n[4], n[5]
		alone -= allocAlone - plainAlone
		together -= allocTogether - plainTogether
		if together <= 0 {
			return math.Inf(1)
		}
		return (alone / together) / (plainAlone / plainTogether)
	}, s...), true
}
