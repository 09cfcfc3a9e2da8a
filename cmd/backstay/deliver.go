package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/backstay/backstay/cmd/backstay/internal/emit"
	"github.com/backstay/backstay/cmd/backstay/internal/plan"
	"github.com/backstay/backstay/cmd/backstay/internal/source"
)

// deliver writes a file if it differs from what is there, or reports that when it is only to check.
func (s *session) deliver(f generated) {
	path := f.Path()
	old, err := os.ReadFile(path)
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case err != nil && !missing:
		s.report(err)
	case !missing && !bytes.HasPrefix(old, []byte(source.Header)):
		s.file(path, "it was not written by go tool backstay, and is left alone", "move it away, or give the output another name with -o")
	case !missing && same(old, f.src):
	case !s.options.Check:
		if err := write(path, f.src); err != nil {
			s.report(err)
		}
	case missing:
		s.file(path, "missing", "run go generate "+packagePattern(path))
	default:
		s.file(path, "out of date", "run go generate "+packagePattern(path))
	}
}

// file adds a problem about a whole file.
func (s *session) file(path, text, remedy string) {
	s.problems = append(s.problems, &emit.Problem{Pos: token.Position{Filename: path}, Text: text, Remedy: remedy})
}

// same compares sources; version control may have changed the ends of lines.
func same(old, src []byte) bool {
	return bytes.Equal(bytes.ReplaceAll(old, []byte("\r\n"), []byte("\n")), src)
}

// packagePattern is the package of a file as one writes it for the go command in the current directory.
func packagePattern(file string) string {
	wd, err := os.Getwd()
	if err != nil {
		return "./..."
	}
	rel, err := filepath.Rel(wd, filepath.Dir(file))
	switch {
	case err != nil:
		return filepath.Dir(file)
	case rel == ".":
		return "."
	case !filepath.IsLocal(rel):
		return filepath.ToSlash(rel)
	}
	return "./" + filepath.ToSlash(rel)
}

// write puts the whole file in place at once, with the permissions that it had.
func write(path string, src []byte) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	// The go command ignores files with a dot in front.
	temp := filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d", filepath.Base(path), rand.Uint64()))
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(src)
	if info, bad := os.Stat(path); bad == nil {
		err = errors.Join(err, f.Chmod(info.Mode().Perm()))
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(temp, path)
	}
	if err != nil {
		os.Remove(temp)
	}
	return err
}

// orphans reports the files of earlier runs that no directive asks for. They are left for the user to delete.
func (s *session) orphans(p *plan.Plan) {
	if len(p.Problems) > 0 {
		return // directives that cannot be read may ask for them
	}
	for _, f := range p.Dir.Files {
		if !f.Generated || p.Expected[f.Base] {
			continue
		}
		found := &emit.Problem{Pos: token.Position{Filename: f.Path}, Text: "no directive asks for it", Remedy: "delete it"}
		if s.options.Check {
			s.problems = append(s.problems, found)
		} else {
			s.notes = append(s.notes, found)
		}
	}
}
