package aspect

import (
	"fmt"
	"reflect"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/internal/dynproxy"
	"github.com/backstay/backstay/retry"
)

// WrapOption declares something of one wrapped target.
type WrapOption interface{ wrap(*wrapOptions) }

type wrapOptions struct {
	name         string
	declarations []annotation.Declaration
}

type wrapOption func(*wrapOptions)

func (o wrapOption) wrap(w *wrapOptions) { o(w) }

// Annotate attaches an annotation of type A to the methods that a method expression, names or globs select.
func Annotate[A any](method any, opts ...annotation.Option) WrapOption {
	d := annotation.Declare[A](method, annotation.Caller(0), opts...)
	return wrapOption(func(w *wrapOptions) { w.declarations = append(w.declarations, d) })
}

// WithName tells two targets of one class apart: references name them Class#name.
func WithName(name string) WrapOption { return wrapOption(func(w *wrapOptions) { w.name = name }) }

// Wrap returns target, woven. Its marks are read. I is an interface or a func type. All definition errors are in the
// error, joined, each an *annotation.DefinitionError; a target without annotations and aspects is returned as it is, and
// so is a nil one. A typed nil is refused.
//
// References are resolved among what the weaver has wrapped before and what [WithService] has given it.
func Wrap[I any](w *Weaver, target I, opts ...WrapOption) (I, error) {
	place := annotation.Caller(0)
	v := reflect.ValueOf(&target).Elem()
	if (v.Kind() == reflect.Interface || v.Kind() == reflect.Func) && v.IsNil() {
		return target, nil
	}
	if w == nil {
		return *new(I), &annotation.DefinitionError{Problem: "the weaver is nil", Remedy: "give aspect.Wrap one that aspect.NewWeaver has made", Place: place}
	}
	woven, err := w.wrap(reflect.TypeFor[I](), v, place, opts)
	if err != nil {
		return *new(I), err
	}
	return woven.Interface().(I), nil
}

func (w *Weaver) wrap(t reflect.Type, v reflect.Value, place string, opts []WrapOption) (reflect.Value, error) {
	var options wrapOptions
	for _, o := range opts {
		if o != nil {
			o.wrap(&options)
		}
	}
	impl := t
	if t.Kind() == reflect.Interface {
		impl = reflect.TypeOf(Unwrap(v.Interface()))
	}
	s := Service{
		Ref:  retry.MethodRef{Class: w.own.classOf(impl), Name: options.name},
		Impl: impl, Interfaces: []reflect.Type{t}, Declarations: options.declarations, Place: place,
	}
	wrong := func(problem, remedy string) error {
		return &annotation.DefinitionError{Ref: s.Ref, Place: place, Problem: problem, Remedy: remedy}
	}
	switch {
	case t.Kind() != reflect.Interface && t.Kind() != reflect.Func:
		return v, wrong(fmt.Sprintf("%v is neither an interface nor a func", t), "write the interface that its users take, as in aspect.Wrap[PaymentGateway](...)")
	case t.Kind() == reflect.Interface && isNil(v.Elem()):
		return v, wrong(fmt.Sprintf("the target is a nil %v", impl), "give it a value, or a nil interface")
	case IsWoven(v.Interface()):
		return v, wrong("the target is woven already", "say all that holds for it in one Wrap")
	}
	plan, errs := w.Plan(s, &w.own)
	if len(errs) == 0 {
		errs = w.Settle([]*Plan{plan})
	}
	if len(errs) > 0 {
		return v, joined(errs)
	}
	woven, err := plan.Weave(v, w.own.resolve)
	if err != nil {
		return v, err
	}
	w.own.add(&entry{ref: s.Ref, class: annotation.ClassOf(impl), impl: impl, typ: t, value: woven, target: v})
	return woven, nil
}

// Unwrap returns the target of a woven value, and any other value as it is.
func Unwrap[I any](v I) I {
	if i := instanceOf(v); i != nil {
		if t, ok := i.target.Interface().(I); ok {
			return t
		}
	}
	return v
}

// IsWoven reports whether v is a proxy.
func IsWoven(v any) bool { return instanceOf(v) != nil }

// instanceOf is what a proxy knows of itself; nil for what is no proxy.
func instanceOf(v any) *instance {
	if p, ok := v.(interface{ woven() *instance }); ok {
		return p.woven()
	}
	data, _ := dynproxy.DataOf(v)
	i, _ := data.(*instance)
	return i
}
