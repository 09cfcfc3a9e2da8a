// Package wiring holds what is measured of containers: building a chain of a thousand services, resolving one that is
// built, and scopes. Contenders are each in the file of their library.
package wiring

import (
	"context"
	"fmt"

	"github.com/backstay/backstay/benchmarks/harness"
)

//go:generate go run ./internal/linkgen -n 1000 -o links_gen.go

// Service is what can be woven of every tenth service of the chain.
type Service interface {
	Get(ctx context.Context, key string) (string, error)
	Depth() int
}

// node is a service of the chain.
type node interface{ Depth() int }

// links is how many services the chain has, and lastLink the last one.
const links = 1000

type lastLink = T999

// Contender builds the chain in one container.
type Contender struct {
	Name string

	// Woven is how many services are found to be woven, from the last one on.
	Woven int

	// Build registers the whole chain in a new container and resolves the last service.
	Build func() (Built, error)
}

// Built is a container that has built the chain.
type Built struct {
	Last *lastLink

	// Resolve resolves the last service again; nil where the library has no such thing.
	Resolve func() (*lastLink, error)

	// ResolveService resolves the last service that is an interface; nil where that is not measured.
	ResolveService func() (Service, error)
}

// Check builds the chain once and says what is wrong with it.
func (c Contender) Check() error {
	built, err := c.Build()
	if err != nil {
		return err
	}
	if got := built.Last.Depth(); got != links {
		return fmt.Errorf("the chain has %d services, want %d", got, links)
	}
	if got := woven(built.Last); got != c.Woven {
		return fmt.Errorf("%d services are woven, want %d", got, c.Woven)
	}
	if built.Resolve != nil {
		if again, err := built.Resolve(); err != nil || again != built.Last {
			return fmt.Errorf("resolved again the last service is %p, %v, want %p", again, err, built.Last)
		}
	}
	if built.ResolveService != nil {
		s, err := built.ResolveService()
		if err != nil {
			return err
		}
		if value, err := s.Get(context.Background(), "key"); value != "key" || err != nil {
			return fmt.Errorf("the service answers %q, %v", value, err)
		}
	}
	return nil
}

// The names of the works, by which goals refer to them.
const (
	BuildChain       = "build a chain of 1000 services and resolve the last"
	ResolveSingleton = "resolve a built singleton"
)

// Works are all works with the chain.
func Works() []harness.Work {
	build := harness.Work{
		Name: BuildChain,
		About: "A new container each time. Backstay weaves every tenth service, the others weave nothing. The types of Backstay's run-time proxies, " +
			"one per interface, are made by the first build of a process and are there in all later ones.",
		Reference: NameRunTime,
	}
	resolve := harness.Work{
		Name:      ResolveSingleton,
		About:     "The last service of that chain, once more.",
		Reference: NamePointer,
	}
	for _, c := range Contenders() {
		build.Cases = append(build.Cases, harness.Case{Name: c.Name, New: func() (harness.Op, error) { return buildOp(c), nil }})
	}
	for _, r := range resolvers() {
		resolve.Cases = append(resolve.Cases, harness.Case{Name: r.name, New: r.op})
	}
	return []harness.Work{build, resolve, scopeWork()}
}

// kept keeps the compiler from building nothing.
var kept Built

func buildOp(c Contender) harness.Op {
	return harness.Op{Run: func(_, n int) (err error) {
		for range n {
			if kept, err = c.Build(); err != nil {
				return err
			}
		}
		return nil
	}, Done: func(int) error { kept = Built{}; return nil }}
}
