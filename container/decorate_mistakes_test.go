package container_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

type decoratedTwice struct {
	container.In
	C *C
	B *B
}

type decoratedNamed struct {
	container.In
	C *C `name:"x"`
}

type gatheredCs struct {
	container.In
	All []*C `group:"cs"`
}

// What is wrong with decorators is found before anything is built, all of it, where the decorator is written.
func TestDecorateMistakes(t *testing.T) {
	same := func(c *C) *C { return c }
	for name, test := range map[string]struct {
		wire func(c *container.Container)
		want []string
	}{
		"no decorator": {
			func(c *container.Container) {
				c.Decorate(nil)
				c.Decorate(7)
				c.Decorate((func(*C) *C)(nil))
				c.Decorate(func(*C) {})
				c.Decorate(func(*C) error { return nil })
				c.Decorate(func(*C) (*C, *B) { return nil, nil })
				c.Decorate(func(*C) outResults { return outResults{} })
				c.Decorate(func(v *C, _ ...int) *C { return v })
			},
			[]string{
				"backstay: the decorator is nil; give it a func (HERE)",
				"backstay: int is no decorator; give it a func that takes the service and returns what stands in its place (HERE)",
				"backstay: C: the decorator is a nil func(*container_test.C) *container_test.C; give it a func (HERE)",
				"backstay: a func(*container_test.C) is no decorator; let it return the type of one service that it takes, or that and an error (HERE)",
				"backstay: a func(*container_test.C) error is no decorator; let it return the type of one service that it takes, or that and an error (HERE)",
				"backstay: C: a func(*container_test.C) (*container_test.C, *container_test.B) is no decorator; let it return the type of one service that it takes, or that and an error (HERE)",
				"backstay: outResults: a func(*container_test.C) container_test.outResults is no decorator; let it return the type of one service that it takes, or that and an error (HERE)",
				"backstay: C: func(*container_test.C, ...int) *container_test.C is variadic, and nothing is injected into a variadic parameter; wrap it in a func without that parameter (HERE)",
			},
		},
		"one that does not take what it decorates, or takes it twice": {
			func(c *container.Container) {
				c.Decorate(func() *C { return nil })
				c.Decorate(func(decoratedNamed) *C { return nil })
				c.Decorate(func(v, _ *C) *C { return v })
				c.Decorate(func(v *C, _ decoratedTwice) *C { return v })
			},
			[]string{
				"backstay: C: it returns a *container_test.C and takes none; take the one that it decorates as a parameter, or say Override to replace it (HERE)",
				"backstay: C: it returns a *container_test.C and takes none; take the one that it decorates as a parameter, or say Override to replace it (HERE)",
				"backstay: C: it takes the *container_test.C that it decorates twice; take it once (HERE)",
				"backstay: C: it takes the *container_test.C that it decorates twice; take it once (HERE)",
			},
		},
		"options that say more than which service is meant": {
			func(c *container.Container) {
				c.Decorate(same, container.Scoped())
				c.Decorate(tag("1"), container.Annotate[aliases.Retry]("Call"))
				c.Decorate(same, container.As[Caller]())
				c.Decorate(same, nil)
				c.Decorate(same, container.Name("x"), container.Group("cs"))
				c.Decorate(same, container.Group("cs,flatten"))
			},
			[]string{
				"backstay: C: Decorate takes no option but container.Name and container.Group: what is said of the service stays; say it where the service is provided (HERE)",
				"backstay: Caller: Decorate takes no option but container.Name and container.Group: what is said of the service stays; say it where the service is provided (HERE)",
				"backstay: C: Decorate takes no option but container.Name and container.Group: what is said of the service stays; say it where the service is provided (HERE)",
				"backstay: C: one of its options is nil; leave it out (HERE)",
				`backstay: C#x: it decorates both what is named "x" and what is in group "cs"; say one of them (HERE)`,
				`backstay: C: flatten says how a slice gets into a group, and Decorate is for what is in it; write container.Group("cs") (HERE)`,
			},
		},
		"of what nobody provides": {
			func(c *container.Container) {
				c.Provide(func() *Client { return nil }, container.As[Caller]())
				c.Provide(func() *C { return nil }, container.Name("users"))
				c.Decorate(func(v *Client) *Client { return v })
				c.Decorate(same, container.Name("usres"))
				c.Decorate(func(v *B) *B { return v })
			},
			[]string{
				"backstay: Client: Decorate decorates *container_test.Client, and nothing provides it; did you mean container_test.Caller, which *container_test.Client is provided as (HERE)? Else Provide it (HERE)",
				"backstay: C#usres: Decorate decorates *container_test.C named \"usres\", and nothing provides it; did you mean the *container_test.C named \"users\", by container.Name(\"users\")? Else Provide it (HERE)",
				"backstay: B: Decorate decorates *container_test.B, and nothing provides it; Provide it (HERE)",
			},
		},
		"of what is in no group": {
			func(c *container.Container) {
				c.Provide(func() *Plain { return nil }, container.Group("plain"))
				c.Provide(func() *Plain { return nil }, container.As[Caller](), container.Group("callers"))
				c.Provide(func() *C { return nil })
				c.Decorate(tag("1"), container.Group("caller"))
				c.Decorate(tag("1"), container.Group("plain"))
				c.Decorate(same, container.Group("cs"))
				c.Decorate(func(v *B) *B { return v }, container.Group("bs"))
			},
			[]string{
				`backstay: Caller: Decorate finds nothing to decorate: nothing of type container_test.Caller is in group "caller"; did you mean group "callers"? Else Provide one with container.Group("caller") (HERE)`,
				`backstay: Caller: Decorate finds nothing to decorate: nothing of type container_test.Caller is in group "plain"; did you mean to provide *container_test.Plain as it, by container.As[container_test.Caller]() (HERE)? Else Provide one with container.Group("plain") (HERE)`,
				`backstay: C: Decorate finds nothing to decorate: nothing of type *container_test.C is in group "cs"; did you mean to put C into it, by container.Group("cs") (HERE)? Else Provide one with container.Group("cs") (HERE)`,
				`backstay: B: Decorate finds nothing to decorate: nothing of type *container_test.B is in group "bs"; Provide one with container.Group("bs") (HERE)`,
			},
		},
		"of several listeners without a name": {
			func(c *container.Container) {
				c.Provide(func() retry.Listener { return nil })
				c.Provide(func() retry.Listener { return nil })
				c.Decorate(func(l retry.Listener) retry.Listener { return l })
			},
			[]string{"backstay: Listener: Decorate decorates retry.Listener, and nothing provides it; did you mean one of the several retry.Listener without a name, which has to be given one? Else Provide it (HERE)"},
		},
		"of what each scope is supplied with": {
			func(c *container.Container) {
				container.Expect[*C](c)
				c.Decorate(same)
			},
			[]string{"backstay: C: Decorate decorates *container_test.C, which each scope is supplied with (HERE); let the decorator be a constructor with container.Scoped() that takes it and returns another type (HERE)"},
		},
		"of a concrete type inside decorators of its interface": {
			func(c *container.Container) {
				c.Provide(func() *Plain { return nil }, container.As[Caller](), container.AsSelf())
				c.Decorate(tag("1"))
				c.Decorate(func(p *Plain) *Plain { return p })
			},
			[]string{"backstay: Plain: Decorate decorates a *container_test.Plain that stands inside other decorators already; call it before those of container_test.Caller, or decorate one of these (HERE)"},
		},
		"of a service that is wrong itself": { // which is all that is said
			func(c *container.Container) {
				c.Provide(func(...int) *C { return nil })
				c.Decorate(same)
			},
			[]string{"backstay: C: func(...int) *container_test.C is variadic, and nothing is injected into a variadic parameter; wrap it in a func without that parameter (HERE)"},
		},
		"what it takes and nobody provides": {
			func(c *container.Container) {
				c.Provide(func() *Plain { return nil }, container.As[Caller](), container.Group("g"))
				c.Provide(func() *Plain { return nil }, container.As[Caller](), container.Group("g"))
				c.Provide(func() *C { return nil })
				c.Decorate(func(c Caller, _ *B) Caller { return c }, container.Group("g"))
				c.Decorate(func(v *C, _ container.Lazy[*A]) *C { return v })
			},
			[]string{
				"backstay: Plain: nothing provides *container_test.B, which its decorator takes; Provide one (HERE)",
				"backstay: C: nothing provides *container_test.A, which its decorator takes as a container.Lazy; Provide one (HERE)",
			},
		},
		"a singleton's that takes what is scoped": {
			func(c *container.Container) {
				c.Provide(func() *C { return nil })
				c.Provide(func() *B { return nil }, container.Scoped())
				c.Decorate(func(v *C, _ *B) *C { return v })
				c.Decorate(func(v *C, _ container.Provider[*B]) *C { return v })
			},
			[]string{
				"backstay: C: it is built once, and its decorator takes B (HERE), which is built once in each scope; say container.Scoped() where C is provided, or container.Transient() where B is, and take a container.Provider[*container_test.B] (HERE)",
				"backstay: C: its decorator takes a container.Provider[*container_test.B], and B (HERE) is not built anew at each Get; take the *container_test.B itself or a container.Lazy[*container_test.B], or say container.Transient() where it is provided (HERE)",
			},
		},
		"a cycle through what it takes": {
			func(c *container.Container) {
				c.Provide(func() *C { return nil })
				c.Provide(func(*C) *B { return nil })
				c.Decorate(func(v *C, _ *B) *C { return v })
			},
			[]string{"backstay: C: a cycle: C needs B for its decorator (HERE), B needs C (HERE); let the decorator of C take a container.Lazy[*container_test.B] (HERE)"},
		},
		"a cycle of two decorators": {
			func(c *container.Container) {
				c.Supply(&C{})
				c.Supply(&B{})
				c.Decorate(func(v *C, _ *B) *C { return v })
				c.Decorate(func(v *B, _ *C) *B { return v })
			},
			[]string{"backstay: C: a cycle: C needs B for its decorator (HERE), B needs C for its decorator (HERE); let the decorator of C take a container.Lazy[*container_test.B] (HERE)"},
		},
		"a cycle through the group that it decorates": {
			func(c *container.Container) {
				c.Provide(func() *C { return nil }, container.Group("cs"))
				c.Decorate(func(v *C, _ gatheredCs) *C { return v }, container.Group("cs"))
			},
			[]string{`backstay: C: a cycle: C needs C in group "cs" for its decorator (HERE); leave one of them out, or let the decorator of C take a container.Lazy of one of them instead of group "cs" (HERE)`},
		},
		"a cycle through an aspect": {
			func(c *container.Container) {
				c.Provide(func(*C) aspect.Func { return nil }, container.AsAspect(aspect.Method("Call"), 1))
				c.Provide(func() *C { return nil })
				c.Provide(func() *Plain { return nil }, container.As[Caller]())
				c.Decorate(func(v *C, _ Caller) *C { return v })
			},
			[]string{"backstay: Func: a cycle: Func needs C (HERE), C needs Plain for its decorator (HERE), Plain needs Func for aspect around method(Call) (HERE); let the constructor of Func take a container.Lazy[*container_test.C] (HERE)"},
		},
		"one that comes too late": {
			func(c *container.Container) {
				c.Supply(&C{})
				_ = c.Verify()
				c.Decorate(same)
			},
			[]string{"backstay: C: it comes after Verify (HERE), which has frozen the plan; call Decorate before the first use (HERE)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			test.wire(c)
			require.Equal(t, test.want, verified(t, c))
		})
	}
}

func TestAMistakeOfADecoratorIsReportedWhereItIsWritten(t *testing.T) {
	c := container.New()
	c.Provide(func() *C { return nil })
	c.Decorate(func(v *C, _ *B) *C { return v })
	err := c.Verify()
	require.Error(t, err)
	require.Regexp(t, `its decorator takes; Provide one \(`, err.Error())
	at := placeOfTest.FindAllString(err.Error(), -1)
	require.Len(t, at, 1, "said once")
	tree := placeOfTest.ReplaceAllString(fmt.Sprintf("%+v", err), "HERE")
	require.Contains(t, tree, "\nC (HERE)\n  nothing provides *container_test.B, which its decorator takes (HERE)\n")
}
