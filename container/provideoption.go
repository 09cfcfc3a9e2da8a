package container

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// ProvideOption says more of one registration.
type ProvideOption interface{ provide(*registration) }

type provideOption func(*registration)

func (o provideOption) provide(r *registration) { o(r) }

// As provides the service as an I, an interface, in place of its own type: constructors take an I. It may be given
// several times; the service is built and woven once. Of a constructor with several results, As is for the one that
// implements I.
//
// A service is woven through its interfaces, so annotations need it to have one.
func As[I any]() ProvideOption {
	return provideOption(func(r *registration) { r.as = append(r.as, reflect.TypeFor[I]()) })
}

// AsSelf keeps the type that the constructor returns as a key beside those of [As], which would take its place: for those
// few who need the concrete type. Without As it changes nothing.
//
// Only interfaces are woven. Who takes the concrete type, or a func type that is provided as an interface too, gets the bare
// target: calls on it meet no retry and no aspect. [Container.Notes] says so where something is woven.
func AsSelf() ProvideOption {
	return provideOption(func(r *registration) { r.asSelf = true })
}

// Options makes one option of several, in their order: what many registrations have in common is said once.
//
//	var remote = container.Options(
//		container.Annotate[aliases.Retry]("*"),
//		container.Annotate[Audited]("*"))
//
//	c.Provide(NewStripeGateway, container.As[PaymentGateway](), remote)
func Options(opts ...ProvideOption) ProvideOption {
	opts = slices.Clone(opts)
	return provideOption(func(r *registration) { r.take(opts) })
}

// take takes what options say.
func (r *registration) take(opts []ProvideOption) {
	for _, o := range opts {
		if o == nil {
			r.problem("one of its options is nil", "leave it out")
			continue
		}
		o.provide(r)
	}
}

// Impl says which concrete type a constructor that returns an interface builds. So its marks and its class are known
// before it runs. Without Impl the class is the interface's name, and marks that are found on the value when it is built
// are an error of the Get or Invoke that asked for it.
func Impl[T any]() ProvideOption {
	return provideOption(func(r *registration) { r.impls = append(r.impls, reflect.TypeFor[T]()) })
}

// Name tells services of one type apart. A name is not empty, and has no @, # or backquote. Constructors ask for a named service by a field of a struct that embeds [In],
// with the tag `name:"x"`; [Get] takes Name as an option. References write Class#name, and a supplied matcher or func is
// found by its bare name:
//
//	c.Supply(retry.Is(ErrBusy), container.Name("busy")) // retryErrors:"busy"
func Name(name string) NameOption { return NameOption(name) }

// NameOption is what [Name] returns.
type NameOption string

func (n NameOption) provide(r *registration) {
	if r.name != "" && r.name != string(n) {
		r.problem(fmt.Sprintf("it has two names, %q and %q", r.name, string(n)), "give it one by container.Name")
	}
	if problem, remedy := wrongName(string(n)); problem != "" {
		r.problem(problem, remedy)
	}
	r.name = string(n)
}

// wrongName says why a name cannot be one of a service; empty: it can.
func wrongName(name string) (problem, remedy string) {
	switch {
	case name == "":
		return "its name is empty", "give it a name, or leave container.Name out"
	case strings.Contains(name, "`"):
		return fmt.Sprintf("the name %q has a backquote, so that no tag can say it", name), "leave it out"
	case strings.ContainsAny(name, "@#"):
		return fmt.Sprintf("the name %q has an @ or #, so that no reference Class#name@Method can say it", name), "leave it out"
	}
	return "", ""
}

func (NameOption) get() {}

// Group adds the service to a value group. Constructors take a group by a field with the tag `group:"x"` of a struct that
// embeds [In]: a slice holds the services in order of registration, a map[string]T those of that type by their names. A
// service in a group is found by its type only if it has a name as well. After a comma, "flatten" adds the elements of a
// slice instead of the slice.
func Group(name string) ProvideOption {
	return provideOption(func(r *registration) {
		g, wrong := parseGroup(name, memberOptions)
		if wrong != "" {
			r.problem(fmt.Sprintf("container.Group(%q): %s", name, wrong), `write container.Group("name") or container.Group("name,flatten")`)
		}
		if r.group != nil {
			r.problem(fmt.Sprintf("it is in two groups, %q and %q", r.group.name, g.name), "leave it in one")
		}
		r.group = &g
	})
}

// Annotate attaches an annotation of type A to methods of the service. They are selected by a method expression of the
// interface or of the concrete type, which the compiler checks, or by names and globs: PaymentGateway.Charge, "Charge",
// "Charge,Refund", "Get*", "*,!Save". The method of a service whose type is a func is called "Call".
//
// What is said at registration is by hand and beats what the author's struct tags say, setting by setting.
func Annotate[A any](method any, opts ...annotation.Option) ProvideOption {
	return &annotated{annotation.Declare[A](method, annotation.Caller(0), opts...), method}
}

// annotated is what one call of Annotate said.
type annotated struct {
	declaration annotation.Declaration
	method      any
}

func (a *annotated) provide(r *registration) { r.annotated = append(r.annotated, a) }

// AsAspect makes the service, an aspect.Aspect, run around what p matches. Larger priorities are further out;
// aspect.RetryPriority+1 is outside the retry, once per call, and aspect.RetryPriority-1 inside, once per attempt. A
// pointcut that matches nothing is a definition error. Several aspects may be provided as an aspect.Func or an
// aspect.Aspect without a name.
//
// Orders, made by aspect.InsideOf and aspect.OutsideOf, say which other aspects it is inside or outside of: they decide
// among equal priorities, and one that contradicts a priority or another order is a definition error. They know an aspect
// by its class, which Impl says of a constructor that returns an interface, and by what it is provided as.
func AsAspect(p aspect.Pointcut, priority int, orders ...aspect.Order) ProvideOption {
	place := annotation.Caller(0)
	return provideOption(func(r *registration) {
		r.advice = append(r.advice, aspect.Advice{Pointcut: p, Priority: priority, Orders: orders, Place: place})
	})
}

// GetOption says more of what [Get] is to return.
type GetOption interface{ get() }
