package container

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Decorate puts a func around a service: it takes the T that it decorates, and anything else, injected as it is into
// constructors, and returns the T that stands in its place, or that and an error.
//
//	c.Decorate(func(g PaymentGateway, log *slog.Logger) PaymentGateway { return &logged{g, log} })
//
// What is decorated is what is provided as T: with [Name] the one of that name, with [Group] each member of that group that
// is a T. A T of singletons is decorated once; one that is scoped or transient each time that it is built. Everybody gets the
// decorated one, whatever the service is provided as: constructors, groups, Get, Lookup, scopes, fallbacks. Several
// decorators of one service stand around each other in order of registration, the last one outermost.
//
// A decorator stands under the weave, and around what an [Container.Override] has put there. Annotations, class and
// references of the service stay as they are, so a retry calls the decorated target; a mark on a type that a decorator
// returns, which nothing would enforce, is an error of the Get or Invoke that asked for it. What stands around calls and
// knows annotations is an aspect: see [AsAspect].
//
// Where a service is provided as several types, what the decorator returns has to be all of them. Of a type kept by
// [AsSelf] only the decorators of that very type are seen.
//
// Decorate may come before or after the Provide or Supply, and returns nothing: a T that nobody provides, what the decorator
// takes and nobody provides, and cycles through it are reported by [Container.Verify], with the file and line of this call.
// Decorating cannot add what is missing; what each scope is supplied with ([Expect]) cannot be decorated. The error of a
// decorator is like one of the constructor, a nil result is refused, and a panic passes through.
func (c *Container) Decorate(decorator any, opts ...ProvideOption) {
	c.record(decorate, placeOfCaller(), recipe{function: reflect.ValueOf(decorator)}, opts)
}

// decorator is what one call of Decorate says.
type decorator struct {
	*registration
	t     reflect.Type // what it takes and returns
	given input        // where it takes it

	missed []key // what it takes and nobody provides, as far as that is reported
}

// parseDecorator reads what a decorator takes and returns.
func (r *registration) parseDecorator() *decorator {
	d := &decorator{registration: r}
	f := r.function
	switch {
	case !f.IsValid():
		r.problem("the decorator is nil", "give it a func")
		return d
	case f.Kind() != reflect.Func:
		r.problem(fmt.Sprintf("%v is no decorator", f.Type()), "give it a func that takes the service and returns what stands in its place")
		return d
	case f.IsNil():
		r.problem(fmt.Sprintf("the decorator is a nil %v", f.Type()), "give it a func")
		return d
	}
	r.checkDecoration()
	t := f.Type()
	n := t.NumOut()
	if n > 0 && t.Out(n-1) == errorType {
		r.fails = true
		n--
	}
	if n != 1 || isIn(t.Out(0)) || isOut(t.Out(0)) || t.Out(0).Implements(laterType) {
		r.problem(fmt.Sprintf("a %v is no decorator", t), "let it return the type of one service that it takes, or that and an error")
		return d
	}
	d.t = t.Out(0)
	d.parseInputs(inputs(t, nil, r.problem))
	return d
}

// checkDecoration refuses options that say more than which service is meant.
func (r *registration) checkDecoration() {
	if !reflect.DeepEqual(*r.options, options{name: r.name, group: r.group}) {
		r.problem("Decorate takes no option but container.Name and container.Group: what is said of the service stays", "say it where the service is provided")
	}
	switch {
	case r.group == nil:
	case r.name != "":
		r.problem(fmt.Sprintf("it decorates both what is named %q and what is in group %q", r.name, r.group.name), "say one of them")
	case r.group.flatten:
		r.problem("flatten says how a slice gets into a group, and Decorate is for what is in it", fmt.Sprintf("write container.Group(%q)", r.group.name))
	}
}

// parseInputs finds the one input that is the decorated service.
func (d *decorator) parseInputs(all []input) {
	for _, in := range all {
		switch {
		case in.kind != single || in.t != d.t || in.field != nil && in.name != d.name:
			d.inputs = append(d.inputs, in)
		case d.given.t != nil:
			d.problem(fmt.Sprintf("it takes the %v that it decorates twice", d.t), "take it once")
		default:
			d.given = in
		}
	}
	if d.given.t == nil && len(d.errs) == 0 {
		d.problem(fmt.Sprintf("it returns a %v and takes none", d.t), "take the one that it decorates as a parameter, or say Override to replace it")
	}
}

// tells reports whether the decorator has not been told yet that nobody provides k: it may be around many services.
func (d *decorator) tells(k key) bool {
	if slices.Contains(d.missed, k) {
		return false
	}
	d.missed = append(d.missed, k)
	return true
}

// decorate folds decorators into the recipes of what they decorate.
func (p *plan) decorate(all []*registration) {
	var some []*decoration
	for _, r := range all {
		d := r.parseDecorator()
		p.report(r, r.errs...)
		if len(r.errs) > 0 {
			continue
		}
		for _, s := range p.decorated(d) {
			if problem, remedy := d.cannot(s); problem != "" {
				p.report(r, r.wrong(problem, remedy))
				continue
			}
			i := slices.IndexFunc(some, func(of *decoration) bool { return of.registration == s.registration })
			if i < 0 {
				i = len(some)
				some = append(some, newDecoration(p, s.registration))
			}
			some[i].add(d, s)
		}
	}
	for _, of := range some {
		of.fold()
	}
}

// decorated are the services that a decorator is for.
func (p *plan) decorated(d *decorator) []*service {
	var all []*service
	switch {
	case d.group != nil:
		k := key{d.t, d.group.name}
		if all = p.groups[k]; len(all) == 0 {
			problem, remedy := p.missingGroup(k, asking{option: true})
			p.report(d.registration, d.wrong("Decorate finds nothing to decorate: "+problem, remedy))
		}
	default:
		k := key{d.t, d.name}
		o := p.find(k)
		if o == nil {
			_, remedy := p.missing(k, asking{option: true})
			p.report(d.registration, d.wrong(fmt.Sprintf("Decorate decorates %v, and nothing provides it", k), strings.Replace(remedy, "Provide one", "Provide it", 1)))
			return nil
		}
		all = []*service{o.service}
	}
	return slices.DeleteFunc(slices.Clone(all), func(s *service) bool { return s.registration.broken })
}

// cannot says why a service cannot be decorated, after what has been put around it already; the problem is empty if it can.
func (d *decorator) cannot(s *service) (problem, remedy string) {
	switch {
	case s.registration.verb == expect:
		return fmt.Sprintf("Decorate decorates %v, which each scope is supplied with (%s)", d.t, s.registration.place),
			"let the decorator be a constructor with container.Scoped() that takes it and returns another type"
	case s.whole != nil && len(s.whole.inner) > len(s.inner):
		return fmt.Sprintf("Decorate decorates a %v that stands inside other decorators already", d.t),
			fmt.Sprintf("call it before those of %s, or decorate one of these", list(s.whole.provided, " and "))
	}
	return "", ""
}

// list are the names of types, one after the other.
func list(all []reflect.Type, between string) string {
	names := make([]string, len(all))
	for i, t := range all {
		names[i] = t.String()
	}
	return strings.Join(names, between)
}
