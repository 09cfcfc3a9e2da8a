package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/token"
	"go/types"
	"path/filepath"

	"golang.org/x/tools/go/packages"
)

var goroot = filepath.Clean(build.Default.GOROOT) + string(filepath.Separator)

// Package is a package that was checked from source.
type Package struct {
	Types      *types.Package
	Info       *types.Info
	Files      []*ast.File
	TypeErrors []types.Error // in the order found
	ParseErrs  []error       // of its files

	meta *packages.Package
	kind Kind
}

// ErrNoPackage says that the directory has no such package.
var ErrNoPackage = errors.New("no package")

// Check checks a target from source, function bodies too.
func (g *Graph) Check(t Target) (*Package, error) {
	meta := g.target(t)
	if meta == nil {
		return nil, ErrNoPackage
	}
	if p := g.checked[meta.ID]; p != nil && p.Info != nil {
		return p, nil
	}
	p := g.check(meta, true)
	p.kind = t.Kind
	return p, nil
}

// Source is a package that was checked from source, be it a target or not; nil for those that come from export data.
func (g *Graph) Source(p *types.Package) *Package {
	for _, c := range g.checked {
		if c.Types == p {
			return c
		}
	}
	return nil
}

// Includes reports whether the package is built from that file.
func (p *Package) Includes(file string) bool { return included(p.meta, file) }

// Path is the import path of the package; of an external test package, that of the package under test.
func (p *Package) Path() string {
	if p.meta.ForTest != "" {
		return p.meta.ForTest
	}
	return p.meta.PkgPath
}

// ListErrors are the go command's errors about the package, as one line each.
func (p *Package) ListErrors() (all []string) {
	for _, e := range p.meta.Errors {
		all = append(all, oneLine(e.Msg))
	}
	return all
}

// File is the syntax of that file, or nil.
func (p *Package) File(fset *token.FileSet, name string) *ast.File {
	for _, f := range p.Files {
		if filepath.Base(fset.Position(f.Package).Filename) == filepath.Base(name) {
			return f
		}
	}
	return nil
}

// check checks a package from source. Whole ones are targets; of the others only the declarations count.
func (g *Graph) check(meta *packages.Package, whole bool) *Package {
	p := &Package{meta: meta}
	for _, f := range g.files(meta) {
		if f.err != nil {
			p.ParseErrs = append(p.ParseErrs, f.err)
		}
		if f.tree != nil {
			p.Files = append(p.Files, f.tree)
		}
	}
	if whole {
		p.Info = &types.Info{
			Uses:      map[*ast.Ident]types.Object{},
			Defs:      map[*ast.Ident]types.Object{},
			Instances: map[*ast.Ident]types.Instance{},
			Scopes:    map[ast.Node]*types.Scope{},
		}
	}
	config := &types.Config{
		Importer:         packageImporter(func(path string) (*types.Package, error) { return g.importInto(meta, path) }),
		IgnoreFuncBodies: !whole,
		FakeImportC:      true,
		Sizes:            types.SizesFor("gc", build.Default.GOARCH),
		Error: func(err error) {
			if e, ok := errors.AsType[types.Error](err); ok {
				p.TypeErrors = append(p.TypeErrors, e)
			}
		},
	}
	if meta.Module != nil && meta.Module.GoVersion != "" {
		config.GoVersion = "go" + meta.Module.GoVersion
	}
	p.Types = types.NewPackage(meta.PkgPath, meta.Name)
	g.checked[meta.ID] = p
	_ = types.NewChecker(config, g.Fset, p.Types, p.Info).Files(p.Files) // the errors are kept
	return p
}

type packageImporter func(path string) (*types.Package, error)

func (i packageImporter) Import(path string) (*types.Package, error) { return i(path) }

// importInto is what a package means by an import path.
func (g *Graph) importInto(meta *packages.Package, path string) (*types.Package, error) {
	p := meta.Imports[path]
	if p == nil {
		if p = g.byID[path]; p == nil {
			return nil, fmt.Errorf("could not import %s", path)
		}
	}
	return g.load(p)
}

// Import is the package with that import path, as the target imports it.
func (g *Graph) Import(into *Package, path string) (*types.Package, error) {
	if into.meta.PkgPath == path {
		return into.Types, nil
	}
	return g.importInto(into.meta, path)
}

// load is a package from export data or, where there is none, from source.
func (g *Graph) load(p *packages.Package) (*types.Package, error) {
	if p.PkgPath == "unsafe" {
		return types.Unsafe, nil
	}
	if g.exports[p.ID] != "" && p.Name != "main" { // a program's export data does not tell its path
		if t, err := g.compiled.Import(p.PkgPath); err == nil {
			return t, nil
		}
	}
	if done := g.checked[p.ID]; done != nil {
		return done.Types, nil
	}
	if len(p.GoFiles) == 0 {
		if len(p.Errors) > 0 {
			return nil, errors.New(oneLine(p.Errors[0].Msg))
		}
		return nil, fmt.Errorf("could not import %s: it has no Go files", p.PkgPath)
	}
	return g.check(p, false).Types, nil
}
