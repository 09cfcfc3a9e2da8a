package resolve

import "go/types"

// valid reports that a type holds nothing that does not compile.
func valid(t types.Type) bool {
	return !holds(t, func(t types.Type) bool { return t == types.Typ[types.Invalid] })
}

// closed reports that a type holds no type parameter.
func closed(t types.Type) bool {
	return !holds(t, func(t types.Type) bool { _, param := t.(*types.TypeParam); return param })
}

// holds reports whether a type, or one that it is composed of as it is written, is of the kind looked for. What named types
// are declared as does not count.
func holds(t types.Type, is func(types.Type) bool) bool {
	seen := map[types.Type]bool{}
	var walk func(types.Type) bool
	tuple := func(t *types.Tuple) bool {
		for v := range t.Variables() {
			if walk(v.Type()) {
				return true
			}
		}
		return false
	}
	list := func(l *types.TypeList) bool {
		for t := range l.Types() {
			if walk(t) {
				return true
			}
		}
		return false
	}
	walk = func(t types.Type) bool {
		if t == nil || seen[t] {
			return false
		}
		seen[t] = true
		if is(t) {
			return true
		}
		switch t := t.(type) {
		case *types.Alias:
			return list(t.TypeArgs()) || walk(types.Unalias(t))
		case *types.Named:
			return list(t.TypeArgs())
		case *types.Pointer:
			return walk(t.Elem())
		case *types.Slice:
			return walk(t.Elem())
		case *types.Array:
			return walk(t.Elem())
		case *types.Chan:
			return walk(t.Elem())
		case *types.Map:
			return walk(t.Key()) || walk(t.Elem())
		case *types.Signature:
			return tuple(t.Params()) || tuple(t.Results())
		case *types.Struct:
			for f := range t.Fields() {
				if walk(f.Type()) {
					return true
				}
			}
		case *types.Interface:
			for m := range t.ExplicitMethods() {
				if walk(m.Type()) {
					return true
				}
			}
			for e := range t.EmbeddedTypes() {
				if walk(e) {
					return true
				}
			}
		case *types.Union:
			for term := range t.Terms() {
				if walk(term.Type()) {
					return true
				}
			}
		}
		return false
	}
	return walk(t)
}
