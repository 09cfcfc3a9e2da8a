package annotation

// Layer is where the value of an attribute was written, from the farthest to the nearest.
type Layer uint8

// The layers.
const (
	LayerTable         Layer = iota // nowhere: the default of the table
	LayerContainer                  // in the defaults for all services
	LayerAnnotation                 // in the Defaults of an annotation
	LayerTag                        // by hand, in the tag of a mark
	LayerRegistration               // by hand, in code
	LayerConfiguration              // by whoever deploys it: Configure
)

// String is the layer in words.
func (l Layer) String() string {
	switch l {
	case LayerContainer:
		return "container defaults"
	case LayerAnnotation:
		return "annotation defaults"
	case LayerTag:
		return "tag"
	case LayerRegistration:
		return "registration"
	case LayerConfiguration:
		return "configuration"
	}
	return "table"
}

// Origin tells where the value of an attribute comes from. The zero value is the table.
type Origin struct {
	Layer      Layer
	Annotation string // the annotation that says so, or whose Defaults do
	Place      string // of the mark or the call
}

// String is the origin in words: "aliases.Retry, tag StripeGateway._".
func (o Origin) String() string {
	switch o.Layer {
	case LayerContainer, LayerConfiguration:
		return join(" ", o.Layer.String(), o.Place)
	case LayerAnnotation:
		return join(" ", "defaults of", o.Annotation)
	case LayerTag, LayerRegistration:
		return join(", ", o.Annotation, join(" ", o.Layer.String(), o.Place))
	}
	return o.Layer.String()
}

func join(by, a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + by + b
}
