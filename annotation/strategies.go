package annotation

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/backstay/backstay/retry"
)

// strategy is a sleep strategy, or the name or class of a service that is one.
type strategy struct {
	literal retry.SleepStrategy
	name    string
}

var strategies = domain[strategy]{parse: parseStrategy, same: sameStrategy, show: showStrategy}

// namedStrategies are those that can be named without anybody having supplied them.
var namedStrategies = map[string]retry.SleepStrategy{"flat": retry.Flat, "backoff": retry.Backoff, "decorrelatedJitter": retry.DecorrelatedJitter}

func parseStrategy(text string) (strategy, *flaw) {
	if literal, ok := namedStrategies[text]; ok {
		return strategy{literal: literal}, nil
	}
	if fl := wrongCase(text, "strategies", strategyNames); fl != nil {
		return strategy{}, fl
	}
	class, name, of := strings.Cut(text, "#")
	if !isName(class) || of && !isName(name) {
		return strategy{}, &flaw{
			problem: fmt.Sprintf("%q is no sleep strategy", text),
			advice:  "flat, backoff, decorrelatedJitter, or the name or class of a service that is a strategy",
		}
	}
	return strategy{name: text}, nil
}

// strategyFrom is the strategy that an option was given.
func strategyFrom(v any) (strategy, *flaw) {
	switch s := v.(type) {
	case retry.SleepStrategy:
		return strategy{literal: s}, nil
	case string:
		return parseStrategy(s)
	}
	return strategy{}, &flaw{
		problem: fmt.Sprintf("%T is no sleep strategy", v),
		advice:  "retry.Flat, retry.Backoff, retry.DecorrelatedJitter, a retry.SleepStrategy of your own, or the name or class of a service that is one",
	}
}

func showStrategy(s strategy) string {
	if s.literal == nil {
		return s.name
	}
	if named, ok := s.literal.(fmt.Stringer); ok {
		return named.String()
	}
	return fmt.Sprintf("%T", s.literal)
}

// sameStrategy reports whether two strategies are known to be one. Those that cannot be compared are taken to differ.
func sameStrategy(a, b strategy) bool {
	switch {
	case a.literal == nil || b.literal == nil:
		return a == b
	case reflect.TypeOf(a.literal) != reflect.TypeOf(b.literal):
		return false
	}
	return reflect.ValueOf(a.literal).Comparable() && reflect.ValueOf(b.literal).Comparable() && a.literal == b.literal
}

func keepStrategy(d *MethodDefinition, s strategy, from Origin) {
	d.Settings.SleepStrategy, d.SleepStrategyRef = s.literal, nil
	if s.literal == nil {
		ref := (&Reference{Name: s.name}).as("sleepStrategy", from)
		d.SleepStrategyRef = &ref
	}
}

func tellStrategy(d *MethodDefinition) string {
	s := strategy{literal: d.Settings.SleepStrategy}
	if d.SleepStrategyRef != nil {
		s = strategy{name: d.SleepStrategyRef.Name}
	}
	return showStrategy(s)
}
