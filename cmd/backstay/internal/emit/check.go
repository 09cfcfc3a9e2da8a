package emit

import (
	"fmt"
	"go/build"
	"go/token"
	"go/types"
	"iter"
	"path/filepath"
	"strings"
)

// check goes through all that the file would have to name for the proxy, and returns what is in the way. Packages that it
// needs are imported from then on.
func (f *File) check(w *typeWriter, p *proxy) (problems []*Problem) {
	report := func(m *method, text, remedy string) {
		problem := &Problem{Pos: f.place(w.scope, p, m), Interface: p.display, Text: text, Remedy: remedy}
		if m != nil {
			problem.Method = m.Name()
		}
		problems = append(problems, problem)
	}
	if o := w.scope.obstacle(p.Obj); o != nil {
		report(nil, "it "+o.reason, f.remedy(p, o, "wrap an interface of your own that has the same methods"))
		return problems
	}
	if text, remedy := whyNot(p); text != "" {
		report(nil, text, remedy)
		return problems
	}
	w.scope.qualified(p.Obj)
	for t := range typeParamsOf(p.Obj).TypeParams() {
		w.refuse = func(o *obstacle) {
			report(nil, fmt.Sprintf("the constraint of %s uses %s, which %s", t.Obj().Name(), o.what, o.reason),
				f.remedy(p, o, "wrap an interface of your own that has the same methods"))
		}
		w.constraint(t.Constraint())
	}
	for _, m := range p.allMethods() {
		if !m.Exported() && !w.scope.isOwn(m.Pkg()) {
			o := unexported("", m.Pkg())
			report(m, "it is unexported, so only package "+m.Pkg().Path()+" can implement the interface",
				f.remedy(p, o, "wrap an interface of your own that has the exported methods"))
			continue
		}
		for kind, t := range m.values() {
			w.refuse = func(o *obstacle) {
				report(m, fmt.Sprintf("%s uses %s, which %s", kind, o.what, o.reason),
					f.remedy(p, o, "wrap an interface of your own that has the other methods"))
			}
			w.text(t)
		}
	}
	return problems
}

// place is where the user can change something: where the method is declared, when that is in the package; else where the
// interface is, or where its proxy is asked for.
func (f *File) place(s *scope, p *proxy, m *method) token.Position {
	switch {
	case m != nil && s.isOwn(m.Pkg()):
		return f.Fset.Position(m.Pos())
	case m != nil && p.isOwn, p.Pos.Filename == "":
		return f.Fset.Position(p.Obj.Pos())
	}
	return p.Pos
}

// values are the types of all parameters and results, and what to call them: by name where they have one.
func (m *method) values() iter.Seq2[string, types.Type] {
	return func(yield func(string, types.Type) bool) {
		kind := "parameter"
		for _, t := range []*types.Tuple{m.Signature().Params(), m.Signature().Results()} {
			for i := range t.Len() {
				name := fmt.Sprintf("%s %d", kind, i+1)
				switch v := t.At(i); {
				case v.Name() != "" && v.Name() != "_":
					name = kind + " " + v.Name()
				case t.Len() == 1:
					name = "the " + kind
				}
				if !yield(name, t.At(i).Type()) {
					return
				}
			}
			kind = "result"
		}
	}
}

// needed are the predeclared names that generated code cannot do without.
var needed = []string{"any", "error", "int", "nil", "string"}

// checkPackage returns what makes it impossible to generate anything into the package.
func (f *File) checkPackage(s *scope) (problems []*Problem) {
	for _, name := range needed {
		if _, o := s.predeclared(name); o != nil {
			problem := &Problem{Text: o.what + " " + o.reason + ", and generated code needs it", Remedy: o.remedy}
			if obj := f.Pkg.Scope().Lookup(name); obj != nil {
				problem.Pos = f.Fset.Position(obj.Pos())
			}
			problems = append(problems, problem)
		}
	}
	if f.CanImport != nil && !f.CanImport(aspectPath) {
		problems = append(problems, &Problem{
			Text: "package " + f.Pkg.Path() + " may not import " + aspectPath + ", which generated code needs", Remedy: "put the directive into another package",
		})
	}
	return problems
}

// whyNot is what speaks against a proxy of the interface itself; empty when nothing does.
func whyNot(p *proxy) (text, remedy string) {
	t, ok := p.Obj.Type().Underlying().(*types.Interface)
	switch {
	case !ok:
		return "it is " + kindOf(p.Obj.Type()) + ", not an interface", "name an interface"
	case !t.IsMethodSet():
		return "it is a constraint, not an interface of values", "name an interface that has methods only"
	case t.NumMethods() == 0:
		return "it has no methods, so there is nothing to weave", "name an interface that has some"
	case len(p.methods) == 0:
		return "it has no exported methods, so there is nothing to weave", "name an interface that has some"
	}
	return "", ""
}

// kindOf says what the type is.
func kindOf(t types.Type) string {
	switch t.Underlying().(type) {
	case *types.Struct:
		return "a struct"
	case *types.Signature:
		return "a func"
	case *types.Map:
		return "a map"
	case *types.Slice:
		return "a slice"
	case *types.Array:
		return "an array"
	case *types.Chan:
		return "a channel"
	case *types.Pointer:
		return "a pointer"
	}
	return "a basic type"
}

// remedy says what to do about the obstacle, where the user can do without what has it.
func (f *File) remedy(p *proxy, o *obstacle, without string) string {
	switch pkg := p.Obj.Pkg(); {
	case o.remedy != "":
		return o.remedy
	case !p.isOwn && !f.isStandard(p.Obj) && o.pkg != nil && (!o.closed || o.pkg.Path() == pkg.Path()):
		return "put the directive into package " + pkg.Path() + ", or " + without
	}
	return without
}

// isStandard reports whether the type is of the standard library, where nobody can put a directive. Export data keeps the
// name of the root's variable.
func (f *File) isStandard(obj *types.TypeName) bool {
	file := filepath.ToSlash(f.Fset.Position(obj.Pos()).Filename)
	return strings.HasPrefix(file, "$GOROOT/") || strings.HasPrefix(file, filepath.ToSlash(build.Default.GOROOT)+"/src/")
}
