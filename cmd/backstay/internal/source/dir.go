// Package source reads the files of a package's directory as far as that goes without types and without the go command:
// directives, constraints, names, and which files the generator has written.
package source

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Dir is a directory with Go files.
type Dir struct {
	Path  string
	Files []*File // sorted by name
}

// ReadDir reads all Go files in a directory that belong to a package under some constraint.
func ReadDir(path string) (*Dir, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	d := &Dir{Path: path}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
			continue
		}
		full := filepath.Join(path, name)
		if info, err := os.Stat(full); err != nil || info.IsDir() {
			continue // a broken link is nothing to the go command either
		}
		f, err := readFile(full)
		if err != nil {
			return nil, err
		}
		d.Files = append(d.Files, f)
	}
	return d, nil
}

// File is the file with that base name, or nil.
func (d *Dir) File(base string) *File {
	for _, f := range d.Files {
		if f.Base == base {
			return f
		}
	}
	return nil
}

// Package is the name of the directory's package, as most of the files say that the generator has not written; files
// that are never built (go:build ignore) do not count where there are others.
func (d *Dir) Package() string {
	count := map[string]int{}
	best := ""
	for _, f := range d.Files {
		if f.Generated || f.Package == "" {
			continue
		}
		name := f.Package
		if f.Test {
			name = strings.TrimSuffix(name, "_test")
		}
		if count[name] += 2; f.Ignored() {
			count[name] -= 2
		}
		if best == "" || count[name] > count[best] {
			best = name
		}
	}
	if best == "" && len(d.Files) > 0 {
		best = strings.TrimSuffix(d.Files[0].Package, "_test")
	}
	return best
}

// Declaring are the files, not written by the generator, that declare a type of that name.
func (d *Dir) Declaring(name string) (found []*File) {
	for _, f := range d.Files {
		if !f.Generated && slices.Contains(f.Types(), name) {
			found = append(found, f)
		}
	}
	return found
}

// Overlay says for each file that the generator has written what the go command is to see instead: a package clause, so
// that nothing in it can be broken.
func (d *Dir) Overlay(into map[string][]byte) {
	pkg := d.Package()
	for _, f := range d.Files {
		if f.Generated {
			into[f.Path] = f.blank(pkg)
		}
	}
}
