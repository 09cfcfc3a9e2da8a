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

// option has settings, a list, a setter or a toggle; or a flaw instead.
type option struct {
	settings []setting // one, or all of a group
	list     *listing
	set      *setter
	toggle   *toggle
	flaw     *flaw
	written  string // in code, where the settings do not tell
}

// toggle turns annotations of a type off or on.
type toggle struct {
	typ reflect.Type
	on  bool
}

// listing is one use of Policies or AddPolicies.
type listing struct {
	add       bool
	factories []retry.PolicyFactory
}

// String is the option as it is written, such as MaxAttempts(3).
func (o Option) String() string {
	switch {
	case o.o == nil:
		return "Option{}"
	case o.o.list != nil:
		return o.o.list.String()
	case o.o.set != nil:
		return fmt.Sprintf("Set[%v](...)", o.o.set.typ)
	case o.o.toggle != nil:
		return fmt.Sprintf("Enabled[%v](%v)", o.o.toggle.typ, o.o.toggle.on)
	case len(o.o.settings) == 1:
		return o.o.settings[0].inCode()
	case len(o.o.settings) > 1:
		return groupInCode(o.o.settings)
	}
	return o.o.written
}

func (l *listing) String() string {
	kinds := make([]string, len(l.factories))
	for i, f := range l.factories {
		kinds[i] = f.Kind()
	}
	name := "Policies"
	if l.add {
		name = "AddPolicies"
	}
	return name + "(" + strings.Join(kinds, ", ") + ")"
}

// groupInCode is the option of a group, with every setting of its struct.
func groupInCode(settings []setting) string {
	fields := make([]string, len(settings))
	for i, s := range settings {
		fields[i] = s.fieldName() + ": " + s.attr.show(s.value)
	}
	return settings[0].attr.about().optionName() + "(" + strings.Join(fields, ", ") + ")"
}

// flawed is the option of a func that was given what it cannot use.
func flawed(name, arg string, f *flaw) Option {
	return Option{&option{flaw: f, written: name + "(" + arg + ")"}}
}

// toFunction is the option of an attribute that names a function.
func toFunction(r *row[*Reference], f any) Option {
	ref, fl := referTo(f, r.values.parse)
	if fl != nil {
		return flawed(r.optionName(), shown(f), fl)
	}
	return r.to(ref)
}

// toMatchers is the option of an attribute that lists matchers.
func toMatchers(r *row[[]matcher], list []retry.Matcher) Option {
	m, fl := literals(list)
	if fl != nil {
		return flawed(r.optionName(), "...", fl)
	}
	return r.to(m)
}

func toStrategy(v any) Option {
	s, fl := strategyFrom(v)
	if fl != nil {
		return flawed(sleepStrategy.optionName(), shown(v), fl)
	}
	return sleepStrategy.to(s)
}

// shown is an argument that is wrong, as short as it can be told.
func shown(arg any) string {
	if text, ok := arg.(string); ok {
		return strconv.Quote(text)
	}
	return fmt.Sprintf("%T", arg)
}

// toSeveral is the option that sets all attributes of a group.
func toSeveral(settings ...setting) Option { return Option{&option{settings: settings}} }

// toList is an option on the list of policies.
func toList(l listing) Option {
	if len(l.factories) == 0 {
		return Option{&option{written: l.String(), flaw: &flaw{problem: "it lists no policy", advice: "at least one, such as retry.MaxAttempts"}}}
	}
	return Option{&option{list: &l}}
}

// toOwn is the option that sets own fields.
func toOwn[A any](set func(*A)) Option {
	t := reflect.TypeFor[A]()
	if set == nil {
		return flawed(fmt.Sprintf("Set[%v]", t), "nil", &flaw{problem: "the func is nil", advice: "a func that sets fields"})
	}
	return Option{&option{set: &setter{typ: t, apply: func(v reflect.Value) (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("annotation.Set[%v] panics: %v", t, p)
			}
		}()
		set(v.Addr().Interface().(*A))
		return nil
	}}}}
}
