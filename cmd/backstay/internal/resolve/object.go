package resolve

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/cmd/backstay/internal/load"
	"github.com/backstay/backstay/cmd/backstay/internal/plan"
)

// object is the type that is asked for, or nil after a problem.
func (r *resolver) object(ask plan.Ask) *types.TypeName {
	var obj types.Object
	if ask.Ref.Path == "" {
		obj = r.pkg.Types.Scope().Lookup(ask.Ref.Name)
		for _, scope := range r.scopes(ask) {
			if obj == nil {
				obj = scope.Lookup(ask.Ref.Name) // of a dot import
			}
		}
		if obj == nil {
			r.undefinedHere(ask)
			return nil
		}
	} else {
		pkg := r.packageOf(ask)
		if pkg == nil {
			return nil
		}
		if obj = pkg.Scope().Lookup(ask.Ref.Name); obj == nil {
			r.undefinedIn(ask, pkg)
			return nil
		}
	}
	name, ok := obj.(*types.TypeName)
	if !ok {
		r.problem(ask, fmt.Sprintf("%s is no type but a %s", obj.Name(), nounOf(obj)), "write the name of an interface")
		return nil
	}
	return name
}

func nounOf(obj types.Object) string {
	switch obj.(type) {
	case *types.Func:
		return "function"
	case *types.Const:
		return "constant"
	}
	return "variable"
}

// scopes are those of the files in which the names of an ask are looked up: the directive's, or all of them for what is
// asked for on the command line.
func (r *resolver) scopes(ask plan.Ask) (scopes []*types.Scope) {
	for _, f := range r.files(ask) {
		scopes = append(scopes, r.pkg.Info.Scopes[f])
	}
	return scopes
}

func (r *resolver) files(ask plan.Ask) []*ast.File {
	if ask.File == nil {
		return r.pkg.Files
	}
	if f := r.pkg.File(r.graph.Fset, ask.File.Path); f != nil {
		return []*ast.File{f}
	}
	return nil
}

// packageOf is the package that an ask names: by a name that the directive's file imports it under, else by its path.
func (r *resolver) packageOf(ask plan.Ask) *types.Package {
	path := ask.Ref.Path
	for _, scope := range r.scopes(ask) {
		if name, ok := scope.Lookup(path).(*types.PkgName); ok {
			return r.imported(ask, name.Imported().Path())
		}
	}
	if !strings.Contains(path, "/") && !r.exists(path) {
		text := fmt.Sprintf("no package is imported as %s", path)
		if ask.File != nil {
			text = fmt.Sprintf("%s imports no package as %s", ask.File.Base, path)
		}
		if near := annotation.NearMiss(path, r.importNames(ask)); near != "" {
			r.problem(ask, text, fmt.Sprintf("did you mean %s.%s?", near, ask.Ref.Name))
		} else {
			r.problem(ask, text, "write the interface's package with its whole import path")
		}
		return nil
	}
	return r.imported(ask, path)
}

// exists reports that the go command has found a package with that import path.
func (r *resolver) exists(path string) bool {
	p := r.graph.Find(path)
	return p != nil && p.Dir != ""
}

func (r *resolver) importNames(ask plan.Ask) (names []string) {
	for _, scope := range r.scopes(ask) {
		for _, name := range scope.Names() {
			if _, ok := scope.Lookup(name).(*types.PkgName); ok {
				names = append(names, name)
			}
		}
	}
	return names
}

// imported is the package with that import path, or nil after a problem.
func (r *resolver) imported(ask plan.Ask, path string) *types.Package {
	if errs := r.graph.ListErrors(path); len(errs) > 0 && !r.exists(path) {
		text, _, _ := strings.Cut(errs[0], ";") // the go command's own remedy is one of two
		r.problem(ask, text, "write an import path that exists, or first: go get "+path)
		return nil
	}
	if path != r.pkg.Path() && r.out.Kind != load.External && r.graph.Reaches(path, r.pkg.Path()) {
		r.problem(ask, fmt.Sprintf("package %s imports %s, so importing it there would make a cycle", path, r.pkg.Path()), "generate the proxy in a package that neither of them imports")
		return nil
	}
	pkg, err := r.graph.Import(r.pkg, path)
	if err != nil {
		r.problem(ask, err.Error(), "write an import path that exists, or first: go get "+path)
		return nil
	}
	return pkg
}

// interfacesOf are the names of a package's interfaces that others may write.
func interfacesOf(pkg *types.Package, exportedOnly bool) (names []string) {
	for _, name := range pkg.Scope().Names() {
		obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if ok && types.IsInterface(obj.Type()) && (token.IsExported(name) || !exportedOnly) {
			names = append(names, name)
		}
	}
	return names
}
