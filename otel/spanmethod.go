package backstayotel

import (
	"maps"
	"sync"
	"sync/atomic"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/backstay/backstay/retry"
)

// method is what the spans of a method, or of a chain, have in common.
type method struct {
	ref                      retry.MethodRef // as events have it, valid or not
	sessionName, attemptName string
	attributes               []attribute.KeyValue
	options                  []trace.SpanStartOption            // of a session
	early                    [manyEarly][]trace.SpanStartOption // of the first attempts, which are most of all
}

const manyEarly = 3

// unnamed is the name of the sessions of a chain that has none.
const unnamed = "backstay.call"

func newMethod(ref retry.MethodRef) *method {
	m := &method{ref: ref}
	ref = validRef(ref)
	m.sessionName = ref.String()
	if m.sessionName == "" {
		m.sessionName = unnamed
	}
	m.attemptName = m.sessionName + " attempt"
	for _, a := range [...]struct{ key, value string }{{classKey, ref.Class}, {nameKey, ref.Name}, {methodKey, ref.Method}} {
		if a.value != "" {
			m.attributes = append(m.attributes, attribute.String(a.key, a.value))
		}
	}
	if len(m.attributes) > 0 {
		m.options = []trace.SpanStartOption{trace.WithAttributes(m.attributes...)}
	}
	for i := range m.early {
		m.early[i] = m.numbered(i + 1)
	}
	return m
}

// attemptOptions are those of the attempt of that number, counted from 1. They are shared and not to be changed.
func (m *method) attemptOptions(number int) []trace.SpanStartOption {
	if number <= len(m.early) {
		return m.early[number-1]
	}
	return m.numbered(number)
}

func (m *method) numbered(number int) []trace.SpanStartOption {
	all := append(m.attributes[:len(m.attributes):len(m.attributes)], attribute.Int(attemptKey, number))
	return []trace.SpanStartOption{trace.WithAttributes(all...)}
}

// methodsMost is how many methods are kept. A program has fewer; chains whose names are made at run time may have more, and
// those that come late are made for each call.
const methodsMost = 1000

// methods keeps those that were asked for. The zero value is ready; it is safe for concurrent use, and finds without a lock.
type methods struct {
	known atomic.Pointer[map[retry.MethodRef]*method]
	mu    sync.Mutex // held by who adds one
}

// get is the method that ref names.
func (ms *methods) get(ref retry.MethodRef) *method {
	if known := ms.known.Load(); known != nil {
		if m := (*known)[ref]; m != nil {
			return m
		}
	}
	return ms.add(ref)
}

func (ms *methods) add(ref retry.MethodRef) *method {
	m := newMethod(ref)
	ms.mu.Lock()
	defer ms.mu.Unlock()
	known := map[retry.MethodRef]*method{}
	if p := ms.known.Load(); p != nil {
		if len(*p) >= methodsMost {
			return m
		}
		known = maps.Clone(*p)
	}
	known[ref] = m
	ms.known.Store(&known)
	return m
}
