package retry

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
)

// PolicyFactory makes one kind of policy for a method. Factories are comparable: the union of two policy lists has each
// one once. The zero value makes nothing.
type PolicyFactory struct{ f *factory }

type factory struct {
	kind    string
	builtin bool

	constructor reflect.Value // of a user's
	place       string
}

// Kind is the kind of the policies that the factory makes.
func (f PolicyFactory) Kind() string {
	if f.f == nil {
		return ""
	}
	return f.f.kind
}

// String is the kind.
func (f PolicyFactory) String() string { return f.Kind() }

// The built-in policies, in canonical order. Their kinds are "fallback", "classifier", "timeout", "attemptTimeout",
// "circuitBreaker", "budget", "maxAttempts" and "sleep".
var (
	Fallback       = builtin(kindFallback)
	Classifier     = builtin(kindClassifier)
	Timeout        = builtin(kindTimeout)
	AttemptTimeout = builtin(kindAttemptTimeout)
	CircuitBreaker = builtin(kindCircuitBreaker)
	Budget         = builtin(kindBudget)
	MaxAttempts    = builtin(kindMaxAttempts)
	Sleep          = builtin(kindSleep)
)

// BuiltinPolicies lists the built-in policies in canonical order.
func BuiltinPolicies() []PolicyFactory {
	return []PolicyFactory{Fallback, Classifier, Timeout, AttemptTimeout, CircuitBreaker, Budget, MaxAttempts, Sleep}
}

func builtin(kind string) PolicyFactory { return PolicyFactory{&factory{kind: kind, builtin: true}} }

// build makes the built-in policy of the factory.
func (f PolicyFactory) build(d *Definition) (Policy, error) {
	switch f {
	case Fallback:
		return &fallback{run: d.Hooks.Fallback}, nil
	case Classifier:
		c := newClassifier(d.Settings.IgnoreErrors, d.Settings.RetryErrors)
		c.ifError, c.ifResult = d.Hooks.RetryIfError, d.Hooks.RetryIfResult
		return c, nil
	case Timeout:
		return NewTimeout(d.Settings.Timeout), nil
	case AttemptTimeout:
		return NewAttemptTimeout(d.Settings.AttemptTimeout), nil
	case CircuitBreaker:
		return d.Shared.circuitBreaker(d)
	case Budget:
		return d.Shared.budget(d)
	case MaxAttempts:
		return NewMaxAttempts(d.Settings.MaxAttempts), nil
	}
	return NewSleep(d.Settings.SleepStrategy, d.Settings.Base), nil
}

// PolicyFrom makes a user's own policy known. The constructor returns the policy, and perhaps an error. It may take the
// annotation (by value, as its own type, or as one that the annotation embeds), [Settings], and services, which the
// container injects. It runs once per woven method. Keep the result in a package variable: two calls make two factories.
// What is wrong with the constructor is a definition error of the methods that list the policy.
func PolicyFrom(kind string, constructor any) PolicyFactory {
	f := &factory{kind: kind, constructor: reflect.ValueOf(constructor)}
	_, file, line, _ := runtime.Caller(1)
	f.place = fmt.Sprintf("%s:%d", file[strings.LastIndexByte(file, '/')+1:], line)
	return PolicyFactory{f}
}

// IsBuiltin reports whether the factory is one of those that this package lists.
func (f PolicyFactory) IsBuiltin() bool { return f.f != nil && f.f.builtin }

// Inputs are the parameter types of a user's constructor; nil for a built-in policy.
func (f PolicyFactory) Inputs() []reflect.Type {
	if f.f == nil || f.f.constructor.Kind() != reflect.Func {
		return nil
	}
	return parameters(f.f.constructor.Type())
}

func parameters(t reflect.Type) []reflect.Type {
	var in []reflect.Type
	for p := range t.Ins() {
		in = append(in, p)
	}
	return in
}

