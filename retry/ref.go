package retry

// MethodRef names a protected method as it is written in code and messages.
type MethodRef struct {
	Class  string // the service's class; empty in a chain
	Name   string // the service's name, if it has one; in a chain what Named was given
	Method string // "Call" for a func service; empty in a chain
}

// String is Class@Method, or Class#name@Method; without @Method where none is known; in a chain the name.
func (r MethodRef) String() string {
	if r.Class == "" && r.Method == "" {
		return r.Name
	}
	s := r.Class
	if r.Name != "" {
		s += "#" + r.Name
	}
	if r.Method != "" {
		s += "@" + r.Method
	}
	return s
}

// Ref returns r; it makes every event name its method.
func (r MethodRef) Ref() MethodRef { return r }
