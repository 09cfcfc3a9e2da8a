package emit

import (
	"go/types"
	"slices"
)

// proxy is what is generated for one interface.
type proxy struct {
	Interface
	methods []*method // exported: they are woven
	plain   []*method // unexported: they go straight through
	proxyNames

	isOwn      bool   // the interface is of the file's package
	display    string // the interface as messages name it
	target     string // the interface as the file writes it, with its type parameters
	typeParams string // "[K comparable, V any]"; empty when it is not generic
	typeArgs   string // "[K, V]"
}

// method is one method of a proxy.
type method struct {
	*types.Func
	methodNames
	params  []string // how the proxy's method calls them, and the fields that keep them
	results []string // the fields that keep them
}

// newProxy sorts the methods of an interface.
func newProxy(s *scope, i Interface) *proxy {
	p := &proxy{Interface: i, display: i.Obj.Name(), isOwn: s.isOwn(i.Obj.Pkg())}
	if !p.isOwn {
		p.display = i.Obj.Pkg().Path() + "." + p.display
	}
	t, ok := i.Obj.Type().Underlying().(*types.Interface)
	if !ok {
		return p
	}
	for _, fn := range methodsOf(s.fset, t) {
		if fn.Exported() {
			p.methods = append(p.methods, &method{Func: fn})
		} else {
			p.plain = append(p.plain, &method{Func: fn})
		}
	}
	return p
}

func (p *proxy) allMethods() []*method { return slices.Concat(p.methods, p.plain) }

// typeParamsOf are those that the interface is declared with; it may be an alias.
func typeParamsOf(obj *types.TypeName) *types.TypeParamList {
	switch t := obj.Type().(type) {
	case *types.Alias:
		return t.TypeParams()
	case *types.Named:
		if t.Obj() == obj {
			return t.TypeParams()
		}
	}
	return nil
}

var errorType = types.Universe.Lookup("error").Type()

// lastResult is the type of the last result; nil when there is none.
func (m *method) lastResult() types.Type {
	results := m.Signature().Results()
	if results.Len() == 0 {
		return nil
	}
	return results.At(results.Len() - 1).Type()
}

// isFailing reports whether the last result is an error.
func (m *method) isFailing() bool {
	t := m.lastResult()
	return t != nil && types.Identical(t, errorType)
}

// mayFail reports whether the last result is of a type parameter, for which error may be given.
func (m *method) mayFail() bool {
	t := m.lastResult()
	if t == nil {
		return false
	}
	p, ok := types.Unalias(t).(*types.TypeParam)
	if !ok {
		return false
	}
	constraint := p.Constraint().Underlying().(*types.Interface)
	for method := range constraint.Methods() {
		if method.Name() != "Error" {
			return false
		}
	}
	return constraint.IsMethodSet() || types.Satisfies(errorType, constraint)
}
