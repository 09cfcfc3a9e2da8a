package faults_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// What an annotation's own methods do while the container makes its plan. They are values without fields, so what they are
// to do is here.
var (
	inDefaults, inValidate = func() {}, func() {}
)

// Moody is an annotation whose methods may fail.
type Moody struct {
	annotation.AbstractRetry
	Level int
}

func (Moody) Defaults() []annotation.Option {
	inDefaults()
	return []annotation.Option{annotation.MaxAttempts(2)}
}

func (Moody) Validate() error {
	inValidate()
	return nil
}

type ponging interface {
	Ping(ctx context.Context) error
}

// declared is a container with one service that has the annotation. What happens at a place is happen.
func declared(place string, happen func()) *container.Container {
	inDefaults, inValidate = func() {}, func() {}
	set := func() {}
	switch place {
	case "Defaults":
		inDefaults = happen
	case "Validate":
		inValidate = happen
	case "Set":
		set = happen
	}
	c := container.New()
	c.Provide(func() *pinger { return &pinger{} }, container.As[ponging](),
		container.Annotate[Moody](ponging.Ping, annotation.Set(func(m *Moody) { set(); m.Level = 3 })))
	return c
}

// Without a panic of its own Verify says who has failed; nobody's panic is a mistake of who calls Verify.
func TestAnAnnotationThatFailsIsADefinitionError(t *testing.T) {
	for name, d := range deeds {
		if name == "ends its goroutine" {
			continue
		}
		for _, place := range []string{"Defaults", "Validate", "Set"} {
			t.Run(place+" "+name, func(t *testing.T) {
				c := declared(place, d.do)
				for range 2 {
					err := c.Verify()
					var definition *annotation.DefinitionError
					require.ErrorAs(t, err, &definition)
					require.ErrorContains(t, err, "panic")
					_, err = container.Get[ponging](c)
					require.ErrorAs(t, err, &definition)
				}
			})
		}
	}
}

// An annotation that ends the goroutine (by t.FailNow, say) leaves no plan; whoever asks next is told why.
func TestAnAnnotationThatEndsItsGoroutineHoldsNobodyUp(t *testing.T) {
	for _, place := range []string{"Defaults", "Validate", "Set"} {
		t.Run(place, func(t *testing.T) {
			c := declared(place, runtime.Goexit)
			got := watched(func() { _ = c.Verify() })
			require.False(t, got.returned)
			require.Nil(t, got.value)
			for range 2 {
				require.ErrorAs(t, c.Verify(), new(*annotation.DefinitionError))
				_, err := container.Get[ponging](c)
				require.ErrorContains(t, err, "the goroutine that made the plan was ended")
			}
			require.Empty(t, c.Notes())
			require.Empty(t, c.Breakers())
			require.Empty(t, c.Registry().Of("pinger@Ping"))
		})
	}
}

// The plan is not made yet, so it can answer nothing; but it answers.
func TestAnAnnotationCannotAskTheContainerThatAsksIt(t *testing.T) {
	for _, place := range []string{"Defaults", "Validate", "Set"} {
		for what, ask := range map[string]func(c *container.Container) error{
			"Verify": (*container.Container).Verify,
			"Get":    func(c *container.Container) error { _, err := container.Get[ponging](c); return err },
			"Invoke": func(c *container.Container) error { return c.Invoke(func(ponging) {}) },
			"Lookup": func(c *container.Container) error { _, err := c.Lookup("pinger"); return err },
		} {
			t.Run(place+" "+what, func(t *testing.T) {
				var c *container.Container
				var inside error
				c = declared(place, func() { inside = ask(c) })
				require.NoError(t, c.Verify())
				require.ErrorAs(t, inside, new(*annotation.DefinitionError))
				require.ErrorContains(t, inside, "Defaults, Validate or Set of an annotation")
				require.NoError(t, ask(c))
			})
		}
	}
}

func TestAnAnnotationCannotRegister(t *testing.T) {
	for _, place := range []string{"Defaults", "Validate", "Set"} {
		t.Run(place, func(t *testing.T) {
			var c *container.Container
			c = declared(place, func() {
				c.Supply(1)
				require.Empty(t, c.Notes())
				require.Empty(t, c.Breakers())
				require.Empty(t, c.Registry().Of("pinger@Ping"))
			})
			err := c.Verify()
			require.ErrorAs(t, err, new(*annotation.DefinitionError))
			require.ErrorContains(t, err, "it comes from the Defaults, Validate or Set of an annotation")
		})
	}
}

// Constructors are the user's: of services, and of policies.
func TestConstructorsThatFail(t *testing.T) {
	for name, d := range deeds {
		for _, place := range []string{"service", "fallback", "policy", "listener"} {
			t.Run(place+" "+name, func(t *testing.T) {
				fails := true
				happen := func(at string) {
					if fails && at == place {
						d.do()
					}
				}
				c := container.New()
				c.Provide(func() *pinger { happen("service"); return &pinger{} }, container.As[ponging](),
					container.Annotate[aliases.Retry](ponging.Ping, annotation.MaxAttempts(2), annotation.Fallback((*standIn).Ping),
						annotation.AddPolicies(retry.PolicyFrom("moody", func() limiter { happen("policy"); return limiter{newRig()} }))))
				c.Provide(func() *standIn { happen("fallback"); return &standIn{} })
				c.Provide(func() retry.Listener { happen("listener"); return ears{newRig()} })
				for range 2 {
					got := watched(func() { _, _ = container.Get[ponging](c) })
					require.False(t, got.returned)
					d.seen(t, got)
				}
				fails = false
				require.NoError(t, c.Invoke(func(g ponging) { require.NoError(t, g.Ping(t.Context())) }))
			})
		}
	}
}

type standIn struct{}

func (*standIn) Ping(context.Context) error { return nil }
