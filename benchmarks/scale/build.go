package main

import (
	"errors"
	"fmt"
	"reflect"

	"go.uber.org/dig"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/benchmarks/harness"
	"github.com/backstay/backstay/container"
)

// link is one service of a chain, each of which needs the one before it. One in ten is provided as an interface, under a
// name, and can be woven; the others are of types of their own.
type link struct {
	constructor any
	name        string // of a store; else empty
}

// chainOf makes the links of a chain whose stores are provided as a t, and the function that asks for the last of them
// and counts that it was called.
func chainOf(t reflect.Type, n int) (links []link, last any, called *int) {
	var in []reflect.Type
	for i := range n {
		if i%10 == 9 {
			store := []reflect.Value{reflect.ValueOf(newMemory())}
			name := fmt.Sprint("store", i)
			links = append(links, link{constant(in, store), name})
			in = []reflect.Type{reflect.StructOf([]reflect.StructField{
				{Name: "In", Type: reflect.TypeFor[dig.In](), Anonymous: true},
				{Name: "Store", Type: t, Tag: reflect.StructTag(fmt.Sprintf("name:%q", name))},
			})}
			continue
		}
		out := reflect.Zero(reflect.ArrayOf(i, reflect.TypeFor[struct{}]()))
		links = append(links, link{constant(in, []reflect.Value{out}), ""})
		in = []reflect.Type{out.Type()}
	}
	called = new(int)
	last = reflect.MakeFunc(reflect.FuncOf(in, nil, false), func([]reflect.Value) []reflect.Value {
		*called++
		return nil
	}).Interface()
	return links, last, called
}

// constant is a constructor that takes what in says, and returns the same each time.
func constant(in []reflect.Type, out []reflect.Value) any {
	t := reflect.FuncOf(in, []reflect.Type{out[0].Type()}, false)
	return reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value { return out }).Interface()
}

// building times a builder, and checks that the function at the end was called.
func building(t reflect.Type, n int, build func(links []link, last any) error) (harness.Op, error) {
	links, last, called := chainOf(t, n)
	return harness.Op{
		Run: func(_, times int) error {
			for range times {
				if err := build(links, last); err != nil {
					return err
				}
			}
			return nil
		},
		Done: func(times int) error {
			if *called != times {
				return fmt.Errorf("%d builds ended in %d calls", times, *called)
			}
			return nil
		},
	}, nil
}

func withDig[S Store](opts ...dig.Option) func(int) (harness.Op, error) {
	return func(n int) (harness.Op, error) {
		return building(reflect.TypeFor[S](), n, func(links []link, last any) error {
			c := dig.New(opts...)
			var errs error
			for _, l := range links {
				if l.name == "" {
					errs = errors.Join(errs, c.Provide(l.constructor))
				} else {
					errs = errors.Join(errs, c.Provide(l.constructor, dig.As(new(S)), dig.Name(l.name)))
				}
			}
			if errs != nil {
				return errs
			}
			return c.Invoke(last)
		})
	}
}

func withBackstay[S Store](opts ...container.ProvideOption) func(int) (harness.Op, error) {
	return func(n int) (harness.Op, error) {
		return building(reflect.TypeFor[S](), n, func(links []link, last any) error {
			c := container.New()
			for _, l := range links {
				if l.name == "" {
					c.Provide(l.constructor)
				} else {
					c.Provide(l.constructor, append([]container.ProvideOption{container.As[S](), container.Name(l.name)}, opts...)...)
				}
			}
			return c.Invoke(last)
		})
	}
}

// builds is the time that it takes to build a container against the number of its services.
func builds(limit int) family {
	sizes := upTo(limit, 10, 100, 1000, 10000)
	retried := container.Annotate[aliases.Retry]("Load")
	return family{
		name: "build", title: "Building a container, by services",
		about: "A chain in which each service needs the one before it is provided, built and the last asked for: the time of all that, by the number " +
			"of services, so that a line that stays level is work in proportion. One in ten is provided as an interface under a name; where it says woven, " +
			"these have a Retry. Backstay verifies the whole plan, cycles included; dig looks for cycles at each Provide unless that is " +
			"deferred, which takes too long to be measured at 10,000.",
		x: "services", y: "time per service, µs", logX: true, logY: true,
		value: func(nanos float64, x int) float64 { return nanos / 1000 / float64(x) },
		lines: []line{
			over(upTo(1000, sizes...), line{name: "dig"}, withDig[Store]()),
			over(sizes, line{name: "dig, deferred check", floor: true}, withDig[Store](dig.DeferAcyclicVerification())),
			over(sizes, line{name: "Backstay, none woven"}, withBackstay[Store]()),
			over(sizes, line{name: "1 in 10 woven, generated"}, withBackstay[Store](retried)),
			over(sizes, line{name: "1 in 10 woven, run-time", dashed: true}, withBackstay[RunTimeStore](retried)),
		},
	}
}
