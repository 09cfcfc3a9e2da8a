package container_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

// What meets nothing is told beside a registration that is wrong in itself, and what is for that registration is no mistake.
func TestABrokenRegistrationHidesNoOtherMistake(t *testing.T) {
	const (
		unmet = "backstay: pointcut class(Nobody) matches nothing; correct it, or leave it out; only services that are provided as an interface or a func can be met (HERE)"
		conf  = `backstay: Configure of "Nobody@Call": it meets no method; write Class@Method of a service that is provided as an interface or a func (HERE)`
		all   = "backstay: annotation container_test.Trail of class(None) matches nothing; correct it, or leave it out; only services that are provided as an interface or a func can be met (HERE)"
	)
	for name, broken := range map[string]func(c *container.Container){
		"a nil option": func(c *container.Container) {
			c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), nil)
		},
		"a wrong As":        func(c *container.Container) { c.Provide(func() *A { return &A{} }, container.As[Caller]()) },
		"a wrong name":      func(c *container.Container) { c.Provide(func() *A { return &A{} }, container.Name("a@b")) },
		"a tag with a typo": func(c *container.Container) { c.Provide(func(missingTag) *B { return &B{} }) },
		"a nil constructor": func(c *container.Container) { c.Provide(nil) },
		"a wrong Impl":      func(c *container.Container) { c.Provide(func() Caller { return nil }, container.Impl[*A]()) },
		"two lifetimes": func(c *container.Container) {
			c.Provide(func() *A { return &A{} }, container.Scoped(), container.Transient())
		},
		"a variadic function": func(c *container.Container) { c.Provide(func(...int) *A { return &A{} }) },
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			broken(c)
			c.Supply(aspect.Func(func(jp aspect.JoinPoint) error { return jp.Proceed() }), container.AsAspect(aspect.Class("Nobody"), 1))
			c.Configure("Nobody@Call", annotation.MaxAttempts(2))
			container.AnnotateAll[Trail](c, aspect.Class("None"))
			got := verified(t, c)
			require.Subset(t, got, []string{unmet, conf, all})
			require.Greater(t, len(got), 3)
		})
	}
}

func TestWhatIsForABrokenServiceIsNoMistake(t *testing.T) {
	c := container.New()
	c.Provide(func() *Client { return &Client{} }, container.As[Caller](), nil)
	c.Supply(aspect.Func(func(jp aspect.JoinPoint) error { return jp.Proceed() }), container.AsAspect(aspect.Class("Client"), 1))
	c.Configure("Client@Call", annotation.MaxAttempts(2))
	container.AnnotateAll[Trail](c, aspect.Method("Call"))
	require.Equal(t, []string{"backstay: Client: one of its options is nil; leave it out (HERE)"}, verified(t, c))
}

// The two lines that stand in the documentation of Configure, in both orders.
func TestASwitchMayStandBesideWhatItSwitchesOff(t *testing.T) {
	tune := func(c *container.Container) { c.Configure("Client@Call", annotation.MaxAttempts(2)) }
	off := func(c *container.Container) { c.Configure("*@*", annotation.Enabled[annotation.AbstractRetry](false)) }
	for name, say := range map[string][]func(*container.Container){"tuned first": {tune, off}, "off first": {off, tune}} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			client, _ := caller(c)
			c.Supply(aspect.Func(func(jp aspect.JoinPoint) error { return jp.Proceed() }), container.AsAspect(aspect.Annotated[aliases.Retry](), 1))
			for _, s := range say {
				s(c)
			}
			require.NoError(t, c.Verify())
			require.ErrorIs(t, must[Caller](t, c).Call(t.Context()), errDown)
			require.Equal(t, 1, client.calls)
			m := c.Explain().Find("Client").Methods[0]
			require.Equal(t, "aliases.Retry", m.Annotations[0].Type)
			require.Contains(t, m.Annotations[0].OffBy, "together_test.go")
		})
	}
}

func TestAMistakeInTheDefaultsIsOfNoService(t *testing.T) {
	c := container.New(container.Defaults(annotation.MaxAttempts(-5)))
	caller(c)
	tree := fmt.Sprintf("%+v", c.Verify())
	require.NotContains(t, tree, "Supply")
	require.Contains(t, tree, "\n\nthe container\n  MaxAttempts(-5)")
}
