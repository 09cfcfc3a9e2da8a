package resolve

import (
	"cmp"
	"fmt"
	"go/build/constraint"
	"go/types"
	"path/filepath"
	"slices"

	"github.com/backstay/backstay/cmd/backstay/internal/emit"
	"github.com/backstay/backstay/cmd/backstay/internal/load"
	"github.com/backstay/backstay/cmd/backstay/internal/plan"
	"github.com/backstay/backstay/cmd/backstay/internal/source"
)

// resolver resolves one output.
type resolver struct {
	graph    *load.Graph
	pkg      *load.Package
	out      *plan.Output
	imports  int // how many names were made for packages in type arguments
	problems []*emit.Problem
}

// wanted is an interface that is asked for, once or more.
type wanted struct {
	obj        *types.TypeName
	first      plan.Ask
	instances  [][]types.Type
	constraint string
}

// File is what an output is to be made from, and all problems; with these, it lacks the interfaces that have some. Pkg is
// the package that the output is of; taken are names that other files of the package will declare.
func File(g *load.Graph, pkg *load.Package, out *plan.Output, taken map[string]bool) (*emit.File, []*emit.Problem) {
	r := &resolver{graph: g, pkg: pkg, out: out}
	all := r.interfaces()
	built := r.constraint(all)
	all = slices.DeleteFunc(all, r.checkDeclaration) // one problem is not told twice
	f := &emit.File{
		Fset:       g.Fset,
		Pkg:        pkg.Types,
		Name:       out.Name,
		Constraint: built,
		Replaces:   map[string]bool{},
		Taken:      r.taken(taken),
		CanImport:  func(path string) bool { return g.CanImport(pkg, path) },
	}
	if old := out.Dir.File(out.Name); old != nil && old.Generated {
		f.Replaces = old.Declared()
	}
	for _, w := range all {
		r.addUsed(w)
		f.Interfaces = append(f.Interfaces, emit.Interface{Obj: w.obj, Instances: inOrder(w.instances), Pos: w.first.Pos})
	}
	return f, r.problems
}

// interfaces are those asked for, by name, each once.
func (r *resolver) interfaces() (all []*wanted) {
	byObject := map[*types.TypeName]*wanted{}
	for _, ask := range r.out.Asks {
		obj := r.object(ask)
		if obj == nil {
			continue
		}
		w := byObject[obj]
		if w == nil {
			w = &wanted{obj: obj, first: ask, constraint: r.constraintOf(obj, ask)}
			byObject[obj] = w
			all = append(all, w)
		}
		if ask.Ref.Args != "" {
			if args := r.arguments(ask, obj); args != nil {
				w.instances = append(w.instances, args)
			}
		}
	}
	slices.SortFunc(all, func(a, b *wanted) int {
		return cmp.Or(cmp.Compare(a.obj.Name(), b.obj.Name()), cmp.Compare(a.obj.Pkg().Path(), b.obj.Pkg().Path()))
	})
	return all
}

func (r *resolver) problem(ask plan.Ask, text, remedy string) {
	r.problems = append(r.problems, &emit.Problem{Pos: ask.Pos, Interface: ask.Ref.Text, Text: text, Remedy: remedy})
}

// constraintOf is what the interface's proxy is built under: what its own file is built under, and what the file with the
// directive is, unless that is for go generate alone.
func (r *resolver) constraintOf(obj *types.TypeName, ask plan.Ask) string {
	var both constraint.Expr
	if obj.Pkg() == r.pkg.Types {
		if f := r.out.Dir.File(filepath.Base(r.graph.Fset.PositionFor(obj.Pos(), false).Filename)); f != nil {
			both = f.Constraint
		}
	}
	if f := ask.File; f != nil && !f.DirectivesOnly() {
		both = source.And(both, f.Constraint)
	}
	return source.ConstraintText(both)
}

// constraint is what the whole output is built under. One file cannot be built for some interfaces and not for others.
func (r *resolver) constraint(all []*wanted) string {
	if len(all) == 0 {
		return ""
	}
	first := all[0]
	for _, w := range all[1:] {
		if w.constraint != first.constraint {
			odd := cmp.Or(w.constraint, first.constraint)
			r.problem(w.first, fmt.Sprintf("it is built %s, but %s, which goes to %s too, %s", under(w.constraint), first.obj.Name(), r.out.Name, under(first.constraint)),
				"give the directive of one of them a file of its own, for example -o "+plan.OwnName(r.out.Name, odd))
		}
	}
	return first.constraint
}

func under(constraint string) string {
	if constraint == "" {
		return "always"
	}
	return "under " + constraint
}

// taken are the names that the output must not declare, though the checked package does not show them.
func (r *resolver) taken(others map[string]bool) map[string]bool {
	taken := map[string]bool{}
	for name := range others {
		taken[name] = true
	}
	for _, f := range r.out.Dir.Files {
		if f.Generated || f.Ignored() || r.pkg.Includes(f.Path) || f.External(r.out.Dir.Package()) != (r.out.Kind == load.External) {
			continue
		}
		for name := range f.Declared() {
			taken[name] = true
		}
	}
	return taken
}
