package container_test

import (
	"context"
	"time"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// A container with everything in it that Explain tells.

type (
	Dialer  struct{ timeout time.Duration }
	Probe   struct{ name string }
	Request struct{ tenant string }
	Session struct{ request Request }
	Cart    struct{}
	Desk    struct{}
	Ticket  struct{}
	Shadow  struct{}

	// Watch is an aspect with a dependency.
	Watch struct{ dialer *Dialer }

	// Traced is an annotation that is none of a retry.
	Traced struct{ Sample float64 }
)

func (w *Watch) Process(jp aspect.JoinPoint) error { return jp.Proceed() }

// Remote is retried, falls back on another service, and has a policy with a dependency.
type Remote struct {
	_ annotation.On[aliases.BackoffRetryThrowable] `method:"Call" maxAttempts:"4" fallback:"Backup@Call" ignoreErrors:"gone"`
	_ annotation.On[Traced]                        `method:"*" sample:"0.5"`
}

func (*Remote) Call(context.Context) error { return nil }

type Backup struct{}

func (*Backup) Call(context.Context) error { return nil }

// Tenancy is scoped and woven, and falls back on a method of its own.
type Tenancy struct{}

func (*Tenancy) Call(context.Context) error { return nil }
func (*Tenancy) Late(context.Context) error { return nil }

type around struct{ Caller }

type deskParams struct {
	container.In
	Caller  Caller
	Backup  Caller                `name:"backup"`
	Later   container.Lazy[*Cart] `optional:"true"`
	Probes  []*Probe              `group:"probes"`
	Idle    []*Probe              `group:"idle"`
	Nobody  *Shadow               `optional:"true"`
	Tickets container.Provider[*Ticket]
}

// after makes a constructor take some time, of which a bubble has as much as it wants.
func after[T any](d time.Duration, v T) T {
	time.Sleep(d)
	return v
}

// office is that container.
func office() *container.Container {
	c := container.New(container.Defaults(annotation.MaxDelay(30 * time.Second)))
	c.Supply(&Dialer{})
	c.Supply(retry.Is(errDown), container.Name("gone"))
	c.Provide(func(*Dialer) *Remote { return after(3*time.Millisecond, &Remote{}) }, container.As[Caller](),
		container.Annotate[aliases.CircuitBreaker](Caller.Call, annotation.BreakerName("line")))
	c.Provide(func() *Backup { return after(1500*time.Microsecond, &Backup{}) }, container.Name("backup"), container.As[Caller]())
	c.Provide(func() *Probe { return after(time.Second, &Probe{"a"}) }, container.Group("probes"))
	c.Provide(func() *Probe { return &Probe{"b"} }, container.Group("probes"), container.Name("spare"))
	c.Provide(func(d *Dialer) *Watch { return &Watch{d} },
		container.AsAspect(aspect.Or(aspect.Annotated[Traced](), aspect.Class("Tenancy")), aspect.RetryPriority+1))
	container.Expect[Request](c)
	c.Provide(func(*Dialer) *Ticket { return &Ticket{} }, container.Transient())
	c.Provide(func(r Request) *Session { return after(20*time.Microsecond, &Session{r}) }, container.Transient())
	c.Provide(func(*Session, Request, container.Lazy[Caller]) *Tenancy { return after(2*time.Millisecond, &Tenancy{}) }, container.Scoped(),
		container.As[Closer](), container.Annotate[aliases.Retry]("Shut", annotation.Fallback("Tenancy@Late")))
	c.Provide(func(deskParams) *Desk { return after(4*time.Millisecond, &Desk{}) })
	c.Provide(func(*Desk) *Cart { return &Cart{} })
	c.Decorate(func(inner Caller) Caller { return around{inner} })
	c.Decorate(func(inner Caller, p container.Lazy[*Cart], d *Dialer) Caller {
		return after(time.Millisecond, Caller(around{inner}))
	})
	c.Override(func() Caller { return &Plain{} }, container.Name("backup"))
	return c
}

func (*Tenancy) Shut(context.Context) error { return nil }
