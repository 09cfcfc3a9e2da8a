package emit

import (
	"go/token"
	"go/types"
	"strings"
)

// scope is what the generated file can name: of its own package, of others, and of the language.
type scope struct {
	fset      *token.FileSet
	pkg       *types.Package
	declared  names // at package level, but for what the file being replaced declares
	imports   *imports
	canImport func(path string) bool
	cycles    map[*types.Package]bool // whether a package imports pkg
}

func (f *File) scope() *scope {
	s := &scope{fset: f.Fset, pkg: f.Pkg, declared: names{}, imports: newImports(f.Pkg.Path()), canImport: f.CanImport, cycles: map[*types.Package]bool{}}
	for _, name := range f.Pkg.Scope().Names() {
		if !f.Replaces[name] {
			s.declared.add(name)
		}
	}
	for name := range f.Taken {
		s.declared.add(name)
	}
	return s
}

// fileNames are what the files of the package import, by name or by dot: no package-level name may be one of them.
func (s *scope) fileNames() (all []string) {
	for i := range s.pkg.Scope().NumChildren() {
		all = append(all, s.pkg.Scope().Child(i).Names()...)
	}
	return all
}

// isOwn reports whether pkg is the package that the file is of.
func (s *scope) isOwn(pkg *types.Package) bool { return pkg == nil || pkg.Path() == s.pkg.Path() }

// obstacle is why the generated file cannot name something.
type obstacle struct {
	what   string         // "the type bolt.options"
	reason string         // goes on from "it" or "which"
	pkg    *types.Package // where the thing is of; nil: that does not help
	closed bool           // only pkg can name it, and not what imports pkg
	remedy string         // empty: it depends on the interface
}

func unexported(what string, pkg *types.Package) *obstacle {
	return &obstacle{what: what, reason: "is unexported, so only package " + pkg.Path() + " can name it", pkg: pkg, closed: true}
}

// obstacle is nil when the file can name the declared type, which may be an alias.
func (s *scope) obstacle(obj *types.TypeName) *obstacle {
	pkg := obj.Pkg()
	if pkg == nil {
		_, o := s.predeclared(obj.Name())
		return o
	}
	what := "the type " + pkg.Name() + "." + obj.Name()
	if parent := obj.Parent(); parent != nil && parent != pkg.Scope() {
		return &obstacle{what: what, reason: "is declared inside a function, so nothing outside of it can name it", remedy: "declare it at package level"}
	}
	if cgo, ok := strings.CutPrefix(obj.Name(), "_Ctype_"); ok {
		return &obstacle{what: "the type C." + cgo, reason: "is cgo's, which generated files do without", remedy: "use a Go type in the interface"}
	}
	if s.isOwn(pkg) {
		return nil
	}
	if !obj.Exported() {
		return unexported(what, pkg)
	}
	reason := "is of package " + pkg.Path()
	switch {
	case pkg.Name() == "main":
		reason += ", a main package, which no other can import"
	case s.isCycle(pkg):
		reason += ", which imports this one, so that this one cannot import it"
	case s.canImport != nil && !s.canImport(pkg.Path()):
		reason += ", which this one may not import"
	default:
		return nil
	}
	return &obstacle{what: what, reason: reason, pkg: pkg}
}

// isCycle reports whether pkg imports the package that the file is of, itself or by others.
func (s *scope) isCycle(pkg *types.Package) bool {
	if s.isOwn(pkg) {
		return true
	}
	if known, ok := s.cycles[pkg]; ok {
		return known
	}
	s.cycles[pkg] = false
	for _, imported := range pkg.Imports() {
		if s.isCycle(imported) {
			s.cycles[pkg] = true
		}
	}
	return s.cycles[pkg]
}

// qualified is the name of a declared type that has no obstacle.
func (s *scope) qualified(obj *types.TypeName) string {
	if s.isOwn(obj.Pkg()) {
		return obj.Name()
	}
	return s.imports.use(obj.Pkg()) + "." + obj.Name()
}

// synonyms are other ways to write a predeclared type.
var synonyms = map[string]string{"any": "interface{}", "byte": "uint8", "rune": "int32"}

// predeclared is how the file has to write a predeclared name, which the package may have declared itself.
func (s *scope) predeclared(name string) (string, *obstacle) {
	if !s.declared[name] {
		return name, nil
	}
	if other, ok := synonyms[name]; ok && !s.declared[other] {
		return other, nil
	}
	return name, &obstacle{
		what: "the predeclared " + name, reason: "is hidden by a declaration of this package",
		remedy: "rename that declaration, or put the directive into another package",
	}
}
