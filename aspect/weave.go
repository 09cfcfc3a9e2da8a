package aspect

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/internal/dynproxy"
)

// Weave puts the plan's chains around target and returns a value that implements all interfaces of the service. It may
// be called for several targets; chains are compiled by the first call that finds all that they need. A target that is
// nil is refused.
func (p *Plan) Weave(target reflect.Value, resolve Resolve) (reflect.Value, error) {
	if !p.IsWoven() {
		return target, nil
	}
	for target.Kind() == reflect.Interface && !target.IsNil() {
		target = target.Elem()
	}
	if !target.IsValid() || isNil(target) {
		return reflect.Value{}, &annotation.DefinitionError{
			Ref: p.service.Ref, Place: p.service.Place,
			Problem: "the service is nil, so there is nothing to weave", Remedy: "return a value, or an error beside it",
		}
	}
	methods, err := p.compile(resolve)
	if err != nil {
		return reflect.Value{}, err
	}
	if p.proxy == nil {
		return p.weaveFunc(target, methods["Call"]), nil
	}
	i := &instance{target: target}
	handlers := make([]dynproxy.Handler, p.proxy.NumMethod())
	for at := range handlers {
		name := p.proxy.Method(at).Name
		if m := methods[name]; m != nil {
			bound := target.MethodByName(name)
			handlers[at] = func(args []reflect.Value) []reflect.Value { return m.call(i, bound, args) }
		}
	}
	targets := make([]reflect.Value, p.proxy.NumInterface())
	for at := range targets {
		targets[at] = target
	}
	i.woven = reflect.ValueOf(p.proxy.New(targets, handlers, &woven{target.Interface()}))
	return i.woven, nil
}

// woven is what a proxy knows of itself.
type woven struct{ target any }

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Func, reflect.Map, reflect.Slice, reflect.Chan, reflect.Interface:
		return v.IsNil()
	}
	return false
}

// weaveFunc weaves a service whose type is a func.
func (p *Plan) weaveFunc(target reflect.Value, m *method) reflect.Value {
	t := p.service.Interfaces[0]
	target = target.Convert(t)
	i := &instance{target, target}
	return dynproxy.NewFunc(t, func(args []reflect.Value) []reflect.Value { return m.call(i, target, args) }, &woven{target.Interface()})
}

// compile makes the chains, once.
func (p *Plan) compile(resolve Resolve) (map[string]*method, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.woven != nil {
		return p.woven, nil
	}
	all := map[string]*method{}
	for _, pm := range p.methods {
		m := &method{signature: pm.signature, name: pm.name, ref: pm.ref, entries: pm.entries}
		for _, a := range pm.advice {
			x, err := a.aspect(resolve)
			if err != nil {
				return nil, err
			}
			m.chain = append(m.chain, x)
		}
		if pm.retry != nil {
			policy, err := pm.retry.build(resolve)
			if err != nil {
				return nil, atMethod(err, pm)
			}
			m.policy = policy
		}
		all[pm.name] = m
	}
	p.woven = all
	return all, nil
}

// atMethod says of a definition error where it belongs; the error of a constructor stays what it is.
func atMethod(err error, m *plannedMethod) error {
	if errors.As(err, new(*annotation.DefinitionError)) {
		return joined(complete(err, m.ref, m.retry.name, m.retry.place))
	}
	return err
}

func (a *advice) aspect(resolve Resolve) (Aspect, error) {
	if a.Aspect != nil {
		return a.Aspect, nil
	}
	v, _, err := resolve(a.Service)
	if err != nil {
		return nil, err
	}
	x, ok := v.Interface().(Aspect)
	if !ok {
		return nil, &annotation.DefinitionError{Problem: fmt.Sprintf("%v is no aspect.Aspect", v.Type()), Remedy: "give it a method Process(aspect.JoinPoint) error", Place: a.Place}
	}
	return x, nil
}
