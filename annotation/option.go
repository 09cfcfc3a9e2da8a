package annotation

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/backstay/backstay/retry"
)

// Option sets one attribute, or own fields of an annotation. It is immutable. In one list of options a later one replaces
// an earlier one of the same attribute; those of RetryErrors, RetryIfError, RetryIfResult, IgnoreErrors and OnlyIf unite.
// The zero value sets nothing and is a definition error.
type Option struct{ o *option }

type option struct {
	name     string // of the func that made it
	args     []any
	settings []setting
	list     *listing
	set      *setter
	flaw     *flaw // instead of all of these
}

// listing is one use of Policies or AddPolicies.
type listing struct {
	add       bool
	factories []retry.PolicyFactory
}

// String is the option as it is written, such as MaxAttempts(3).
func (o Option) String() string {
	if o.o == nil {
		return "Option{}"
	}
	args := make([]string, len(o.o.args))
	for i, a := range o.o.args {
		args[i] = fmt.Sprint(a)
	}
	return o.o.name + "(" + strings.Join(args, ", ") + ")"
}

// toFunction is the option of an attribute that names a function.
func toFunction(r *row[*Reference], f any) Option {
	ref, fl := referTo(f, r.values.parse)
	if fl != nil {
		return Option{&option{name: r.optionName(), args: []any{shown(f)}, flaw: fl}}
	}
	return r.to(ref)
}

// toMatchers is the option of an attribute that lists matchers.
func toMatchers(r *row[[]matcher], list []retry.Matcher) Option {
	m, fl := literals(list)
	if fl != nil {
		return Option{&option{name: r.optionName(), args: []any{"..."}, flaw: fl}}
	}
	return r.to(m)
}

func toStrategy(v any) Option {
	fl := &flaw{
		problem: fmt.Sprintf("%T is no sleep strategy", v),
		advice:  "retry.Flat, retry.Backoff, retry.DecorrelatedJitter, a retry.SleepStrategy of your own, or the name or class of a service that is one",
	}
	switch s := v.(type) {
	case retry.SleepStrategy:
		return sleepStrategy.to(strategy{literal: s})
	case string:
		var named strategy
		if named, fl = parseStrategy(s); fl == nil {
			return sleepStrategy.to(named)
		}
	}
	return Option{&option{name: sleepStrategy.optionName(), args: []any{shown(v)}, flaw: fl}}
}

// shown is an argument that is wrong, as short as it can be told.
func shown(arg any) string {
	if text, ok := arg.(string); ok {
		return strconv.Quote(text)
	}
	return fmt.Sprintf("%T", arg)
}

// toSeveral is the option that sets all attributes of a group, from the struct that is written in code.
func toSeveral(name string, written any, settings ...setting) Option {
	return Option{&option{name: name, args: []any{fmt.Sprintf("%+v", written)}, settings: settings}}
}

// toList is an option on the list of policies.
func toList(name string, add bool, factories []retry.PolicyFactory) Option {
	o := &option{name: name, list: &listing{add, factories}}
	for _, f := range factories {
		o.args = append(o.args, f)
	}
	if len(factories) == 0 {
		o.list, o.flaw = nil, &flaw{problem: "it lists no policy", advice: "at least one, such as retry.MaxAttempts"}
	}
	return Option{o}
}

// toOwn is the option that sets own fields.
func toOwn[A any](set func(*A)) Option {
	t := reflect.TypeFor[A]()
	o := &option{name: fmt.Sprintf("Set[%v]", t), args: []any{"..."}}
	if set == nil {
		o.flaw = &flaw{problem: "the func is nil", advice: "a func that sets fields"}
		return Option{o}
	}
	o.set = &setter{typ: t, apply: func(v reflect.Value) (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("annotation.Set[%v] panics: %v", t, p)
			}
		}()
		set(v.Addr().Interface().(*A))
		return nil
	}}
	return Option{o}
}
