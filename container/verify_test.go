package container_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// Picky is retried when a matcher that the container has built says so.
type Picky struct {
	_ annotation.On[aliases.Retry] `method:"Call" retryErrors:"busy"`
	Plain
}

// Helper is what weaving may need: it has what attributes refer to, and takes what it is needed for.
type Helper struct{ Caller }

func (*Helper) Again(error) bool          { return false }
func (*Helper) Rewind(context.Context)    {}
func (*Helper) Wait(*retry.Session) int64 { return 0 }

type (
	bs struct {
		container.In
		All []*B `group:"bs"`
	}
	requiredBs struct {
		container.In
		All []*B `group:"bs,required"`
	}
)

// Every kind of mistake that can be seen without running anything is found: what is missing, what goes in circles, what means
// nothing, what is there twice, what is for nobody. Nothing runs.
func TestVerifyFindsEveryKindOfMistakeAndRunsNoConstructor(t *testing.T) {
	type wiring struct {
		*container.Container
		run func() // of every constructor
	}
	as := container.As[Caller]
	retried := func(opts ...annotation.Option) container.ProvideOption {
		return container.Annotate[aliases.Retry](Caller.Call, opts...)
	}
	client := func(c wiring, opts ...container.ProvideOption) {
		c.Provide(func() *Plain { c.run(); return &Plain{} }, append(opts, as())...)
	}
	helper := func(c wiring) {
		c.Provide(func(Caller) *Helper { c.run(); return &Helper{} })
	}
	for name, test := range map[string]struct {
		wire func(c wiring)
		want []string
	}{
		// What is missing.
		"a parameter that nobody provides": {
			func(c wiring) { c.Provide(func(*B) *A { c.run(); return &A{} }) },
			[]string{"A: nothing provides *container_test.B, which its constructor takes; Provide one (HERE)"},
		},
		"a parameter of a name that nobody has": {
			func(c wiring) {
				c.Provide(func(namedMissing) *B { c.run(); return &B{} })
				c.Supply(&A{}, container.Name("xx"))
			},
			[]string{"B: nothing provides *container_test.A named \"x\", which its constructor takes; did you mean the *container_test.A named \"xx\" (a field of a container.In struct with the tag `name:\"xx\"`)? Else Provide one (HERE)"},
		},
		"a Lazy and a Provider of what nobody provides": {
			func(c wiring) {
				c.Provide(func(container.Lazy[*B], container.Provider[*C]) *A { c.run(); return &A{} })
			},
			[]string{
				"A: nothing provides *container_test.B, which its constructor takes as a container.Lazy; Provide one (HERE)",
				"A: nothing provides *container_test.C, which its constructor takes as a container.Provider; Provide one (HERE)",
			},
		},
		"a required group that nobody is in": {
			func(c wiring) { c.Provide(func(requiredBs) *A { c.run(); return &A{} }) },
			[]string{`A: nothing of type *container_test.B is in group "bs", which its constructor requires; Provide one with container.Group("bs") (HERE)`},
		},
		"what a decorator takes and nobody provides": {
			func(c wiring) {
				c.Supply(&A{})
				c.Decorate(func(a *A, _ *B) *A { c.run(); return a })
			},
			[]string{"A: nothing provides *container_test.B, which its decorator takes; Provide one (HERE)"},
		},
		"what an aspect takes and nobody provides": {
			func(c wiring) {
				client(c)
				c.Provide(func(*B) aspect.Func { c.run(); return aspect.JoinPoint.Proceed }, container.AsAspect(aspect.Any(), 1))
			},
			[]string{"Func: nothing provides *container_test.B, which its constructor takes; Provide one (HERE)"},
		},
		"what a policy takes and nobody provides": {
			func(c wiring) {
				client(c, retried(annotation.AddPolicies(retry.PolicyFrom("asks", func(*B) counting { c.run(); return counting{} }))))
			},
			[]string{`Plain@Call: aliases.Retry: policy "asks" takes a *container_test.B: nothing provides *container_test.B; Provide one (HERE)`},
		},
		"a policy that takes a Lazy": {
			func(c wiring) {
				client(c, retried(annotation.AddPolicies(retry.PolicyFrom("asks", func(container.Lazy[*B]) counting { c.run(); return counting{} }))))
			},
			[]string{`Plain@Call: aliases.Retry: policy "asks" takes a container.Lazy[*github.com/backstay/backstay/container_test.B]: nothing provides container.Lazy[*github.com/backstay/backstay/container_test.B]; ` +
				"take the *container_test.B itself; a container.Lazy or container.Provider is only for the parameters of constructors, decorators and the func of an Invoke (HERE)"},
		},
		"a fallback of a class that comes close": {
			func(c wiring) {
				client(c, retried(annotation.Fallback("Helpre@Call")))
				c.Supply(&Helper{})
			},
			[]string{"Plain@Call: aliases.Retry: there is no service of class Helpre; did you mean Helper? (HERE)"},
		},
		"a method of a fallback that comes close": {
			func(c wiring) {
				client(c, retried(annotation.Fallback("Helper@Cal")))
				c.Supply(&Helper{})
			},
			[]string{"Plain@Call: aliases.Retry: fallback Helper@Cal: *container_test.Helper has no exported method Cal; did you mean Call? (HERE)"},
		},

		// Cycles.
		"a cycle through parameters": {
			func(c wiring) {
				c.Provide(func(*B) *A { c.run(); return &A{} })
				c.Provide(func(*C) *B { c.run(); return &B{} })
				c.Provide(func(*A) *C { c.run(); return &C{} })
			},
			[]string{"A: a cycle: A needs B (HERE), B needs C (HERE), C needs A (HERE); let the constructor of A take a container.Lazy[*container_test.B] (HERE)"},
		},
		"a cycle through transients": {
			func(c wiring) {
				c.Provide(func(*B) *A { c.run(); return &A{} }, container.Transient())
				c.Provide(func(*A) *B { c.run(); return &B{} }, container.Transient())
			},
			[]string{"A: a cycle: A needs B (HERE), B needs A (HERE); let the constructor of A take a container.Provider[*container_test.B] (HERE)"},
		},
		"a cycle through a group": {
			func(c wiring) {
				c.Provide(func(bs) *A { c.run(); return &A{} })
				c.Provide(func(*A) *B { c.run(); return &B{} }, container.Group("bs"))
			},
			[]string{`A: a cycle: A needs B in group "bs" (HERE), B needs A (HERE); let the constructor of B take a container.Lazy[*container_test.A] (HERE)`},
		},
		"a cycle through a decorator": {
			func(c wiring) {
				c.Provide(func() *A { c.run(); return &A{} })
				c.Provide(func(*A) *B { c.run(); return &B{} })
				c.Decorate(func(a *A, _ *B) *A { c.run(); return a })
			},
			[]string{"A: a cycle: A needs B for its decorator (HERE), B needs A (HERE); let the decorator of A take a container.Lazy[*container_test.B] (HERE)"},
		},
		"a cycle through an override": {
			func(c wiring) {
				c.Provide(func() *A { c.run(); return &A{} })
				c.Provide(func(*A) *B { c.run(); return &B{} })
				c.Override(func(*B) *A { c.run(); return &A{} })
			},
			[]string{"A: a cycle: A needs B (HERE), B needs A (HERE); let the constructor of A take a container.Lazy[*container_test.B] (HERE)"},
		},
		"a cycle through a fallback": {
			func(c wiring) { client(c, retried(annotation.Fallback("Helper@Call"))); helper(c) },
			[]string{"Plain: a cycle: Plain needs Helper for fallback Helper@Call of Call (HERE), Helper needs Plain (HERE); let the constructor of Helper take a container.Lazy[container_test.Caller] (HERE)"},
		},
		"a cycle through a predicate": {
			func(c wiring) { client(c, retried(annotation.RetryIfError("Helper@Again"))); helper(c) },
			[]string{"Plain: a cycle: Plain needs Helper for retryIfError Helper@Again of Call (HERE), Helper needs Plain (HERE); let the constructor of Helper take a container.Lazy[container_test.Caller] (HERE)"},
		},
		"a cycle through a hook": {
			func(c wiring) { client(c, retried(annotation.BeforeRetry((*Helper).Rewind))); helper(c) },
			[]string{"Plain: a cycle: Plain needs Helper for beforeRetry (*container_test.Helper).Rewind of Call (HERE), Helper needs Plain (HERE); let the constructor of Helper take a container.Lazy[container_test.Caller] (HERE)"},
		},
		"a cycle through a matcher": {
			func(c wiring) {
				c.Provide(func() *Picky { c.run(); return &Picky{} }, as())
				c.Provide(func(Caller) retry.Matcher { c.run(); return retry.AnyError }, container.Name("busy"))
			},
			[]string{"Picky: a cycle: Picky needs Matcher#busy for retryErrors busy of Call (Picky._), Matcher#busy needs Picky (HERE); let the constructor of Matcher#busy take a container.Lazy[container_test.Caller] (Picky._)"},
		},
		"a cycle through a strategy": {
			func(c wiring) {
				client(c, retried(annotation.SleepStrategy("slow")))
				c.Provide(func(Caller) retry.SleepStrategy { c.run(); return retry.Flat }, container.Name("slow"))
			},
			[]string{"Plain: a cycle: Plain needs SleepStrategy#slow for sleepStrategy slow of Call (HERE), SleepStrategy#slow needs Plain (HERE); let the constructor of SleepStrategy#slow take a container.Lazy[container_test.Caller] (HERE)"},
		},
		"a cycle through a policy": {
			func(c wiring) {
				client(c, retried(annotation.AddPolicies(retry.PolicyFrom("asks", func(*Helper) counting { c.run(); return counting{} }))))
				helper(c)
			},
			[]string{`Plain: a cycle: Plain needs Helper for policy "asks" of Call (HERE), Helper needs Plain (HERE); let the constructor of Helper take a container.Lazy[container_test.Caller] (HERE)`},
		},
		"a cycle through an aspect": {
			func(c wiring) {
				client(c)
				c.Provide(func(Caller) aspect.Func { c.run(); return aspect.JoinPoint.Proceed }, container.AsAspect(aspect.Any(), 1))
			},
			[]string{"Plain: a cycle: Plain needs Func for aspect around any (HERE), Func needs Plain (HERE); let the constructor of Func take a container.Lazy[container_test.Caller] (HERE)"},
		},

		// What a Lazy or a Provider could never give.
		"a Lazy of what is built each time, and a Provider of what is not": {
			func(c wiring) {
				c.Provide(func(container.Lazy[*C], container.Provider[*B]) *A { c.run(); return &A{} })
				c.Provide(func() *B { c.run(); return &B{} })
				c.Provide(func() *C { c.run(); return &C{} }, container.Transient())
			},
			[]string{
				"A: its constructor takes a container.Lazy[*container_test.C], and C (HERE) is transient: there is no one that it could give; take a container.Provider[*container_test.C] (HERE)",
				"A: its constructor takes a container.Provider[*container_test.B], and B (HERE) is not built anew at each Get; take the *container_test.B itself or a container.Lazy[*container_test.B], or say container.Transient() where it is provided (HERE)",
			},
		},
		"a singleton with a Lazy of what only a scope has": {
			func(c wiring) {
				c.Provide(func(container.Lazy[*B]) *A { c.run(); return &A{} })
				c.Provide(func() *B { c.run(); return &B{} }, container.Scoped())
			},
			[]string{"A: it is built once, and its constructor takes a container.Lazy of B (HERE), which is built once in each scope; say container.Scoped() where A is provided, or container.Transient() where B is, and take a container.Provider[*container_test.B] (HERE)"},
		},

		// What means nothing, and what is there twice.
		"a tag key that nobody knows": {
			func(c wiring) { c.Provide(func(missingTag) *B { c.run(); return &B{} }) },
			[]string{`B: field A of container_test.missingTag: the tag key "nmae" is not known; did you mean name? (HERE)`},
		},
		"a type that is provided twice": {
			func(c wiring) {
				client(c)
				c.Provide(func() *Plain { c.run(); return &Plain{} }, container.As[Caller]())
			},
			[]string{"Plain: container_test.Caller is provided twice, first at HERE; give one of them another name by container.Name (HERE)"},
		},
		"a line that runs twice": {
			func(c wiring) { client(c); client(c); client(c) },
			[]string{"Plain: container_test.Caller is provided twice: this line has run more than once; call the func that it stands in once for each container, or tell the services apart by container.Name (HERE)"},
		},
		"an override of what nobody provides": {
			func(c wiring) {
				client(c)
				c.Override(func() *Plain { c.run(); return &Plain{} })
			},
			[]string{"Plain: Override replaces *container_test.Plain, and nothing provides it; say container.As[container_test.Caller](), or let the constructor return that interface (HERE)"},
		},
		"a decorator of what nobody provides": {
			func(c wiring) { c.Decorate(func(b *B) *B { c.run(); return b }) },
			[]string{"B: Decorate decorates *container_test.B, and nothing provides it; Provide it (HERE)"},
		},

		// What meets nothing.
		"a pointcut that meets nothing": {
			func(c wiring) {
				client(c)
				c.Supply(aspect.Func(aspect.JoinPoint.Proceed), container.AsAspect(aspect.Class("Nowhere*"), 1))
			},
			[]string{"pointcut class(Nowhere*) matches nothing; correct it, or leave it out; only services that are provided as an interface or a func can be met (HERE)"},
		},
		"an annotation of a method that is not there": {
			func(c wiring) { client(c, container.Annotate[aliases.Retry]("Cal")) },
			[]string{"Plain: aliases.Retry: there is no method Cal; write Call (HERE)"},
		},
		"an annotation of names that meet no method": {
			func(c wiring) { client(c, container.Annotate[aliases.Retry]("Get*")) },
			[]string{"Plain: aliases.Retry: Get* meets no method; write Call (HERE)"},
		},
		"an annotation for all that meets nothing": {
			func(c wiring) { client(c); container.AnnotateAll[aliases.Retry](c.Container, aspect.Method("Get*")) },
			[]string{"annotation aliases.Retry of method(Get*) matches nothing; correct it, or leave it out; only services that are provided as an interface or a func can be met (HERE)"},
		},
		"a configuration that meets nothing": {
			func(c wiring) { client(c, retried()); c.Configure("Plian@Call", annotation.MaxAttempts(2)) },
			[]string{`Configure of "Plian@Call": it meets no method; did you mean Plain@Call? (HERE)`},
		},

		// What nobody would enforce.
		"a mark on a service that is provided as its own type": {
			func(c wiring) { c.Provide(func() *Client { c.run(); return &Client{} }) },
			[]string{"Client: aliases.Retry: Client is provided as no interface, so its calls cannot be woven; provide it as an interface, by container.As (Client._)"},
		},
		"an annotation of a service that is provided as its own type": {
			func(c wiring) {
				c.Provide(func() *Plain { c.run(); return &Plain{} }, container.Annotate[aliases.Retry]("Call"))
			},
			[]string{"Plain: aliases.Retry: Plain is provided as no interface, so its calls cannot be woven; provide it as an interface, by container.As (HERE)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := container.New()
			test.wire(wiring{c, func() { t.Error("a constructor has run") }})
			all := verified(t, c)
			for i := range all {
				all[i] = strings.TrimPrefix(all[i], "backstay: ")
			}
			require.Equal(t, test.want, all)
			require.Error(t, c.Invoke(func() { t.Error("the func is called") }))
		})
	}
}

