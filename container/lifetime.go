package container

import (
	"fmt"
	"slices"
)

// lifetime says how often a registration is built.
type lifetime uint8

const (
	singleton lifetime = iota // once
	scoped                    // once in each scope; also what each scope is supplied with
	transient                 // each time that it is asked for
)

// String is the option that says so; empty for a singleton.
func (l lifetime) String() string {
	return [...]string{"", "container.Scoped", "container.Transient"}[l]
}

// Scoped builds the service once in each scope, when it is first needed there: see [Container.Scope]. Its constructor
// takes other scoped services, what the scope is supplied with, singletons and transients. What is declared for it is
// shared by its instances: one budget, one breaker, whatever the number of scopes. A singleton that takes it is a
// definition error, and so is a reference to it in an annotation, which is resolved once: a fallback may name a singleton,
// or another method of the service itself.
func Scoped() ProvideOption {
	return provideOption(func(r *registration) { r.live(scoped) })
}

// Transient builds the service anew each time that it is asked for: for each parameter of that type, for each [Get] and
// for each Get of a [Provider]. Instances share what is declared for the service, as those of a [Scoped] one do. A
// transient that takes something scoped is only to be had from a scope, or by what is scoped.
//
// What is built in a scope is closed with it; who gets a transient from the container closes it.
func Transient() ProvideOption {
	return provideOption(func(r *registration) { r.live(transient) })
}

// live sets the lifetime that an option says.
func (r *registration) live(l lifetime) {
	if r.lifetime != singleton && r.lifetime != l {
		r.problem("it is both container.Scoped and container.Transient", "say one of them")
	}
	r.lifetime = l
}

// checkLifetime refuses what cannot be built more than once.
func (r *registration) checkLifetime() {
	switch l := r.lifetime; {
	case l == singleton:
	case r.verb == supply:
		r.problem(fmt.Sprintf("a supplied value is there once, and %v() says otherwise", l),
			"leave the option out, or announce a value for each scope by container.Expect and give it by Scope.Supply")
	case r.verb == override:
		r.problem(fmt.Sprintf("Override keeps the lifetime of the service that it replaces, and %v() sets one", l), "leave the option out")
	case len(r.advice) > 0:
		r.problem(fmt.Sprintf("an aspect is built once, for the calls of all instances, and %v() says otherwise", l), "leave the option out")
	case slices.ContainsFunc(r.services, func(s *service) bool { return slices.Contains(s.provided, listenerType) }):
		r.problem("a retry.Listener is built once, before the first service, and is told of all sessions", "let it be a singleton")
	}
}
