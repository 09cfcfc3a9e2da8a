package aspect

import (
	"reflect"
	"runtime"
	"strings"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// MethodDescription tells what stands around one method, and why.
type MethodDescription struct {
	Ref        retry.MethodRef
	Aspects    []AspectDescription    // outermost first, the retry's included; none: the method goes straight through
	Entries    []annotation.Entry     // its annotations, nearest first
	Off        []annotation.Off       // those that a configuration has turned off
	Policies   []string               // of its retry, in canonical order; none: it has no retry
	Attributes []annotation.Attribute // of its retry, with where each value comes from
}

// AspectDescription tells of one aspect of a chain.
type AspectDescription struct {
	Name     string // of its type or, of a func, of the func
	Pointcut string // as it prints itself
	Priority int
	Orders   []Order
	Place    string // where the aspect was given; empty for the retry
	Service  any    // the directory's ID of the service that the aspect is; nil: it was given as a value
}

// Describe tells of every method that has a chain or an annotation, in order. It may be called before anything is built;
// what methods share by name is settled by [Weaver.Settle].
func (p *Plan) Describe() (all []MethodDescription) {
	methods, definitions := p.methods, p.definitions
	for _, m := range p.all {
		var d MethodDescription
		known := false
		if len(definitions) > 0 && definitions[0].Method.Name == m.Name {
			d.describe(&definitions[0])
			definitions, known = definitions[1:], true
		}
		if len(methods) > 0 && methods[0].name == m.Name {
			d.chain(methods[0])
			methods, known = methods[1:], true
		}
		if known {
			all = append(all, d)
		}
	}
	return all
}

// describe tells what is declared.
func (d *MethodDescription) describe(of *annotation.MethodDefinition) {
	d.Ref, d.Entries, d.Off = of.Ref, of.Entries, of.Off
	if of.Retry {
		d.Policies, d.Attributes = of.PolicyNames(), of.Attributes()
	}
}

// chain tells of the aspects.
func (d *MethodDescription) chain(m *plannedMethod) {
	d.Ref = m.ref
	for _, a := range m.advice {
		d.Aspects = append(d.Aspects, a.describe())
	}
	if m.retry == nil || len(m.retry.shares) == 0 {
		return
	}
	settled := *m.retry.declared
	for _, s := range m.retry.shares {
		settled.Shares(s.group, s.of.declared)
	}
	d.Attributes = settled.Attributes()
}

func (a *advice) describe() AspectDescription {
	d := AspectDescription{Name: a.name(), Priority: a.Priority, Orders: a.Orders, Place: a.Place, Service: a.Service.ID}
	if a.matcher != nil {
		d.Pointcut = a.matcher.String()
	} else {
		d.Pointcut = Annotated[annotation.AbstractRetry]().String()
	}
	return d
}

// name is that of the aspect's type or, of a func, of the func.
func (a *advice) name() string {
	t := a.Service.Impl
	switch {
	case a.Aspect != nil:
		t = reflect.TypeOf(a.Aspect)
		if f, ok := a.Aspect.(Func); ok && f != nil {
			name := runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name()
			return name[strings.LastIndexByte(name, '/')+1:]
		}
	case t == nil:
		t = a.Service.Type
	}
	if t == nil {
		return "nil"
	}
	return annotation.ClassOf(t).Short
}
