package annotation

import (
	"fmt"
	"reflect"
	"strings"
)

// checkUnembedded finds fields that were meant to make the annotation a retry annotation, which only embedding does; and
// marks, which mean something in a service alone.
func (k *kind) checkUnembedded() {
	for f := range k.typ.Fields() {
		t := f.Type
		switch {
		case f.Anonymous:
			continue
		case t.Kind() == reflect.Struct && t.Implements(markType):
			t = markedBy(t)
		case k.retry || !IsRetry(elementOf(t)):
			continue
		default:
			t = elementOf(t)
		}
		k.wrong(fmt.Sprintf("its field %s is a %v, which makes no retry annotation of it", f.Name, f.Type), fmt.Sprintf("embed %v", t))
	}
}

// checkValidate finds methods of t that were meant to be Validate, which nobody would call.
func (k *kind) checkValidate(t reflect.Type) {
	p := reflect.PointerTo(t)
	m, exists := p.MethodByName("Validate")
	if exists && declares(t, "Validate") {
		if !p.Implements(validatorType) {
			k.wrong(fmt.Sprintf("Validate of %v is a %v", t, withoutReceiver(m.Type)), fmt.Sprintf("write func (%s) Validate() error", ClassOf(t).Short))
		}
		return
	}
	for m := range p.Methods() {
		if m.Name != "Validate" && meansValidate(m) && declares(t, m.Name) {
			k.wrong(fmt.Sprintf("%s has a method %s, which nothing calls", k.call(t), m.Name), "name it Validate, or give it another name")
		}
	}
}

// meansValidate reports whether a method is a near miss of Validate. A name that differs in more than case has to return
// an error too: Validity may be anything.
func meansValidate(m reflect.Method) bool {
	if strings.EqualFold(m.Name, "Validate") {
		return true
	}
	n := m.Type.NumOut()
	return n > 0 && m.Type.Out(n-1) == errorType && NearMiss(m.Name, []string{"Validate"}) != ""
}
