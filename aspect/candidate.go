package aspect

import (
	"reflect"

	"github.com/backstay/backstay/annotation"
)

// candidate is a method that a pointcut may meet.
type candidate struct {
	class      annotation.ClassName
	name       string // of the service, where it has one
	impl       reflect.Type
	interfaces []reflect.Type
	method     string
	entries    []annotation.Entry
}

// isOf reports whether a glob meets the class in one of its forms.
func (m *candidate) isOf(class string) bool {
	return matchGlob(class, m.class.Short) || matchGlob(class, m.class.Qualified) || matchGlob(class, m.class.Full)
}

// providedAs reports whether the service is provided as a t, or as an interface that has all methods of t.
func (m *candidate) providedAs(t reflect.Type) bool {
	for _, i := range m.interfaces {
		if i == t || t.Kind() == reflect.Interface && i.Implements(t) {
			return true
		}
	}
	return false
}

// isReceiver reports whether t is the receiver of methods of the service's class.
func (m *candidate) isReceiver(t reflect.Type) bool {
	return m.impl != nil && isReceiver(t, m.impl)
}
