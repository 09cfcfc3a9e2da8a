package containertest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// references are methods of services. One without a name means those of all services of the class.
type references []retry.MethodRef

// meet reports whether a session of that method is meant.
func (all references) meet(of retry.MethodRef) bool {
	return slices.ContainsFunc(all, func(w retry.MethodRef) bool {
		return w.Class == of.Class && w.Method == of.Method && (w.Name == "" || w.Name == of.Name)
	})
}

// retried are the methods with a retry annotation that are meant by a method expression or a reference; the problem says why
// there are none. Without a registry a reference means what it says.
func retried(registry *annotation.Registry, method any) (refs references, problem string) {
	if _, isText := method.(string); !isText {
		if _, _, err := annotation.MethodOf(method); err != nil {
			return nil, err.Error()
		}
	}
	if registry == nil {
		if ref, ok := parse(textOf(method)); ok {
			refs = append(refs, ref)
		}
		return refs, ""
	}
	for _, e := range registry.Of(method) {
		if annotation.IsRetry(reflect.TypeOf(e.Annotation)) && !slices.Contains(refs, e.Ref) {
			refs = append(refs, e.Ref)
		}
	}
	if len(refs) == 0 {
		return nil, nothing(registry, textOf(method))
	}
	return refs, ""
}

// nothing says that no method with a retry annotation is meant by text, and which was probably meant.
func nothing(registry *annotation.Registry, text string) string {
	var names []string
	for _, e := range annotation.AllOf[annotation.AbstractRetry](registry) {
		if n := e.Ref.String(); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	why := "the container has no such method with a retry annotation"
	switch near := annotation.NearMiss(text, names); {
	case near != "":
		return why + "; did you mean " + near + "?"
	case len(names) == 0:
		return why + ", and no other either"
	}
	return why + "; it has " + strings.Join(names, ", ")
}

// unknown says that no service of the container has the method, with an annotation or without; empty if one has.
func unknown(c *container.Container, method any) string {
	if _, isText := method.(string); !isText {
		if _, _, err := annotation.MethodOf(method); err != nil {
			return err.Error()
		}
	}
	if len(c.Methods(method)) > 0 {
		return ""
	}
	var refs []string
	for _, ref := range c.Methods(nil) {
		refs = append(refs, ref.String())
		ref.Name = "" // means it as well
		refs = append(refs, ref.String())
	}
	why := "the container has no such method"
	if near := annotation.NearMiss(textOf(method), refs); near != "" {
		why += "; did you mean " + near + "?"
	}
	return why
}

// textOf is a method as a reference.
func textOf(method any) string {
	if text, ok := method.(string); ok {
		return text
	}
	recv, name, err := annotation.MethodOf(method)
	if err != nil {
		return fmt.Sprint(method)
	}
	return annotation.ClassOf(recv).Short + "@" + name
}

// parse reads Class@Method or Class#name@Method.
func parse(text string) (ref retry.MethodRef, ok bool) {
	at := strings.LastIndexByte(text, '@')
	if at < 0 {
		return ref, false
	}
	class, name, _ := strings.Cut(text[:at], "#")
	return retry.MethodRef{Class: class, Name: name, Method: text[at+1:]}, true
}
