package annotation

import (
	"fmt"
	"reflect"
	"sync"
)

// kind is what the type of an annotation tells, without any code of its running.
type kind struct {
	typ      reflect.Type
	retry    bool
	levels   []reflect.Type   // of a retry annotation: the types whose Defaults are asked, the innermost first
	fields   map[string]field // own fields, by key
	mistakes []mistake
}

// kinds remembers what was read of a type, since types do not change. It holds nothing that anybody sets.
var kinds sync.Map // of reflect.Type to *kind

func kindOf(t reflect.Type) *kind {
	if k, ok := kinds.Load(t); ok {
		return k.(*kind)
	}
	k := &kind{typ: t, retry: IsRetry(t)}
	if t.Kind() != reflect.Struct {
		k.wrong("it is no struct", "declare the annotation as a struct")
	} else if t.Implements(markType) {
		a := markedBy(t)
		k.wrong("it marks a field, and is no annotation", fmt.Sprintf("write Annotate[%v] at a registration, or annotation.On[%[1]v] in a struct", a))
	} else {
		k.readLevels(t)
		k.readFields()
		k.checkUnembedded()
	}
	kept, _ := kinds.LoadOrStore(t, k)
	return kept.(*kind)
}

func (k *kind) wrong(problem, remedy string) {
	k.mistakes = append(k.mistakes, mistake{problem: problem, remedy: remedy})
}

// call names t in a problem, in which the annotation itself has been named before.
func (k *kind) call(t reflect.Type) string {
	if t == k.typ {
		return "it"
	}
	return t.String()
}

// defaulter is an annotation with attributes of its own.
type defaulter interface{ Defaults() []Option }

var defaulterType = reflect.TypeFor[defaulter]()

func hasDefaults(t reflect.Type) bool { return reflect.PointerTo(t).Implements(defaulterType) }

// readLevels finds the retry annotation that t embeds, the one that that embeds, and so on, and who of them has Defaults.
func (k *kind) readLevels(t reflect.Type) {
	if t == abstractRetry {
		return
	}
	var embedded []reflect.Type // retry annotations
	var others []reflect.Type   // other embedded types with Defaults
	for f := range t.Fields() {
		switch {
		case !f.Anonymous:
		case IsRetry(f.Type):
			embedded = append(embedded, f.Type)
		case f.Type.Kind() == reflect.Pointer && IsRetry(f.Type.Elem()):
			k.wrong(fmt.Sprintf("%s embeds %v, a pointer", k.call(t), f.Type), fmt.Sprintf("embed %v itself", f.Type.Elem()))
		case hasDefaults(f.Type) || f.Type.Implements(defaulterType):
			others = append(others, f.Type)
		}
	}
	if len(embedded) > 1 {
		k.wrong(fmt.Sprintf("%s embeds %d retry annotations, such as %v and %v", k.call(t), len(embedded), embedded[0], embedded[1]), "embed one of them, and attach the other beside it")
		return
	}
	if len(embedded) == 1 {
		k.readLevels(embedded[0])
	}
	k.checkValidate(t)
	if k.checkDefaults(t, embedded, others) {
		k.levels = append(k.levels, t)
	}
}

// checkDefaults reports whether t's Defaults are to be asked: its own, or those of an embedded type that is no retry
// annotation. Those of an embedded retry annotation are a level of their own.
func (k *kind) checkDefaults(t reflect.Type, embedded, others []reflect.Type) bool {
	m, exists := reflect.PointerTo(t).MethodByName("Defaults")
	own := exists && declares(t, "Defaults")
	if !own {
		k.checkNearMiss(t)
	}
	right := fmt.Sprintf("write func (%s) Defaults() []annotation.Option", ClassOf(t).Short)
	switch {
	case !exists && len(others) > 0:
		k.wrong(fmt.Sprintf("%s embeds several types with Defaults, so it has none of them", k.call(t)), right)
		return false
	case !exists:
		return false
	case !hasDefaults(t):
		if own || len(embedded) == 0 {
			k.wrong(fmt.Sprintf("Defaults of %v is a %v", t, withoutReceiver(m.Type)), right)
		}
		return false
	case !k.retry:
		k.wrong("it has Defaults, and is no retry annotation", "embed annotation.AbstractRetry, or leave Defaults out")
		return false
	}
	return own || len(others) > 0
}

// checkNearMiss finds a method that was meant to be Defaults, which nobody would call.
func (k *kind) checkNearMiss(t reflect.Type) {
	if !k.retry {
		return
	}
	for m := range reflect.PointerTo(t).Methods() {
		if m.Name != "Defaults" && NearMiss(m.Name, []string{"Defaults"}) != "" && declares(t, m.Name) {
			k.wrong(fmt.Sprintf("%s has a method %s, which nothing calls", k.call(t), m.Name), "name it Defaults, or give it another name")
		}
	}
}

func withoutReceiver(method reflect.Type) reflect.Type {
	var in, out []reflect.Type
	for i := 1; i < method.NumIn(); i++ {
		in = append(in, method.In(i))
	}
	for t := range method.Outs() {
		out = append(out, t)
	}
	return reflect.FuncOf(in, out, method.IsVariadic())
}
