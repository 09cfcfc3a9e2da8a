package load

import (
	"context"
	"fmt"
	"go/parser"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/backstay/backstay/cmd/backstay/internal/source"
	"golang.org/x/tools/go/packages"
)

// findExports has the go command make the export data of what the targets import. The targets themselves are not built:
// they may well not compile. What others import of a package that has no export data is looked for in further rounds.
func (g *Graph) findExports(ctx context.Context) error {
	seen := map[string]bool{}
	var wanted []string
	var visit func(p *packages.Package)
	visit = func(p *packages.Package) {
		if seen[p.ID] {
			return
		}
		seen[p.ID] = true
		for _, path := range g.imports(p) {
			i := p.Imports[path]
			switch {
			case i == nil || i.PkgPath == "unsafe":
			case variant(i):
				visit(i)
			default:
				if _, asked := g.exports[i.ID]; !asked {
					g.exports[i.ID] = ""
					wanted = append(wanted, i.ID)
				}
			}
		}
	}
	for _, t := range g.query.Targets {
		if p := g.target(t); p != nil {
			visit(p)
		}
	}
	for _, path := range g.query.Paths {
		if p := g.byID[path]; p != nil && len(p.Errors) == 0 && path != "unsafe" {
			if _, asked := g.exports[path]; !asked {
				g.exports[path] = ""
				wanted = append(wanted, path)
			}
		}
	}
	for len(wanted) > 0 {
		round := wanted
		wanted = nil
		found, err := list(&packages.Config{
			Context:    ctx,
			Mode:       packages.NeedName | packages.NeedExportFile,
			BuildFlags: buildFlags(g.query.Tags),
			Overlay:    g.overlay,
		}, round)
		if err != nil {
			return err
		}
		for _, p := range found {
			if p.ExportFile != "" {
				g.exports[p.ID] = p.ExportFile
			}
		}
		for _, id := range round {
			if p := g.byID[id]; p != nil && g.exports[id] == "" {
				visit(p)
			}
		}
	}
	return nil
}

// variant reports that the package is built anew for a test, so that it has no export data that could be asked for.
func variant(p *packages.Package) bool { return strings.Contains(p.ID, " [") }

// imports are the import paths in the package's files.
func (g *Graph) imports(p *packages.Package) (paths []string) {
	for _, f := range g.files(p) {
		if f.tree == nil {
			continue
		}
		for _, i := range f.tree.Imports {
			if path, err := strconv.Unquote(i.Path.Value); err == nil {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// files are the package's parsed files, without those that the generator has written.
func (g *Graph) files(p *packages.Package) (all []parsedFile) {
	for _, name := range p.GoFiles {
		f, done := g.parsed[name]
		if !done {
			src, err := os.ReadFile(name)
			switch {
			case err != nil:
				f.err = err
			case !strings.HasPrefix(string(src), source.Header):
				f.tree, f.err = parser.ParseFile(g.Fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
			}
			g.parsed[name] = f
		}
		if f.tree != nil || f.err != nil {
			all = append(all, f)
		}
	}
	return all
}

// openExport opens the export data of the package with that import path.
func (g *Graph) openExport(path string) (io.ReadCloser, error) {
	file := g.exports[path]
	if file == "" {
		return nil, fmt.Errorf("package %s has no export data", path)
	}
	return os.Open(file)
}
