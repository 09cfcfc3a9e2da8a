package explain

// Nobody stands for a service where there is none.
const Nobody = -1

// Need is something that a service needs, or may ask for.
type Need struct {
	To   int      `json:"to"` // the index of the service; [Nobody] where none provides it
	Kind NeedKind `json:"kind"`
	// What is asked for: a type, as "shop.Gateway" or `shop.Gateway named "backup"`, and of a group its name.
	Key string `json:"key,omitempty"`
	Why string `json:"why,omitempty"` // of what an annotation or an aspect needs: "fallback Offline@Charge of Charge"
	// Where it was written that the service needs it.
	Place string `json:"place,omitempty"`
	// Whether the service does without: where nobody provides it or, of a soft group, where it is not built anyway.
	Optional bool `json:"optional,omitempty"`
}

// NeedKind says how something is needed.
type NeedKind string

// The kinds of needs.
const (
	Parameter NeedKind = "parameter" // of the constructor
	Lazy      NeedKind = "lazy"      // a parameter, asked for later
	Provider  NeedKind = "provider"  // a parameter, asked for later and each time anew
	Group     NeedKind = "group"     // a parameter that is a value group, of which this is a member
	Decorator NeedKind = "decorator" // a parameter of one of the service's decorators
	Reference NeedKind = "reference" // what an attribute of an annotation names: a fallback, a matcher, a hook
	Policy    NeedKind = "policy"    // what a policy's constructor takes
	Surround  NeedKind = "aspect"    // the aspect that stands around a method
)

// IsLater reports whether it need not be built before the service is.
func (k NeedKind) IsLater() bool { return k == Lazy || k == Provider }
