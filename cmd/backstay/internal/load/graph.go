package load

import (
	"context"
	"go/ast"
	"go/importer"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"github.com/backstay/backstay/cmd/backstay/internal/source"
	"golang.org/x/tools/go/packages"
)

// Kind says which package of a directory is meant.
type Kind int8

// The packages of a directory.
const (
	Plain    Kind = iota // the package as others import it
	InTest               // the same with its _test.go files
	External             // its external test package
)

// Target is a package that gets a generated file.
type Target struct {
	Dir  string
	Kind Kind
}

// Query says what is to be loaded.
type Query struct {
	Tags    string   // build tags, comma-separated
	Targets []Target // packages to check
	Paths   []string // import paths of packages that need not be imported by them
	Listed  []string // the same, for those whose types are not needed
}

// Graph is what was loaded. It is used by one goroutine at a time.
type Graph struct {
	Fset *token.FileSet

	query    Query
	failed   []string // errors about directories that are no packages
	overlay  map[string][]byte
	byID     map[string]*packages.Package
	byDir    map[Target]*packages.Package
	parsed   map[string]parsedFile // of source files
	exports  map[string]string     // import path to file
	compiled types.Importer        // what export data says
	checked  map[string]*Package   // by ID
	reaches  map[[2]string]bool
}

type parsedFile struct {
	tree *ast.File
	err  error
}

// New asks the go command about all packages at once; checking them is left for [Graph.Check].
func New(ctx context.Context, q Query) (*Graph, error) {
	g := &Graph{Fset: token.NewFileSet(), query: q, parsed: map[string]parsedFile{}, exports: map[string]string{},
		checked: map[string]*Package{}, reaches: map[[2]string]bool{}}
	g.compiled = importer.ForCompiler(g.Fset, "gc", g.openExport)
	if err := g.list(ctx); err != nil {
		return nil, err
	}
	if g.hidden() {
		if err := g.list(ctx); err != nil {
			return nil, err
		}
	}
	return g, g.findExports(ctx)
}

// list asks for the import graph.
func (g *Graph) list(ctx context.Context) error {
	var patterns []string
	tests := false
	for _, t := range g.query.Targets {
		tests = tests || t.Kind != Plain
		if !slices.Contains(patterns, t.Dir) {
			patterns = append(patterns, t.Dir)
		}
	}
	g.failed, g.byID, g.byDir = nil, map[string]*packages.Package{}, map[Target]*packages.Package{}
	others := slices.Concat(g.query.Paths, g.query.Listed)
	if !tests {
		return g.listThese(ctx, slices.Concat(patterns, others), others, false)
	}
	if err := g.listThese(ctx, patterns, nil, true); err != nil || len(others) == 0 {
		return err
	}
	return g.listThese(ctx, others, others, false) // whose tests are nobody's business, and may lack their imports
}

// listThese asks for the import graph of what the patterns match. That others are not found is not an error of a target.
func (g *Graph) listThese(ctx context.Context, patterns, others []string, tests bool) error {
	roots, err := list(&packages.Config{
		Context: ctx,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedModule |
			packages.NeedForTest,
		BuildFlags: buildFlags(g.query.Tags),
		Tests:      tests,
		Overlay:    g.overlay,
	}, patterns)
	if err != nil {
		return err
	}
	for _, p := range roots {
		if p.Dir == "" && !slices.Contains(others, p.PkgPath) {
			for _, e := range p.Errors {
				g.failed = append(g.failed, oneLine(e.Msg))
			}
		}
	}
	packages.Visit(roots, nil, func(p *packages.Package) {
		if g.byID[p.ID] != nil {
			return
		}
		g.byID[p.ID] = p
		if kind, ok := kindOf(p); ok {
			g.byDir[Target{p.Dir, kind}] = p
		}
	})
	return nil
}

// kindOf tells what a package is; false: one that nobody means, such as a test's main package, or one that is only built
// anew for some other package's test.
func kindOf(p *packages.Package) (Kind, bool) {
	switch {
	case p.Dir == "" || strings.HasSuffix(p.ID, ".test"):
		return 0, false
	case p.ForTest == "":
		return Plain, true
	case p.PkgPath == p.ForTest:
		return InTest, true
	case p.PkgPath == p.ForTest+"_test":
		return External, true
	}
	return 0, false
}

// hidden looks, when the go command has found errors in packages that are worked on, for generated files that may be the
// cause, and reports whether there are some that were not hidden from it yet.
func (g *Graph) hidden() bool {
	broken, dirs := false, map[string]bool{}
	for _, p := range g.byID {
		broken = broken || len(p.Errors) > 0
		if workedOn(p) {
			dirs[p.Dir] = true
		}
	}
	if !broken {
		return false
	}
	g.overlay = map[string][]byte{}
	for _, t := range g.query.Targets {
		dirs[t.Dir] = true // packages that are too broken to be listed
	}
	for dir := range dirs {
		if d, err := source.ReadDir(dir); err == nil {
			d.Overlay(g.overlay)
		}
	}
	return len(g.overlay) > 0
}

// workedOn reports that the package's files lie where somebody writes them, and not among downloaded modules.
func workedOn(p *packages.Package) bool {
	switch {
	case p.Dir == "" || strings.HasPrefix(p.Dir, goroot):
		return false
	case p.Module == nil:
		return true
	}
	return p.Module.Main || p.Module.Replace != nil
}

// Failures are the go command's errors about targets that it has not found.
func (g *Graph) Failures() []string { return g.failed }

// target is the package that is meant, or nil. Without _test.go files of its own, a package is built for tests as it is.
func (g *Graph) target(t Target) *packages.Package {
	if p := g.byDir[t]; p != nil || t.Kind != InTest {
		return p
	}
	return g.byDir[Target{t.Dir, Plain}]
}

// Find is the package with that import path, as others import it, or nil.
func (g *Graph) Find(path string) *packages.Package { return g.byID[path] }

// ListErrors are the go command's errors about the package with that import path, as one line each.
func (g *Graph) ListErrors(path string) (all []string) {
	if p := g.byID[path]; p != nil {
		for _, e := range p.Errors {
			all = append(all, oneLine(e.Msg))
		}
	}
	return all
}

// included reports whether the package is built from that file.
func included(p *packages.Package, file string) bool {
	return slices.ContainsFunc(p.GoFiles, func(f string) bool { return filepath.Base(f) == filepath.Base(file) })
}
