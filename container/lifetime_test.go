package container_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// Every mistake about lifetimes that is found before anything is built.
func TestLifetimesThatDoNotFitAreDefinitionErrors(t *testing.T) {
	type group struct {
		container.In
		All []*A `group:"a"`
	}
	type softGroup struct {
		container.In
		All []*A `group:"a,soft"`
	}
	type params struct {
		container.In
		Nested struct {
			container.In
			A *A `optional:"true"`
		}
	}
	scoped, transient := container.Scoped(), container.Transient()
	a, b := func() *A { return nil }, func(*B) *A { return nil }
	for name, test := range map[string]struct {
		wire func(c *container.Container)
		want []string
	}{
		"both": {
			func(c *container.Container) { c.Provide(a, scoped, transient, transient) },
			[]string{"A: it is both container.Scoped and container.Transient; say one of them"},
		},
		"one of them twice": {func(c *container.Container) { c.Provide(a, scoped, scoped) }, nil},
		"a supplied value": {
			func(c *container.Container) { c.Supply(&A{}, scoped); c.Supply(&C{}, transient) },
			[]string{
				"A: a supplied value is there once, and container.Scoped() says otherwise; leave the option out, or announce a value for each scope by container.Expect and give it by Scope.Supply",
				"C: a supplied value is there once, and container.Transient() says otherwise; leave the option out, or announce a value for each scope by container.Expect and give it by Scope.Supply",
			},
		},
		"an override": {
			func(c *container.Container) { c.Provide(a); c.Override(a, scoped) },
			[]string{"A: Override keeps the lifetime of the service that it replaces, and container.Scoped() sets one; leave the option out"},
		},
		"an aspect": {
			func(c *container.Container) {
				c.Provide(func() Caller { return nil })
				c.Provide(func() aspect.Func { return nil }, scoped, container.AsAspect(aspect.Any(), 1))
				c.Provide(func() aspect.Aspect { return nil }, transient, container.AsAspect(aspect.Any(), 2))
			},
			[]string{
				"Func: an aspect is built once, for the calls of all instances, and container.Scoped() says otherwise; leave the option out",
				"Aspect: an aspect is built once, for the calls of all instances, and container.Transient() says otherwise; leave the option out",
			},
		},
		"a listener": {
			func(c *container.Container) { c.Provide(func() retry.Listener { return nil }, scoped) },
			[]string{"Listener: a retry.Listener is built once, before the first service, and is told of all sessions; let it be a singleton"},
		},
		"a singleton that takes a scoped service": {
			func(c *container.Container) {
				c.Provide(a, scoped)
				c.Provide(func(*A) *B { return nil })
				c.Provide(func(*B) *C { return nil })
			},
			[]string{"B: it is built once, and its constructor takes A (HERE), which is built once in each scope; say container.Scoped() where B is provided, or container.Transient() where A is, and take a container.Provider[*container_test.A]"},
		},
		"a singleton that takes a scoped service that needs its scope": {
			func(c *container.Container) {
				container.Expect[*B](c)
				c.Provide(b, scoped)
				c.Provide(func(*A) *C { return nil })
			},
			[]string{"C: it is built once, and its constructor takes A (HERE), which is built once in each scope; say container.Scoped() where C is provided"},
		},
		"a singleton that takes one in a struct, even if it could do without": {
			func(c *container.Container) { c.Provide(a, scoped); c.Provide(func(params) *C { return nil }) },
			[]string{"C: it is built once, and its constructor takes A (HERE), which is built once in each scope; say container.Scoped() where C is provided, or container.Transient() where A is, and take a container.Provider[*container_test.A]"},
		},
		"a singleton that takes what scopes are supplied with": {
			func(c *container.Container) { container.Expect[*B](c); c.Provide(b) },
			[]string{"A: it is built once, and its constructor takes B (HERE), which is what each scope is supplied with; say container.Scoped() where A is provided"},
		},
		"a singleton that takes a transient that needs a scope": {
			func(c *container.Container) {
				container.Expect[*C](c)
				c.Provide(func(*C) *B { return nil }, transient)
				c.Provide(b, transient)
				c.Provide(func(*A) Caller { return nil })
				c.Provide(func(container.Provider[*A]) Closer { return nil })
			},
			[]string{
				"Caller: it is built once, and its constructor takes A (HERE), which takes B (HERE), which takes C (HERE), which is what each scope is supplied with; say container.Scoped() where Caller is provided",
				"Closer: it is built once, and its constructor takes a container.Provider of A (HERE), which takes B (HERE), which takes C (HERE), which is what each scope is supplied with; say container.Scoped() where Closer is provided",
			},
		},
		"a singleton that takes a transient that takes a Provider of what needs a scope": {
			func(c *container.Container) {
				container.Expect[*C](c)
				c.Provide(func(*C) *B { return nil }, transient)
				c.Provide(func(container.Provider[*B]) *A { return nil }, transient)
				c.Provide(func(*A) Caller { return nil })
			},
			[]string{"Caller: it is built once, and its constructor takes A (HERE), which takes B (HERE), which takes C (HERE), which is what each scope is supplied with; say container.Scoped() where Caller is provided"},
		},
		"a singleton that takes a group with a scoped service": {
			func(c *container.Container) {
				c.Provide(a, scoped, container.Group("a"))
				c.Provide(func(group) *B { return nil })
				c.Provide(func(softGroup) *C { return nil })
				c.Provide(func(group) Caller { return nil }, scoped)
			},
			[]string{
				"B: it is built once, and its constructor takes A (HERE), which is built once in each scope; say container.Scoped() where B is provided",
				"C: it is built once, and its constructor takes A (HERE), which is built once in each scope; say container.Scoped() where C is provided",
			},
		},
		"a singleton that takes a Lazy of a scoped service": {
			func(c *container.Container) {
				container.Expect[*B](c)
				c.Provide(b, scoped)
				c.Provide(func(container.Lazy[*A]) *C { return nil })
			},
			[]string{"C: it is built once, and its constructor takes a container.Lazy of A (HERE), which is built once in each scope; say container.Scoped() where C is provided"},
		},
		"an aspect that takes a scoped service": {
			func(c *container.Container) {
				c.Provide(a, scoped)
				c.Provide(func(*A) aspect.Func { return nil }, container.AsAspect(aspect.Any(), 1))
				c.Provide(func() Caller { return nil })
			},
			[]string{"Func: it is built once, and its constructor takes A (HERE), which is built once in each scope; leave it out, and find what belongs to a call in the call's context"},
		},
		"a listener that takes what scopes are supplied with": {
			func(c *container.Container) {
				container.Expect[*A](c)
				c.Provide(func(*A) retry.Listener { return nil })
			},
			[]string{"Listener: it is built once, and its constructor takes A (HERE), which is what each scope is supplied with; leave it out, and find what belongs to a call in the call's context"},
		},
		"a Lazy of a transient": {
			func(c *container.Container) {
				c.Provide(a, transient)
				c.Provide(func(container.Lazy[*A]) *C { return nil }, scoped)
			},
			[]string{"C: its constructor takes a container.Lazy[*container_test.A], and A (HERE) is transient: there is no one that it could give; take a container.Provider[*container_test.A]"},
		},
		"a Provider of what is built once": {
			func(c *container.Container) {
				c.Provide(a)
				c.Provide(func() *B { return nil }, scoped)
				c.Provide(func(container.Provider[*A], container.Provider[*B]) *C { return nil }, scoped)
			},
			[]string{
				"C: its constructor takes a container.Provider[*container_test.A], and A (HERE) is not built anew at each Get; take the *container_test.A itself or a container.Lazy[*container_test.A], or say container.Transient() where it is provided",
				"C: its constructor takes a container.Provider[*container_test.B], and B (HERE) is not built anew at each Get; take the *container_test.B itself or a container.Lazy[*container_test.B], or say container.Transient() where it is provided",
			},
		},
		"a Provider of what nobody provides": {
			func(c *container.Container) { c.Provide(func(container.Provider[*A]) *C { return nil }) },
			[]string{"C: nothing provides *container_test.A, which its constructor takes as a container.Provider; Provide one"},
		},
		"something missing that scopes may be supplied with": {
			func(c *container.Container) { c.Provide(b, scoped) },
			[]string{"A: nothing provides *container_test.B, which its constructor takes; Provide one, or say container.Expect[*container_test.B](c) if each scope is supplied with one"},
		},
		"a reference of a singleton to a scoped service": {
			func(c *container.Container) {
				c.Provide(func() *Plain { return nil }, scoped)
				c.Provide(func() *Client { return nil }, container.As[Caller](), container.Annotate[aliases.Retry](Caller.Call, annotation.Fallback("Plain@Call")))
			},
			[]string{"Client: fallback Plain@Call of Call needs Plain (HERE), which is built once in each scope; what an annotation needs is built once; refer to a singleton, or to another method of Client itself"},
		},
		"a reference of a scoped service to another": {
			func(c *container.Container) {
				c.Provide(func() *Plain { return nil }, scoped)
				c.Provide(func() *Client { return nil }, scoped, container.As[Caller](), container.Annotate[aliases.Retry](Caller.Call, annotation.Fallback("Plain@Call")))
			},
			[]string{"Client: fallback Plain@Call of Call needs Plain (HERE), which is built once in each scope; what an annotation needs is built once; refer to a singleton, or to another method of Client itself"},
		},
		"a reference to a transient": {
			func(c *container.Container) {
				c.Provide(func() *Plain { return nil }, transient)
				c.Provide(func() *Client { return nil }, container.As[Caller](), container.Annotate[aliases.Retry](Caller.Call, annotation.Fallback("Plain@Call")))
			},
			[]string{"Client: fallback Plain@Call of Call needs Plain (HERE), which is built anew each time; what an annotation needs is built once; refer to a singleton, or to another method of Client itself"},
		},
		"a policy that takes what scopes are supplied with": {
			func(c *container.Container) {
				container.Expect[Tenant](c)
				c.Provide(func() *Plain { return nil }, scoped, container.As[Caller](), container.Annotate[aliases.Retry](Caller.Call, annotation.AddPolicies(perTenant)))
			},
			[]string{`Plain: policy "per tenant" of Call needs Tenant (HERE), which is what each scope is supplied with; what an annotation needs is built once; let Tenant be a singleton`},
		},
		"a cycle of scoped services and transients": {
			func(c *container.Container) {
				c.Provide(b, scoped)
				c.Provide(func(*C) *B { return nil }, transient)
				c.Provide(func(*A) *C { return nil }, transient)
			},
			[]string{"A: a cycle: A needs B (HERE), B needs C (HERE), C needs A (HERE); let the constructor of A take a container.Provider[*container_test.B]"},
		},
		"a cycle of scoped services": {
			func(c *container.Container) { c.Provide(b, scoped); c.Provide(func(*A) *B { return nil }, scoped) },
			[]string{"A: a cycle: A needs B (HERE), B needs A (HERE); let the constructor of A take a container.Lazy[*container_test.B]"},
		},
		"a transient that needs itself": {
			func(c *container.Container) { c.Provide(func(*A) *A { return nil }, transient) },
			[]string{"A: a cycle: A needs A (HERE); let the constructor of A take a container.Provider[*container_test.A]"},
		},
		"a Provider and a Lazy in what would be a cycle": {
			func(c *container.Container) {
				c.Provide(func(container.Provider[*A]) *A { return nil }, transient)
				c.Provide(func(container.Lazy[*C]) *B { return nil }, scoped)
				c.Provide(func(*B) *C { return nil }, scoped)
			},
			nil,
		},
		"what is expected twice, and provided as well": {
			func(c *container.Container) {
				container.Expect[*A](c)
				container.Expect[*A](c)
				container.Expect[Tenant](c)
				c.Provide(func() Tenant { return Tenant{} })
			},
			[]string{
				"A: *container_test.A is provided twice, first at HERE; leave one of them out",
				"Tenant: container_test.Tenant is provided twice, first at HERE; leave one of them out",
			},
		},
		"what cannot be supplied": {
			func(c *container.Container) {
				container.Expect[error](c)
				container.Expect[group](c)
				container.Expect[*container.Out](c)
				container.Expect[container.Lazy[*A]](c)
				container.Expect[*Client](c)
			},
			[]string{
				"error: error is an error, so it cannot be told from a failure of its constructor; provide it as an interface without Error() string, by container.As, or return the error as the last result",
				"group: a container_test.group cannot be supplied; expect a type of your own",
				"Out: a *dig.Out cannot be supplied; expect a type of your own",
				"Lazy[*A]: a container.Lazy[*github.com/backstay/backstay/container_test.A] cannot be supplied; expect a type of your own",
				"Client: a *container_test.Client cannot be supplied, since it has the mark Client._ and would not be woven; expect what one is built from, and Provide its constructor with container.Scoped()",
			},
		},
		"an override of what is expected": {
			func(c *container.Container) { container.Expect[*A](c); c.Override(a) },
			[]string{"A: Override replaces *container_test.A, which each scope is supplied with (HERE); supply the scope of the test with another"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			test.wire(c)
			want := append([]string(nil), test.want...)
			for i := range want {
				want[i] = "backstay: " + want[i] + " (HERE)"
			}
			require.Equal(t, want, verified(t, c))
			if want != nil {
				s := c.Scope()
				s.Supply(Tenant{})
				_, err := container.Get[*A](s)
				require.Equal(t, c.Verify(), err, "so says every Get from a scope")
				require.Equal(t, c.Verify(), s.Invoke(func() {}))
				require.NoError(t, s.Close(t.Context()))
			}
		})
	}
}

