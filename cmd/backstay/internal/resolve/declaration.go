package resolve

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/backstay/backstay/cmd/backstay/internal/emit"
	"github.com/backstay/backstay/cmd/backstay/internal/load"
)

// checkDeclaration tells the compiler's errors in the declaration of an interface, and in those of what it embeds. Errors
// elsewhere do not count: code may well refer to what is not generated yet. It reports whether there were any.
func (r *resolver) checkDeclaration(w *wanted) (broken bool) {
	before := len(r.problems)
	defer func() { broken = len(r.problems) > before }()
	if r.checkType(w, w.obj, map[*types.TypeName]bool{}); len(r.problems) > before {
		return
	}
	iface, ok := w.obj.Type().Underlying().(*types.Interface)
	if !ok {
		return // which is said when the proxy is made
	}
	for m := range iface.Methods() {
		if !valid(m.Type()) {
			r.checkSignature(w, m)
		}
	}
	return
}

// checkSignature reports the errors behind a method whose declaration is right by itself: they lie in aliases that it uses.
func (r *resolver) checkSignature(w *wanted, m *types.Func) {
	before := len(r.problems)
	seen := map[*types.TypeName]bool{}
	holds(m.Type(), func(t types.Type) bool {
		if alias, ok := t.(*types.Alias); ok {
			r.checkType(w, alias.Origin().Obj(), seen)
		}
		return false
	})
	if len(r.problems) == before {
		r.problems = append(r.problems, &emit.Problem{Pos: r.graph.Fset.Position(m.Pos()), Interface: w.obj.Name(), Method: m.Name(),
			Text: "its signature holds a type that does not compile", Remedy: "mend that first; go vet says where it is"})
	}
}

func (r *resolver) checkType(w *wanted, obj *types.TypeName, seen map[*types.TypeName]bool) {
	if seen[obj] || obj.Pkg() == nil {
		return
	}
	seen[obj] = true
	pkg := r.pkg
	if obj.Pkg() != pkg.Types {
		if pkg = r.graph.Source(obj.Pkg()); pkg == nil {
			return // it comes from export data, so it has compiled
		}
	}
	if spec := specOf(pkg, obj.Pos()); spec != nil {
		for _, e := range pkg.TypeErrors {
			if e.Pos >= spec.Pos() && e.Pos < spec.End() && !e.Soft {
				r.problems = append(r.problems, &emit.Problem{Pos: r.graph.Fset.Position(e.Pos), Interface: w.obj.Name(),
					Method: methodAt(spec, e.Pos), Text: e.Msg, Remedy: "mend that first"})
			}
		}
	}
	t := obj.Type()
	if alias, ok := t.(*types.Alias); ok {
		r.follow(w, alias.Rhs(), seen)
		return
	}
	if iface, ok := t.Underlying().(*types.Interface); ok {
		for e := range iface.EmbeddedTypes() {
			r.follow(w, e, seen)
		}
	}
}

// follow checks the declaration behind an embedded or aliased type, if it has one.
func (r *resolver) follow(w *wanted, t types.Type, seen map[*types.TypeName]bool) {
	switch t := t.(type) {
	case *types.Named:
		r.checkType(w, t.Origin().Obj(), seen)
	case *types.Alias:
		r.checkType(w, t.Origin().Obj(), seen)
	}
}

// specOf is the declaration of the type whose name is at pos.
func specOf(pkg *load.Package, pos token.Pos) *ast.TypeSpec {
	for _, f := range pkg.Files {
		if pos < f.FileStart || pos >= f.FileEnd {
			continue
		}
		for _, decl := range f.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok || d.Tok != token.TYPE {
				continue
			}
			for _, spec := range d.Specs {
				if s := spec.(*ast.TypeSpec); s.Name.Pos() == pos {
					return s
				}
			}
		}
	}
	return nil
}

// methodAt is the method of an interface declaration that a position lies in, or empty.
func methodAt(spec *ast.TypeSpec, pos token.Pos) string {
	t, ok := spec.Type.(*ast.InterfaceType)
	if !ok {
		return ""
	}
	for _, f := range t.Methods.List {
		if pos >= f.Pos() && pos < f.End() && len(f.Names) > 0 {
			return f.Names[0].Name
		}
	}
	return ""
}
