package explain

// Method is one method of a service, with what stands around it.
type Method struct {
	Name        string       `json:"name"`              // "Call" of a func
	Aspects     []AspectUse  `json:"aspects,omitempty"` // outermost first, the retry's included
	Annotations []Annotation `json:"annotations,omitempty"`
	Policies    []string     `json:"policies,omitempty"`   // of its retry, in the order in which they are asked
	Attributes  []Attribute  `json:"attributes,omitempty"` // of its retry: what is set, and what a policy does by default
}

// AspectUse is an aspect in the chain of a method.
type AspectUse struct {
	Aspect   int    `json:"aspect"` // its index in [Wiring.Aspects]
	Name     string `json:"name"`
	Pointcut string `json:"pointcut"`
	Priority int    `json:"priority"`
	Place    string `json:"place,omitempty"` // where it was given; empty for the retry
}

// Annotation is one annotation of a method. They are listed nearest first, and then those that are off.
type Annotation struct {
	Type     string `json:"type"`
	Settings string `json:"settings,omitempty"` // its own fields that are set, as in a tag: "topic=ledger"
	Place    string `json:"place"`              // of the mark or the call

	Configured []string `json:"configured,omitempty"` // where a deployment has set fields of it
	OffBy      string   `json:"offBy,omitempty"`      // where a deployment has turned it off; empty: it is on
}

// Attribute is one setting that holds for a method.
type Attribute struct {
	Key    string `json:"key"` // as in a tag: "maxAttempts", "breaker.window"
	Value  string `json:"value"`
	Origin string `json:"origin"` // where the value was written: "aliases.Retry, tag Gateway._"; "table" where it is the default
}

// Aspect is one aspect of a container.
type Aspect struct {
	Name     string   `json:"name"` // of its type or, of a func, of the func
	Pointcut string   `json:"pointcut"`
	Priority int      `json:"priority"`         // larger is further out
	Orders   []string `json:"orders,omitempty"` // what it has to be inside or outside of
	Service  int      `json:"service"`          // the index of the service that it is; [Nobody] where it comes with the library
	Place    string   `json:"place,omitempty"`  // where it was given; empty for the retry
}
