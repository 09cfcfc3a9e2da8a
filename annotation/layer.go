package annotation

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/backstay/backstay/retry"
)

// layer is what one list of options says, or one tag.
type layer struct {
	settings []setting // of a row of which one value holds, the last one only
	lists    []listing
	sets     []setter
	toggles  []toggle // of a configuration
	mistakes []mistake
}

// layerOf reads a list of options.
func layerOf(opts []Option) (l layer) {
	for _, o := range opts {
		l.add(o)
	}
	return l
}

func (l *layer) add(opt Option) {
	o := opt.o
	switch {
	case o == nil:
		l.wrong("an option is the zero value", "write one that a func of package annotation makes, such as annotation.MaxAttempts(3)")
		return
	case o.flaw != nil:
		l.mistakes = append(l.mistakes, o.flaw.mistake(o.written, o.flaw.code))
	case o.list != nil:
		l.lists = append(l.lists, *o.list)
		l.checkFactories(o.list.factories)
	case o.set != nil:
		l.sets = append(l.sets, *o.set)
	case o.toggle != nil:
		l.wrong(opt.String()+" turns an annotation off or on, which is for a deployment to say", "write it in Configure of the container, or leave the annotation out")
	}
	for _, s := range o.settings {
		if fl := s.attr.check(s.value); fl != nil {
			l.mistakes = append(l.mistakes, s.mistakeInCode(fl))
			continue
		}
		l.set(s)
	}
}

// set adds a setting. It replaces an earlier one, unless the attribute's settings unite.
func (l *layer) set(s setting) {
	if s.attr.about().unites == highest {
		if i := slices.IndexFunc(l.settings, func(old setting) bool { return old.attr == s.attr }); i >= 0 {
			l.settings[i] = s
			return
		}
	}
	l.settings = append(l.settings, s)
}

// checkFactories asks the factories of a list what is wrong with them.
func (l *layer) checkFactories(factories []retry.PolicyFactory) {
	for _, f := range factories {
		if d, ok := f.Check().(*DefinitionError); ok {
			l.mistakes = append(l.mistakes, mistake{d.Problem, d.Remedy, d.Place})
		}
	}
}

func (l *layer) wrong(problem, remedy string) {
	l.mistakes = append(l.mistakes, mistake{problem: problem, remedy: remedy})
}

// checkSets finds the uses of Set that are not for an annotation of type t.
func (l *layer) checkSets(t reflect.Type) {
	for _, s := range l.sets {
		if !EmbedsOrIs(t, s.typ) {
			l.wrong(fmt.Sprintf("annotation.Set[%v] sets no field of it", s.typ), fmt.Sprintf("write annotation.Set[%v]", t))
		}
	}
}

// refuseAttributes finds what only a retry annotation may say.
func (l *layer) refuseAttributes() {
	if len(l.settings) > 0 || len(l.lists) > 0 {
		l.wrong("this is no retry annotation, and has no attributes", "embed annotation.AbstractRetry, or write annotation.Set alone")
	}
	l.settings, l.lists = nil, nil
}
