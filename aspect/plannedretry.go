package aspect

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// plannedRetry is the retry of one method, as far as it is known before anything is built.
type plannedRetry struct {
	definition retry.Definition
	declared   *annotation.MethodDefinition
	shares     []sharing // settings that others have written
	place      string    // of the nearest annotation, for messages
	name       string    // of that annotation

	fallback, waitHint, beforeRetry, discard *planned
	retryIfError, retryIfResult, onlyIf      []*planned
	strategy                                 *Found
	retryErrors, ignoreErrors                []*Found
	custom                                   []plannedPolicy
}

// sharing is a budget or breaker whose settings another method that shares it by name has written.
type sharing struct {
	group string
	of    *plannedRetry
}

// plannedPolicy is a user's policy and where its constructor's arguments come from.
type plannedPolicy struct {
	factory retry.PolicyFactory
	inputs  []policyInput
}

// policyInput is a value that is known, or a service.
type policyInput struct {
	value   reflect.Value
	service *Found
}

// retry plans the retry of m.
func (p *planning) retry(d *annotation.MethodDefinition, m *plannedMethod) *plannedRetry {
	w := p.plan.weaver
	r := &plannedRetry{
		declared: d,
		definition: retry.Definition{
			Settings: d.Settings, Listener: w.listener, Shared: &w.shared, NoError: m.errorAt < 0,
			BudgetWritten: d.BudgetWritten, BreakerWritten: d.BreakerWritten,
		},
		fallback:      p.optional(d.Fallback, m),
		waitHint:      p.optional(d.WaitHint, m),
		beforeRetry:   p.optional(d.BeforeRetry, m),
		discard:       p.optional(d.Discard, m),
		retryIfError:  p.references(d.RetryIfError, m),
		retryIfResult: p.references(d.RetryIfResult, m),
		onlyIf:        p.references(d.OnlyIf, m),
		retryErrors:   p.matchers(d.RetryErrorRefs, m),
		ignoreErrors:  p.matchers(d.IgnoreErrorRefs, m),
	}
	for _, e := range d.Entries {
		if t := reflect.TypeOf(e.Annotation); annotation.IsRetry(t) {
			r.place, r.name = e.Place, t.String()
			break
		}
	}
	if d.SleepStrategyRef != nil {
		r.strategy = p.value(*d.SleepStrategyRef, reflect.TypeFor[retry.SleepStrategy](), m)
	}
	for _, f := range d.Settings.Policies {
		if !f.IsBuiltin() && f.Check() == nil { // a wrong one is in the errors of the declarations
			r.custom = append(r.custom, p.policy(f, d, m, r))
		}
	}
	return r
}

func (p *planning) matchers(refs []annotation.Reference, m *plannedMethod) (all []*Found) {
	for _, ref := range refs {
		if f := p.value(ref, reflect.TypeFor[retry.Matcher](), m); f != nil {
			all = append(all, f)
		}
	}
	return all
}

// value finds the service that an attribute names by its name or class, and that has to be a t.
func (p *planning) value(ref annotation.Reference, t reflect.Type, m *plannedMethod) *Found {
	found, err := p.find(ref)
	if err != nil && ref.Recv == nil && ref.Class == "" {
		class, name, _ := strings.Cut(ref.Name, "#")
		if byClass, classErr := p.dir.Class(class, name); classErr == nil {
			found, err = byClass, nil
		}
	}
	if err != nil {
		p.errs = appendAll(p.errs, complete(err, m.ref, ref.Annotation, ref.Place))
		return nil
	}
	if !found.Type.Implements(t) {
		p.fail(ref, m.ref, fmt.Sprintf("%s %v is a %v, which is no %v; name one that is", ref.Attribute, ref, found.Type, t))
		return nil
	}
	p.need(found, fmt.Sprintf("%s %v of %s", ref.Attribute, ref, m.name), ref.Place, true)
	return &found
}

