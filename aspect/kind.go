package aspect

// ProxyKind is how a woven value was made.
type ProxyKind uint8

// The kinds of proxies.
const (
	NoProxy   ProxyKind = iota // not woven
	RunTime                    // made at run time, of an interface or func type that needs no preparation; amd64 and arm64
	Generated                  // by go tool backstay: faster, and on every platform
)

// String is "not woven", "run-time" or "generated".
func (k ProxyKind) String() string {
	switch k {
	case RunTime:
		return "run-time"
	case Generated:
		return "generated"
	}
	return "not woven"
}

// KindOf tells how the woven value v was made; NoProxy when it is none.
func KindOf(v any) ProxyKind {
	if i := instanceOf(v); i != nil {
		return i.kind
	}
	return NoProxy
}

// Kind tells how the woven service is made; NoProxy when nothing is woven.
func (p *Plan) Kind() ProxyKind {
	switch {
	case p.generated != nil:
		return Generated
	case p.IsWoven():
		return RunTime
	}
	return NoProxy
}