// What takes a Lazy may belong to the service that the Lazy gives: nothing is asked for before that is built.
func TestALazyEndsACycle(t *testing.T) {
	annotated := container.Annotate[aliases.Retry](Caller.Call, annotation.MaxAttempts(1), annotation.Fallback("Helper@Call"))
	for name, wire := range map[string]func(c *container.Container, use func(container.Lazy[Closer])){
		"in a constructor": func(c *container.Container, use func(container.Lazy[Closer])) {
			c.Provide(func(l container.Lazy[Closer]) *A { use(l); return &A{} })
			c.Provide(func(*A) *Plain { return &Plain{} }, container.As[Caller](), container.As[Closer]())
		},
		"in an aspect around the service": func(c *container.Container, use func(container.Lazy[Closer])) {
			c.Provide(func(l container.Lazy[Closer]) aspect.Func {
				use(l)
				return aspect.JoinPoint.Proceed
			}, container.AsAspect(aspect.Interface[Closer](), 1))
			c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), container.As[Closer]())
		},
		"in a listener": func(c *container.Container, use func(container.Lazy[Closer])) {
			c.Provide(func(l container.Lazy[Closer]) retry.Listener {
				use(l)
				return retry.ListenerFunc(func(context.Context, retry.Event) {})
			})
			c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), container.As[Closer](), container.Annotate[aliases.Retry](Caller.Call))
		},
		"in the service's fallback": func(c *container.Container, use func(container.Lazy[Closer])) {
			c.Provide(func(l container.Lazy[Closer]) *Helper { use(l); return &Helper{&Plain{}} })
			c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), container.As[Closer](), annotated)
		},
		"in a decorator of the service": func(c *container.Container, use func(container.Lazy[Closer])) {
			c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), container.As[Closer]())
			c.Decorate(func(v Closer, l container.Lazy[Closer]) Closer { use(l); return v })
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			var later container.Lazy[Closer]
			wire(c, func(l container.Lazy[Closer]) {
				later = l
				_, err := l.Get()
				require.Error(t, err, "what takes it is not built yet")
			})
			require.NoError(t, c.Verify())
			closer := must[Closer](t, c)
			got, err := later.Get()
			require.NoError(t, err)
			require.Equal(t, closer, got)
			require.NoError(t, must[Caller](t, c).Call(t.Context()))
		})
	}
}
