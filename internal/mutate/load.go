package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// sourcePackage is the package to mutate, parsed and type-checked.
type sourcePackage struct {
	path  string // import path
	dir   string
	root  string // of the module; reports name files relative to it
	fset  *token.FileSet
	files []*sourceFile // in order of name, which makes the numbering of mutants deterministic
	types *types.Package
	info  *types.Info
}

// sourceFile is one file of the package. Mutants are edits of its text rather than of its tree: lines, comments and
// directives stay where they are.
type sourceFile struct {
	path    string
	text    []byte
	syntax  *ast.File
	imports map[string]string // the name by which the file knows an import path
}

// listed is what this program reads of the output of go list.
type listed struct {
	ImportPath   string
	Dir          string
	GoFiles      []string
	TestGoFiles  []string
	XTestGoFiles []string
	Export       string
	DepOnly      bool
	Module       *struct{ Dir, Path string }
}

// list runs go list.
func list(ctx context.Context, args ...string) ([]listed, error) {
	const fields = "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles,Export,DepOnly,Module"
	out, err := goCommand(ctx, append([]string{"list", fields}, args...)...)
	if err != nil {
		return nil, err
	}
	var all []listed
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := d.Decode(&l); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
}

// goCommand runs the go tool and returns what it prints; the error has what it complains of.
func goCommand(ctx context.Context, args ...string) ([]byte, error) {
	var out, complaint bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Stdout, cmd.Stderr = &out, &complaint
	endWithContext(cmd)
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, complaint.Bytes())
	}
	return out.Bytes(), nil
}

// load reads the package that the pattern names. Types of what it imports come from the compiler's export data, which
// takes no second reading of the standard library.
func load(ctx context.Context, pattern string) (*sourcePackage, error) {
	all, err := list(ctx, "-export", "-deps", pattern)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	var target *listed
	for i, l := range all {
		exports[l.ImportPath] = l.Export
		if l.DepOnly {
			continue
		}
		if target != nil {
			return nil, fmt.Errorf("%q names several packages; name one", pattern)
		}
		target = &all[i]
	}
	if target == nil || target.Module == nil || len(target.GoFiles) == 0 {
		return nil, fmt.Errorf("%q names no package of a module with Go files", pattern)
	}
	p := &sourcePackage{path: target.ImportPath, dir: target.Dir, root: target.Module.Dir, fset: token.NewFileSet()}
	if err := p.parse(target.GoFiles); err != nil {
		return nil, err
	}
	return p, p.check(exports)
}

func (p *sourcePackage) parse(names []string) error {
	for _, name := range names { // go list sorts them
		f := &sourceFile{path: filepath.Join(p.dir, name)}
		var err error
		if f.text, err = os.ReadFile(f.path); err != nil {
			return err
		}
		if f.syntax, err = parser.ParseFile(p.fset, f.path, f.text, parser.ParseComments|parser.SkipObjectResolution); err != nil {
			return err
		}
		p.files = append(p.files, f)
	}
	return nil
}

func (p *sourcePackage) check(exports map[string]string) error {
	open := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	config := types.Config{Importer: importer.ForCompiler(p.fset, "gc", open)}
	p.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Defs:  map[*ast.Ident]types.Object{},
		Uses:  map[*ast.Ident]types.Object{},
	}
	trees := make([]*ast.File, len(p.files))
	for i, f := range p.files {
		trees[i] = f.syntax
	}
	var err error
	if p.types, err = config.Check(p.path, p.fset, trees, p.info); err != nil {
		return err
	}
	known := map[string]string{}
	for _, imported := range p.types.Imports() {
		known[imported.Path()] = imported.Name()
	}
	for _, f := range p.files {
		f.imports = map[string]string{}
		for _, spec := range f.syntax.Imports {
			path := strings.Trim(spec.Path.Value, "`\"")
			f.imports[path] = known[path]
			if spec.Name != nil {
				f.imports[path] = spec.Name.Name
			}
		}
	}
	return nil
}

// relative is a path as reports write it.
func (p *sourcePackage) relative(path string) string {
	if short, err := filepath.Rel(p.root, path); err == nil {
		return filepath.ToSlash(short)
	}
	return path
}
