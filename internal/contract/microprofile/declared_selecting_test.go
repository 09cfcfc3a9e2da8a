package microprofile_test

import (
	"context"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// declaredSelecting is a service whose methods fail, each under another policy that tells errors apart.
type declaredSelecting interface {
	Retried(ctx context.Context) error
	Guarded(ctx context.Context) error
	Replaced(ctx context.Context) (string, error)
}

// The same service, with the marks of each setting of the tables. The matchers and the fallback are supplied by name.
type (
	declaredSelectingPlain struct {
		thrown error
	}
	declaredSelectingA struct {
		_ annotation.On[declaredRetry] `method:"Retried" maxAttempts:"2" retryErrors:"e0,e2" ignoreErrors:"e1"`
		_ annotation.On[declaredRetry] `method:"Replaced" maxAttempts:"1" retryErrors:"e0,e2" ignoreErrors:"e1" fallback:"replacement"`
		_ annotation.On[declaredGuard] `method:"Guarded" retryErrors:"e0,e2" ignoreErrors:"e1" breaker:"window=1"`
		*declaredSelectingPlain
	}
	declaredSelectingB struct {
		_ annotation.On[declaredRetry] `method:"Retried" maxAttempts:"2" retryErrors:"exception,e1" ignoreErrors:"e0,e2"`
		_ annotation.On[declaredRetry] `method:"Replaced" maxAttempts:"1" retryErrors:"exception,e1" ignoreErrors:"e0,e2" fallback:"replacement"`
		_ annotation.On[declaredGuard] `method:"Guarded" retryErrors:"exception,e1" ignoreErrors:"e0,e2" breaker:"window=1"`
		*declaredSelectingPlain
	}
	declaredSelectingC struct {
		_ annotation.On[declaredRetry] `method:"Retried" maxAttempts:"2" retryErrors:"e1,e2" ignoreErrors:"e0"`
		_ annotation.On[declaredRetry] `method:"Replaced" maxAttempts:"1" retryErrors:"e1,e2" ignoreErrors:"e0" fallback:"replacement"`
		_ annotation.On[declaredGuard] `method:"Guarded" retryErrors:"e1,e2" ignoreErrors:"e0" breaker:"window=1"`
		*declaredSelectingPlain
	}
)

func (s *declaredSelectingPlain) fail() error                   { return s.thrown }
func (s *declaredSelectingPlain) Retried(context.Context) error { return s.fail() }
func (s *declaredSelectingPlain) Guarded(context.Context) error { return s.fail() }
func (s *declaredSelectingPlain) Replaced(context.Context) (string, error) {
	return "", s.fail()
}

func declaredReplacement() (string, error) { return "replacement", nil }

// declaredSetting is one column of the tables.
type declaredSetting struct {
	name     string
	on, skip []string
	match    []string // the thrown errors that match
	marked   func(c *container.Container, s *declaredSelectingPlain)
}

var declaredSettings = []declaredSetting{
	{"mp:H-A", []string{"E0", "E2"}, []string{"E1"}, []string{"E0", "E0S"}, func(c *container.Container, s *declaredSelectingPlain) {
		c.Provide(func() *declaredSelectingA { return &declaredSelectingA{declaredSelectingPlain: s} }, container.As[declaredSelecting]())
	}},
	{"mp:H-B", []string{"Exception", "E1"}, []string{"E0", "E2"}, []string{"Exception", "RuntimeException"}, func(c *container.Container, s *declaredSelectingPlain) {
		c.Provide(func() *declaredSelectingB { return &declaredSelectingB{declaredSelectingPlain: s} }, container.As[declaredSelecting]())
	}},
	{"mp:H-C", []string{"E1", "E2"}, []string{"E0"}, nil, func(c *container.Container, s *declaredSelectingPlain) {
		c.Provide(func() *declaredSelectingC { return &declaredSelectingC{declaredSelectingPlain: s} }, container.As[declaredSelecting]())
	}},
}

func (l *declaredLattice) matchers(names []string) (all []retry.Matcher) {
	for _, n := range names {
		all = append(all, l.on[n])
	}
	return all
}

// register provides the service under the setting, by its marks or at the registration.
func (x *declaredSetting) register(l *declaredLattice, marks bool, s *declaredSelectingPlain) *container.Container {
	c := container.New()
	if marks {
		x.marked(c, s)
		for name, as := range map[string]string{"Exception": "exception", "E0": "e0", "E1": "e1", "E2": "e2"} {
			c.Supply(l.on[name], container.Name(as))
		}
		c.Supply(declaredReplacement, container.Name("replacement"))
		return c
	}
	on, skip := annotation.RetryErrors(l.matchers(x.on)...), annotation.IgnoreErrors(l.matchers(x.skip)...)
	c.Provide(func() *declaredSelectingPlain { return s }, container.As[declaredSelecting](),
		container.Annotate[declaredRetry](declaredSelecting.Retried, annotation.MaxAttempts(2), on, skip),
		container.Annotate[declaredRetry](declaredSelecting.Replaced, annotation.MaxAttempts(1), on, skip, annotation.Fallback(declaredReplacement)),
		container.Annotate[declaredGuard](declaredSelecting.Guarded, declaredWindow(1), on, skip))
	return c
}
