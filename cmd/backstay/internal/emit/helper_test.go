package emit_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/cmd/backstay/internal/emit"
)

const aspectPath = "github.com/backstay/backstay/aspect"

// exports are the files of export data of what the tests import, by import path.
var exports = sync.OnceValues(func() (map[string]string, error) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}={{.Export}}",
		aspectPath, "net/http", "io", "fmt", "context", "text/template", "html/template", "math/rand/v2").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		files[path] = file
	}
	return files, nil
})

// world type-checks packages that are written in a test.
type world struct {
	t        *testing.T
	fset     *token.FileSet
	packages map[string]*types.Package
	syntax   map[string][]*ast.File
	library  types.Importer
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, fset: token.NewFileSet(), packages: map[string]*types.Package{}, syntax: map[string][]*ast.File{}}
	w.library = importer.ForCompiler(w.fset, "gc", func(path string) (io.ReadCloser, error) {
		files, err := exports()
		if err != nil {
			return nil, err
		}
		return os.Open(files[path])
	})
	return w
}

func (w *world) Import(path string) (*types.Package, error) {
	if pkg := w.packages[path]; pkg != nil {
		return pkg, nil
	}
	return w.library.Import(path)
}

// add type-checks a package of files, each a source text.
func (w *world) add(path string, files ...string) *types.Package {
	var syntax []*ast.File
	for i, text := range files {
		file, err := parser.ParseFile(w.fset, fmt.Sprintf("/src/%s/%c.go", path, 'a'+i), text, parser.SkipObjectResolution)
		require.NoError(w.t, err)
		syntax = append(syntax, file)
	}
	return w.check(path, syntax)
}

func (w *world) check(path string, syntax []*ast.File) *types.Package {
	config := types.Config{Importer: w}
	pkg, err := config.Check(path, w.fset, syntax, nil)
	require.NoError(w.t, err)
	w.packages[path], w.syntax[path] = pkg, syntax
	return pkg
}

// file asks for proxies of the interfaces: names of the package, or of others with their path before a dot.
func (w *world) file(path string, interfaces ...string) *emit.File {
	f := &emit.File{Fset: w.fset, Pkg: w.packages[path], Name: "backstay_gen.go"}
	for _, name := range interfaces {
		pkg := f.Pkg
		if at := strings.LastIndex(name, "."); at > 0 {
			var err error
			pkg, err = w.Import(name[:at])
			require.NoError(w.t, err)
			name = name[at+1:]
		}
		obj, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		require.True(w.t, ok, name)
		f.Interfaces = append(f.Interfaces, emit.Interface{Obj: obj})
	}
	return f
}

// source generates the file, and type-checks the package with it.
func (w *world) source(f *emit.File) string {
	w.t.Helper()
	source, problems := f.Source()
	require.Empty(w.t, problems)
	file, err := parser.ParseFile(w.fset, "/src/"+f.Pkg.Path()+"/backstay_gen.go", source, parser.SkipObjectResolution)
	require.NoError(w.t, err)
	config := types.Config{Importer: w}
	_, err = config.Check(f.Pkg.Path(), w.fset, append(slices.Clone(w.syntax[f.Pkg.Path()]), file), nil)
	require.NoError(w.t, err, "%s", source)
	return string(source)
}

// problems are the messages of a file that is refused.
func (w *world) problems(f *emit.File) (all []string) {
	w.t.Helper()
	source, problems := f.Source()
	require.Nil(w.t, source)
	for _, p := range problems {
		all = append(all, p.Error())
	}
	return all
}
