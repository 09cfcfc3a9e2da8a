package wiring

import (
	"fmt"

	"github.com/backstay/backstay/benchmarks/harness"
)

// NamePointer and NameService are the forms in which Backstay resolves.
const (
	NamePointer = "Backstay, a pointer"
	NameService = "Backstay, a woven interface"
)

// Contenders are all that build the chain.
func Contenders() []Contender {
	return []Contender{
		backstayRunTime, backstayGenerated, backstayPlain, digDefault, digDeferred, fxContender, doContender, handContender,
	}
}

// resolver resolves a service of a chain that it has built.
type resolver struct {
	name string
	op   func() (harness.Op, error)
}

func resolvers() []resolver {
	return []resolver{
		{NamePointer, resolveOp(backstayRunTime, func(b Built) func() (*lastLink, error) { return b.Resolve })},
		{NameService, resolveOp(backstayRunTime, func(b Built) func() (Service, error) { return b.ResolveService })},
		{NameDigDeferred, resolveOp(digDeferred, func(b Built) func() (*lastLink, error) { return b.Resolve })},
		{NameDo, resolveOp(doContender, func(b Built) func() (*lastLink, error) { return b.Resolve })},
	}
}

func resolveOp[T comparable](c Contender, which func(Built) func() (T, error)) func() (harness.Op, error) {
	return func() (harness.Op, error) {
		built, err := c.Build()
		if err != nil {
			return harness.Op{}, err
		}
		resolve := which(built)
		first, err := resolve()
		return harness.Op{Run: func(_, n int) error {
			for range n {
				if again, err := resolve(); err != nil || again != first {
					return fmt.Errorf("resolved %v, %v, want %v", again, err, first)
				}
			}
			return nil
		}}, err
	}
}
