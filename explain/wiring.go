package explain

import (
	"time"

	"github.com/backstay/backstay/retry"
)

// Wiring is what a container consists of. It is a copy: reading it needs no lock, and changing it changes nothing else.
// The zero value is an empty container's. Its JSON form is stable: names in lower camel case, references as text, what is
// empty left out.
type Wiring struct {
	Services []Service `json:"services"`          // in order of registration
	Aspects  []Aspect  `json:"aspects,omitempty"` // outermost first

	// What is wrong, each in one line; the rest is then what is known all the same.
	Problems []string `json:"problems,omitempty"`
}

// Service is one service.
type Service struct {
	Ref      retry.MethodRef `json:"ref"`                // class and name
	Class    string          `json:"class"`              // in full, with the import path
	Provided []string        `json:"provided,omitempty"` // the types that it is found as
	Group    string          `json:"group,omitempty"`    // the value group that it is in

	Lifetime   Lifetime `json:"lifetime"`
	Origin     Origin   `json:"origin"`
	Place      string   `json:"place"`                // where the registration was written, as "shop/wiring.go:34"
	Override   string   `json:"override,omitempty"`   // where what replaces its target was written
	Decorators []string `json:"decorators,omitempty"` // where each was written, innermost first

	// Whether it is built: a scoped or transient one, whether any was.
	Built bool `json:"built"`
	// How long the constructor and the decorators took, without what they need: of a scoped or transient one, the first
	// time. Zero where none has run.
	Took time.Duration `json:"tookNanoseconds,omitempty"`

	Proxy   string   `json:"proxy"` // "not woven", "run-time" or "generated"
	Needs   []Need   `json:"needs,omitempty"`
	Methods []Method `json:"methods,omitempty"` // those with an aspect or an annotation
}

// Lifetime says how often a service is built.
type Lifetime string

// The lifetimes.
const (
	Singleton Lifetime = "singleton" // once
	Scoped    Lifetime = "scoped"    // once in each scope
	Transient Lifetime = "transient" // each time that it is asked for
)

// Origin is the call by which a service was registered.
type Origin string

// The origins.
const (
	Provide Origin = "Provide" // a constructor
	Supply  Origin = "Supply"  // a value
	Expect  Origin = "Expect"  // a value that each scope is supplied with
)

// IsWoven reports whether calls of some method of the service go through a chain.
func (s *Service) IsWoven() bool { return s.Proxy != "" && s.Proxy != "not woven" }

// Find returns the service that a reference names, as "Class" or "Class#name", or nil. It is the first one where a
// container has several that no name tells apart.
func (w *Wiring) Find(ref string) *Service {
	for i := range w.Services {
		if w.Services[i].Ref.String() == ref {
			return &w.Services[i]
		}
	}
	return nil
}
