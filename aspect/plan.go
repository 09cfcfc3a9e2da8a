package aspect

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/internal/dynproxy"
	"github.com/backstay/backstay/retry"
)

// Plan is what weaving one service takes, decided and checked before anything is built. One plan serves all instances of
// the service: they share annotations, budgets and breakers. It is safe for concurrent use.
type Plan struct {
	weaver  *Weaver
	service Service
	methods []*plannedMethod // those with a chain
	needs   []Need
	all     []annotation.Method

	definitions []annotation.MethodDefinition // of those with an annotation, in order

	// What the woven service will be: at most one of these; neither for a func, and where nothing is woven.
	generated *maker
	proxy     *dynproxy.Type

	mu    sync.Mutex
	woven []method // compiled by the first Weave
}

// plannedMethod is a method that will have a chain.
type plannedMethod struct {
	signature
	name    string
	ref     retry.MethodRef
	entries []annotation.Entry
	advice  []*advice
	retry   *plannedRetry // nil: no retry annotation
}

// Plan decides and checks what weaving s takes. It builds nothing. Each error is an *annotation.DefinitionError; with
// errors the plan is of no use but for what it needs.
func (w *Weaver) Plan(s Service, dir Directory) (*Plan, []error) {
	p := &planning{plan: &Plan{weaver: w, service: s}, dir: dir}
	subject := annotation.Subject{
		Ref: s.Ref, Impl: s.Impl, Interfaces: s.Interfaces, Methods: annotation.MethodsOf(s.Interfaces...), Place: s.Place,
	}
	declarations := s.Declarations
	if s.Impl != nil {
		if marks := annotation.Marks(s.Impl); len(marks) > 0 {
			declarations = slices.Concat(declarations, marks)
		}
	}
	declarations, configured := w.declared(&s, subject, declarations)
	definitions, errs := annotation.Resolve(subject, declarations, w.options.defaults, w.options.defaultsPlace, configured...)
	p.errs = append(p.errs, errs...)
	w.place(definitions)
	w.foresee(&s, subject, declarations, configured)
	w.remember(p.plan)
	w.registry.Add(subject, definitions)

	p.plan.all, p.plan.definitions = subject.Methods, definitions
	for _, m := range subject.Methods { // the definitions are in the same order
		var d *annotation.MethodDefinition
		if len(definitions) > 0 && definitions[0].Method.Name == m.Name {
			d, definitions = &definitions[0], definitions[1:]
		}
		p.method(m, d)
	}
	p.comesBack()
	p.proxy()
	return p.plan, p.errs
}

// method plans the chain of one method. d is nil where nothing is declared.
func (p *planning) method(m annotation.Method, d *annotation.MethodDefinition) {
	s := &p.plan.service
	var entries []annotation.Entry
	if d != nil {
		entries = d.Entries
	}
	met := p.plan.weaver.adviceFor(s, m.Name, entries, d != nil && d.Retry)
	if len(met) == 0 {
		return
	}
	pm := &plannedMethod{signature: signatureOf(m.Type), name: m.Name, ref: s.Ref, entries: entries, advice: met}
	pm.ref.Method = m.Name
	for _, a := range met {
		p.disorder(a)
		switch {
		case a.isNil():
			p.nilAspect(a)
		case a.Aspect == nil:
			p.need(a.Service, fmt.Sprintf("aspect around %v", a.matcher), a.Place, false)
		}
		p.errs = appendAll(p.errs, a.check(a.value(), pm))
	}
	if d != nil && d.Retry {
		pm.retry = p.retry(d, pm)
	}
	p.plan.methods = append(p.plan.methods, pm)
}

// nilAspect reports an aspect that is nil, once.
func (p *planning) nilAspect(a *advice) {
	d := problem("the aspect is nil; give a value with a method Process", a.Place)
	if !slices.ContainsFunc(p.errs, func(err error) bool { known, ok := err.(*annotation.DefinitionError); return ok && *known == *d }) {
		p.errs = append(p.errs, d)
	}
}

// adviceFor is what meets a method, outermost first.
func (w *Weaver) adviceFor(s *Service, method string, entries []annotation.Entry, retry bool) (met []*advice) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var c *candidate // made for the first pointcut, since most weavers have none
	ours := len(w.advice) > 1 && w.isOurs(s)
	for _, a := range w.advice {
		switch {
		case a.matcher == nil:
			if !retry {
				continue
			}
		case ours:
			continue
		default:
			if c == nil {
				c = s.candidate(method, entries)
			}
			if !a.meets(c) {
				continue
			}
		}
		met = append(met, a)
	}
	return met
}

// candidate is a method of the service as pointcuts see it.
func (s *Service) candidate(method string, entries []annotation.Entry) *candidate {
	named := s.Impl
	if named == nil {
		named = s.Interfaces[0]
	}
	return &candidate{annotation.ClassOf(named), s.Ref.Name, s.Impl, s.Interfaces, method, entries}
}

var (
	infrastructureTypes = []reflect.Type{
		reflect.TypeFor[Aspect](), reflect.TypeFor[retry.Listener](), reflect.TypeFor[retry.Matcher](), reflect.TypeFor[retry.SleepStrategy](),
	}
	policyType = reflect.TypeFor[retry.Policy]()
)

// infrastructure reports whether the service is part of the weaving itself: an aspect around every call must not meet
// the aspects.
func infrastructure(s *Service) bool {
	return slices.ContainsFunc(s.Interfaces, func(i reflect.Type) bool {
		// Of a policy only that very interface: other services may well have a method Kind.
		return i == policyType || slices.ContainsFunc(infrastructureTypes, i.Implements)
	})
}

// isOurs reports whether the service is part of the weaving, such as one of the weaver's aspects, whatever it is provided
// as. The lock is held.
func (w *Weaver) isOurs(s *Service) bool {
	return infrastructure(s) || s.Impl != nil && s.Impl.Implements(aspectType) && slices.ContainsFunc(w.advice, func(a *advice) bool {
		return slices.Contains(a.types(), s.Impl)
	})
}

// proxy decides what the woven service will be.
func (p *planning) proxy() {
	s := &p.plan.service
	if len(p.plan.methods) == 0 || s.Interfaces[0].Kind() == reflect.Func {
		return
	}
	interfaces := widest(s.Interfaces)
	if p.plan.generated = generatedFor(interfaces); p.plan.generated != nil {
		return
	}
	if p.plan.weaver.options.requireGenerated {
		p.errs = append(p.errs, notGenerated(s, interfaces))
		return
	}
	t, err := dynproxy.TypeOf(interfaces...)
	if err != nil {
		p.errs = append(p.errs, noProxy(s, err))
		return
	}
	p.plan.proxy = t
}

// widest leaves out interfaces that another one of the list contains.
func widest(all []reflect.Type) (left []reflect.Type) {
	for i, t := range all {
		contained := false
		for j, o := range all {
			if i != j && o.Implements(t) && !(t.Implements(o) && i < j) {
				contained = true
			}
		}
		if !contained {
			left = append(left, t)
		}
	}
	return left
}

// IsWoven reports whether some method has a chain. Else Weave returns the target as it is.
func (p *Plan) IsWoven() bool { return len(p.methods) > 0 }

// Needs is what has to be built before Weave.
func (p *Plan) Needs() []Need { return p.needs }
