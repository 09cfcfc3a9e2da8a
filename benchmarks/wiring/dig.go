package wiring

import "go.uber.org/dig"

const (
	// NameDig checks for cycles at each Provide, NameDigDeferred once, at the first Invoke.
	NameDig         = "dig"
	NameDigDeferred = "dig, cycle check deferred"
)

func digContender(name string, opts ...dig.Option) Contender {
	return Contender{Name: name, Build: func() (built Built, err error) {
		c := dig.New(opts...)
		for _, f := range constructors {
			if err := c.Provide(f); err != nil {
				return Built{}, err
			}
		}
		built.Resolve = func() (last *lastLink, err error) {
			err = c.Invoke(func(t *lastLink) { last = t })
			return last, err
		}
		built.Last, err = built.Resolve()
		return built, err
	}}
}

var (
	digDefault  = digContender(NameDig)
	digDeferred = digContender(NameDigDeferred, dig.DeferAcyclicVerification())
)