var (
	errorType  = reflect.TypeFor[error]()
	policyType = reflect.TypeFor[Policy]()
)

// Check says what is wrong with the factory as far as types tell, without running its constructor. The error is a
// *DefinitionError.
func (f PolicyFactory) Check() error {
	switch {
	case f.f == nil:
		return &DefinitionError{Problem: "a policy factory is the zero value", Remedy: "write one of retry.MaxAttempts, retry.Sleep ..., or what retry.PolicyFrom has returned"}
	case f.f.builtin:
		return nil
	}
	c := f.f.constructor
	wrong := func(problem, remedy string) error {
		return &DefinitionError{Problem: fmt.Sprintf("policy %q: %s", f.f.kind, problem), Remedy: remedy, Place: f.f.place}
	}
	if f.f.kind == "" {
		return wrong("its kind is empty", "give retry.PolicyFrom a name in lower camel case")
	}
	if c.Kind() != reflect.Func || c.IsNil() {
		return wrong("its constructor is no func", "give retry.PolicyFrom a func that returns the policy")
	}
	t := c.Type()
	if n := t.NumOut(); n == 0 || n > 2 || n == 2 && t.Out(1) != errorType || t.IsVariadic() {
		return wrong(fmt.Sprintf("its constructor is a %v", t), "let it return the policy, or the policy and an error, and take no variadic parameter")
	}
	out := t.Out(0)
	if !out.Implements(policyType) {
		return wrong(fmt.Sprintf("%v is no retry.Policy", out), "give it a method Kind() string")
	}
	if out.Kind() != reflect.Interface && !implementsPhase(out) {
		return wrong(fmt.Sprintf("%v has no phase", out), "implement "+phases)
	}
	return nil
}

var phaseTypes = []reflect.Type{
	reflect.TypeFor[Gate](), reflect.TypeFor[Starter](), reflect.TypeFor[Judge](), reflect.TypeFor[Limiter](),
	reflect.TypeFor[Waiter](), reflect.TypeFor[Taker](), reflect.TypeFor[Ender](),
}

func implementsPhase(t reflect.Type) bool {
	for _, p := range phaseTypes {
		if t.Implements(p) {
			return true
		}
	}
	return false
}

// Rejects reports whether the policies that the factory makes may reject a call, as far as types tell.
func (f PolicyFactory) Rejects() bool {
	if f == CircuitBreaker {
		return true
	}
	return f.f != nil && f.f.constructor.Kind() == reflect.Func && f.f.constructor.Type().NumOut() > 0 &&
		f.f.constructor.Type().Out(0).Implements(phaseTypes[0])
}

// Make runs a user's constructor with in, one value for each of Inputs. The constructor's own error comes back as it is.
func (f PolicyFactory) Make(in []reflect.Value) (Policy, error) {
	out := f.f.constructor.Call(in)
	if len(out) == 2 && !out[1].IsNil() {
		return nil, out[1].Interface().(error)
	}
	if isNil(out[0]) {
		return nil, &DefinitionError{Problem: fmt.Sprintf("policy %q: its constructor returned nil", f.f.kind), Remedy: "return the policy, or an error", Place: f.f.place}
	}
	return out[0].Interface().(Policy), nil
}

// isNil reports whether v is a policy without a value, perhaps inside an interface.
func isNil(v reflect.Value) bool {
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Pointer, reflect.Func:
		return v.IsNil()
	}
	return false
}

// forMethod is the factory's policy for the method of d.
func (f PolicyFactory) forMethod(d *Definition) (Policy, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	if f.f.builtin {
		return f.build(d)
	}
	p, ok := d.Custom[f]
	if !ok {
		return nil, &DefinitionError{Ref: d.Settings.Ref, Problem: fmt.Sprintf("policy %q was not made", f.f.kind), Remedy: "make it with Make and put it into Definition.Custom", Place: f.f.place}
	}
	return p, nil
}