// policy plans a user's policy: which values its constructor takes.
func (p *planning) policy(f retry.PolicyFactory, d *annotation.MethodDefinition, m *plannedMethod, r *plannedRetry) plannedPolicy {
	planned := plannedPolicy{factory: f}
	for _, t := range f.Inputs() {
		in := policyInput{}
		if t == settingsType {
			planned.inputs = append(planned.inputs, in) // the settings are complete only when it is built
			continue
		}
		if v, ok := annotation.ValueOf(d.Entries, t); ok {
			in.value = v
		} else if annotation.IsRetry(t) {
			p.errs = append(p.errs, &annotation.DefinitionError{
				Ref: m.ref, Annotation: r.name, Place: r.place,
				Problem: fmt.Sprintf("policy %q takes a %v, and the method has no such annotation", f.Kind(), t),
				Remedy:  fmt.Sprintf("annotate the method with %v or with a type that embeds it", t),
			})
		} else if found, err := p.dir.Type(t); err != nil {
			for _, e := range complete(err, m.ref, r.name, r.place) {
				e.Problem = fmt.Sprintf("policy %q takes a %v: %s", f.Kind(), t, e.Problem)
				p.errs = append(p.errs, e)
			}
		} else if !found.Type.AssignableTo(t) {
			p.errs = append(p.errs, &annotation.DefinitionError{
				Ref: m.ref, Annotation: r.name, Place: r.place,
				Problem: fmt.Sprintf("policy %q takes a %v, which is handed over as a %v", f.Kind(), t, found.Type),
				Remedy:  fmt.Sprintf("let its constructor take a %v", found.Type),
			})
		} else {
			in.service = &found
			p.need(found, fmt.Sprintf("policy %q of %s", f.Kind(), m.name), r.place, false)
		}
		planned.inputs = append(planned.inputs, in)
	}
	return planned
}

// build makes the policy of the method, when what it needs is built.
func (r *plannedRetry) build(resolve Resolve) (*retry.HybridPolicy, error) {
	d := r.definition
	if err := r.bindHooks(&d.Hooks, resolve); err != nil {
		return nil, err
	}
	if r.strategy != nil {
		v, _, err := resolve(*r.strategy)
		if err != nil {
			return nil, err
		}
		d.Settings.SleepStrategy = v.Interface().(retry.SleepStrategy)
	}
	var err error
	if d.Settings.RetryErrors, err = withMatchers(d.Settings.RetryErrors, r.retryErrors, resolve); err != nil {
		return nil, err
	}
	if d.Settings.IgnoreErrors, err = withMatchers(d.Settings.IgnoreErrors, r.ignoreErrors, resolve); err != nil {
		return nil, err
	}
	for _, c := range r.custom {
		if d.Custom == nil {
			d.Custom = map[retry.PolicyFactory]retry.Policy{}
		}
		if d.Custom[c.factory], err = c.build(&d.Settings, resolve); err != nil {
			return nil, err
		}
	}
	return retry.Compile(d)
}

func withMatchers(literal []retry.Matcher, named []*Found, resolve Resolve) ([]retry.Matcher, error) {
	if len(named) == 0 {
		return literal, nil
	}
	all := slices.Clone(literal)
	for _, n := range named {
		v, _, err := resolve(*n)
		if err != nil {
			return nil, err
		}
		all = append(all, v.Interface().(retry.Matcher))
	}
	return all, nil
}

func (c *plannedPolicy) build(settings *retry.Settings, resolve Resolve) (retry.Policy, error) {
	in := make([]reflect.Value, len(c.inputs))
	for i, x := range c.inputs {
		switch {
		case x.service != nil:
			v, _, err := resolve(*x.service)
			if err != nil {
				return nil, err
			}
			in[i] = v
		case x.value.IsValid():
			in[i] = x.value
		default:
			in[i] = reflect.ValueOf(*settings)
		}
	}
	policy, err := c.factory.Make(in)
	if err != nil {
		return nil, fmt.Errorf("%v: make policy %q: %w", settings.Ref, c.factory.Kind(), err)
	}
	return policy, nil
}

func (r *plannedRetry) bindHooks(h *retry.Hooks, resolve Resolve) error {
	b := binder{resolve: resolve}
	h.RetryIfError, h.RetryIfResult, h.OnlyIf = b.predicates(r.retryIfError), b.predicates(r.retryIfResult), b.predicates(r.onlyIf)
	if fn := b.one(r.fallback); fn != nil {
		h.Fallback = fn.fallback()
	}
	if fn := b.one(r.waitHint); fn != nil {
		h.WaitHint = fn.waitHint()
	}
	if fn := b.one(r.beforeRetry); fn != nil {
		h.BeforeRetry = fn.beforeRetry()
	}
	if fn := b.one(r.discard); fn != nil {
		h.Discard = fn.discard()
	}
	return b.err
}

// binder binds functions until one fails.
type binder struct {
	resolve Resolve
	err     error
}

func (b *binder) one(r *planned) *function {
	if r == nil || b.err != nil {
		return nil
	}
	fn, err := r.bind(b.resolve)
	b.err = err
	return fn
}

func (b *binder) predicates(all []*planned) (predicates []func(*retry.Session) bool) {
	for _, r := range all {
		if fn := b.one(r); fn != nil {
			predicates = append(predicates, fn.predicate())
		}
	}
	return predicates
}
