package containertest

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// Recorder keeps what it is told. [New] makes one that listens to its container; the zero value is ready too, for
// container.WithListener. It is safe for concurrent use and starts no goroutine.
type Recorder struct {
	t        testing.TB
	registry *annotation.Registry

	mu     sync.Mutex
	events []retry.Event
}

var _ retry.Listener = (*Recorder)(nil)

// On records e.
func (r *Recorder) On(_ context.Context, e retry.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

// Events returns what was recorded so far, in order.
func (r *Recorder) Events() []retry.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.events)
}

// Attempts counts the attempts of the finished sessions of a method: retries and first attempts, whether the session
// succeeded, failed or was exhausted. The method is a method expression, or Class@Method for all services of a class, or
// Class#name@Method for one of them. A method that no retry annotation is attached to has no sessions; a recorder that
// [New] made fails its test when it is asked for one, or for one that its container does not have.
func (r *Recorder) Attempts(method any) int {
	if r.t != nil {
		r.t.Helper()
	}
	wanted := r.refs(method)
	n := 0
	for _, e := range r.Events() {
		if slices.ContainsFunc(wanted, func(w retry.MethodRef) bool { return meets(w, e.Ref()) }) {
			n += attempts(e)
		}
	}
	return n
}

func attempts(e retry.Event) int {
	switch e := e.(type) {
	case retry.Succeeded:
		return e.Attempts
	case retry.Failed:
		return e.Attempts
	case retry.Exhausted:
		return e.Attempts
	}
	return 0
}

// refs are the methods of services that are meant.
func (r *Recorder) refs(method any) (refs []retry.MethodRef) {
	if r.t != nil {
		r.t.Helper()
	}
	text, isText := method.(string)
	if !isText {
		recv, name, err := annotation.MethodOf(method)
		if err != nil {
			r.fail(fmt.Sprint(method), err.Error())
			return nil
		}
		text = annotation.ClassOf(recv).Short + "@" + name
	}
	if r.registry != nil {
		for _, e := range r.registry.Of(method) {
			if annotation.IsRetry(reflect.TypeOf(e.Annotation)) {
				refs = append(refs, e.Ref)
			}
		}
		if len(refs) == 0 {
			r.fail(text, r.nothing(text))
		}
		return refs
	}
	if ref, ok := parse(text); ok {
		refs = append(refs, ref)
	}
	return refs
}

// fail fails the test, if there is one.
func (r *Recorder) fail(method, why string) {
	if r.t != nil {
		r.t.Helper()
		r.t.Errorf("containertest: Attempts(%s): %s", method, why)
	}
}

// nothing says that no method with a retry annotation is meant by text, and which was probably meant.
func (r *Recorder) nothing(text string) string {
	var names []string
	for _, e := range annotation.AllOf[annotation.AbstractRetry](r.registry) {
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

// parse reads Class@Method or Class#name@Method.
func parse(text string) (ref retry.MethodRef, ok bool) {
	at := strings.LastIndexByte(text, '@')
	if at < 0 {
		return ref, false
	}
	class, name, _ := strings.Cut(text[:at], "#")
	return retry.MethodRef{Class: class, Name: name, Method: text[at+1:]}, true
}

// meets reports whether the wanted reference means a session's. Without a name it means all services of the class.
func meets(wanted, of retry.MethodRef) bool {
	return wanted.Class == of.Class && wanted.Method == of.Method && (wanted.Name == "" || wanted.Name == of.Name)
}
