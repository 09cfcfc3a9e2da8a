package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
)

// schema is the mutated copy of a package: files in a directory for temporary files, and an overlay by which the go tool
// takes them for the real ones.
type schema struct {
	pkg     *sourcePackage
	dir     string
	overlay string
	tracing string    // the overlay of binaries that write down which mutants they reach
	mutants []*mutant // those that compile
	broken  []*mutant // those that do not
}

// mostBuilds bounds how often the package is compiled; each time, all mutants that the compiler complains of are left out.
const mostBuilds = 50

// newSchema writes and compiles the mutated package. Mutants that do not compile are left out and kept in broken.
func newSchema(ctx context.Context, pkg *sourcePackage, mutants []*mutant, dir string) (*schema, error) {
	s := &schema{pkg: pkg, dir: dir, mutants: mutants,
		overlay: filepath.Join(dir, "overlay.json"), tracing: filepath.Join(dir, "tracing.json")}
	var err error
	for range mostBuilds {
		files, writeErr := s.write()
		if writeErr != nil {
			return nil, writeErr
		}
		// All complaints are wanted, not the first ten.
		_, err = goCommand(ctx, "build", "-overlay", s.overlay, "-gcflags=-e", "-o", os.DevNull, pkg.path)
		if err == nil {
			return s, nil
		}
		if ctx.Err() != nil || !s.leaveOut(files, []byte(err.Error())) {
			break
		}
	}
	return nil, fmt.Errorf("the mutated package does not compile: %w", err)
}

// write puts the mutated files into the directory.
func (s *schema) write() (map[string]rendered, error) {
	files := map[string]rendered{}
	replace := map[string]string{}
	perFile := map[*sourceFile][]*mutant{}
	for _, m := range s.mutants {
		perFile[m.file] = append(perFile[m.file], m)
	}
	for _, f := range s.pkg.files {
		r := render(f, perFile[f])
		files[filepath.Base(f.path)] = r
		replace[f.path] = filepath.Join(s.dir, filepath.Base(f.path))
		if err := os.WriteFile(replace[f.path], r.text, 0o600); err != nil {
			return nil, err
		}
	}
	for overlay, tracing := range map[string]bool{s.overlay: false, s.tracing: true} {
		copied := overlay + ".go"
		replace[filepath.Join(s.pkg.dir, helpersName)] = copied
		if err := os.WriteFile(copied, helpers(s.pkg.types.Name(), tracing), 0o600); err != nil {
			return nil, err
		}
		text, err := json.Marshal(map[string]any{"Replace": replace})
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(overlay, text, 0o600); err != nil {
			return nil, err
		}
	}
	return files, nil
}

var complaintLine = regexp.MustCompile(`(?m)([^\s:]+\.go):(\d+):(\d+): `)

// leaveOut takes the mutants out that the compiler's complaints are about, and reports whether there are any.
func (s *schema) leaveOut(files map[string]rendered, complaints []byte) bool {
	guilty := map[*mutant]bool{}
	for _, c := range complaintLine.FindAllSubmatch(bytes.TrimSpace(complaints), -1) {
		line, _ := strconv.Atoi(string(c[2]))
		column, _ := strconv.Atoi(string(c[3]))
		for _, m := range files[filepath.Base(string(c[1]))].blame(line, column) {
			guilty[m] = true
		}
	}
	var kept []*mutant
	for _, m := range s.mutants {
		if guilty[m] {
			s.broken = append(s.broken, m)
		} else {
			kept = append(kept, m)
		}
	}
	s.mutants = kept
	return len(guilty) > 0
}

// compileTests compiles the tests of the packages that the patterns name, over the mutated package. Packages without
// tests are left out.
func (s *schema) compileTests(ctx context.Context, patterns []string) ([]*testBinary, error) {
	var binaries []*testBinary
	for _, pattern := range patterns {
		packages, err := list(ctx, pattern)
		if err != nil {
			return nil, err
		}
		for _, p := range packages {
			if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 {
				continue
			}
			path := filepath.Join(s.dir, fmt.Sprintf("%d.test", len(binaries)))
			b := &testBinary{pkg: p.ImportPath, path: path, tracing: path + ".tracing", dir: p.Dir}
			for path, overlay := range map[string]string{b.path: s.overlay, b.tracing: s.tracing} {
				if _, err := goCommand(ctx, "test", "-c", "-overlay", overlay, "-o", path, p.ImportPath); err != nil {
					return nil, err
				}
			}
			binaries = append(binaries, b)
		}
	}
	if len(binaries) == 0 {
		return nil, fmt.Errorf("no package of %q has tests", patterns)
	}
	return binaries, nil
}
