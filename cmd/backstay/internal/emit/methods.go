package emit

import (
	"cmp"
	"go/token"
	"go/types"
	"slices"
)

// methodsOf are all methods of the interface, those that it writes out before those that it embeds, in the order of the
// source.
func methodsOf(fset *token.FileSet, t *types.Interface) []*types.Func {
	var all []*types.Func
	seen := map[string]bool{}
	var visit func(t *types.Interface)
	visit = func(t *types.Interface) {
		for _, m := range byLine(fset, t) {
			if !seen[m.Id()] {
				seen[m.Id()] = true
				all = append(all, m)
			}
		}
		for e := range t.EmbeddedTypes() {
			if i, ok := e.Underlying().(*types.Interface); ok {
				visit(i)
			}
		}
	}
	visit(t)
	return all
}

// byLine are the methods that the interface writes out, by line and then by name: export data knows no columns, and the
// order must not depend on where an interface has been read from.
func byLine(fset *token.FileSet, t *types.Interface) []*types.Func {
	methods := slices.Collect(t.ExplicitMethods()) // by name
	slices.SortStableFunc(methods, func(a, b *types.Func) int {
		return cmp.Compare(fset.Position(a.Pos()).Line, fset.Position(b.Pos()).Line)
	})
	return methods
}