type tenantPolicy struct{}

func (tenantPolicy) Kind() string               { return "per tenant" }
func (tenantPolicy) Limit(*retry.Session) error { return nil }

var perTenant = retry.PolicyFrom("per tenant", func(Tenant) tenantPolicy { return tenantPolicy{} })

func TestLateExpectationsAreReported(t *testing.T) {
	c := container.New()
	s := c.Scope()
	container.Expect[Tenant](c)
	require.Equal(t, []string{"backstay: Tenant: it comes after Scope (HERE), which has frozen the plan; call Expect before the first use (HERE)"}, verified(t, c))
	_, err := container.Get[Tenant](s)
	require.Equal(t, c.Verify(), err)
}

// What a scope alone can give is not to be had from the container, and it is said where it is.
func TestTheContainerRefusesWhatBelongsToAScope(t *testing.T) {
	c := container.New()
	container.Expect[Tenant](c)
	c.Provide(func() *C { return &C{} }, container.Scoped(), container.Group("c"), container.Name("c"))
	c.Provide(func(Tenant) *A { return &A{} }, container.Scoped())
	c.Provide(func(*A) *B { return &B{} }, container.Transient())
	type group struct {
		container.In
		C []*C `group:"c"`
	}
	const instead = "; get it from a scope, which c.Scope() opens (HERE)"
	for want, err := range map[string]error{
		"container.Get[*container_test.A], and A (HERE) is built once in each scope" + instead:                                                                                           second(container.Get[*A](c)),
		"container.Get[container_test.Tenant], and Tenant (HERE) is what each scope is supplied with" + instead:                                                                          second(container.Get[Tenant](c)),
		"container.Get[*container_test.B], and B (HERE) takes A (HERE), which is built once in each scope" + instead:                                                                     second(container.Get[*B](c)),
		"Lookup, and A (HERE) is built once in each scope" + instead:                                                                                                                     second(c.Lookup("A")),
		"Invoke: the func takes A (HERE), which is built once in each scope; use Invoke of a scope, which c.Scope() opens (HERE)":                                                        c.Invoke(func(*A) {}),
		"Invoke: the func takes C#c (HERE), which is built once in each scope; use Invoke of a scope, which c.Scope() opens (HERE)":                                                      c.Invoke(func(group) {}),
		"Invoke: the func takes a container.Lazy of A (HERE), which is built once in each scope; use Invoke of a scope, which c.Scope() opens (HERE)":                                    c.Invoke(func(container.Lazy[*A]) {}),
		"Invoke: the func takes a container.Lazy[*container_test.B], and B (HERE) is transient: there is no one that it could give; take a container.Provider[*container_test.B] (HERE)": c.Invoke(func(container.Lazy[*B]) {}),
	} {
		require.EqualError(t, errText{err}, "backstay: "+want)
	}
}

// errText is an error whose places are HERE.
type errText struct{ error }

func (e errText) Error() string { return text(e.error) }
