package wiring

import "github.com/backstay/backstay/container"

// NameRunTime and NameGenerated weave every tenth service, by one kind of proxy or the other.
const (
	NameRunTime   = "Backstay, run-time proxies"
	NameGenerated = "Backstay, generated proxies"
	namePlain     = "Backstay, nothing woven"
)

// everyTenth is how many services of the chain may be woven.
const everyTenth = links / 10

func backstay(name string, woven int, provide func(*container.Container)) Contender {
	return Contender{Name: name, Woven: woven, Build: func() (Built, error) {
		c := container.New()
		provide(c)
		last, err := container.Get[*lastLink](c)
		return Built{
			Last:           last,
			Resolve:        func() (*lastLink, error) { return container.Get[*lastLink](c) },
			ResolveService: func() (Service, error) { return container.Get[I995](c) },
		}, err
	}}
}

var (
	backstayRunTime   = backstay(NameRunTime, everyTenth, provideRunTime)
	backstayGenerated = withoutService(backstay(NameGenerated, everyTenth, provideGenerated))
	backstayPlain     = backstay(namePlain, 0, func(c *container.Container) {
		for _, f := range constructors {
			c.Provide(f)
		}
	})
)

// withoutService leaves out to resolve the service as an I995, which it is not provided as.
func withoutService(c Contender) Contender {
	build := c.Build
	c.Build = func() (Built, error) {
		built, err := build()
		built.ResolveService = nil
		return built, err
	}
	return c
}
