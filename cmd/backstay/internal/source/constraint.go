package source

import (
	"bufio"
	"bytes"
	"go/build"
	"go/build/constraint"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// And is the constraint that both hold; nil is none.
func And(a, b constraint.Expr) constraint.Expr {
	switch {
	case a == nil:
		return b
	case b == nil, a.String() == b.String():
		return a
	}
	return &constraint.AndExpr{X: a, Y: b}
}

// fromComments is the //go:build line above the package clause, or nil.
func fromComments(src []byte) constraint.Expr {
	inBlock := false
	for lines := bufio.NewScanner(bytes.NewReader(src)); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		switch {
		case inBlock:
			_, rest, ended := strings.Cut(line, "*/")
			if inBlock = !ended; ended && strings.TrimSpace(rest) != "" {
				return nil
			}
		case constraint.IsGoBuild(line):
			if x, err := constraint.Parse(line); err == nil {
				return x
			}
			return nil
		case strings.HasPrefix(line, "/*"):
			inBlock = !strings.Contains(line, "*/")
		case line != "" && !strings.HasPrefix(line, "//"):
			return nil
		}
	}
	return nil
}

// fromName is the constraint in a file's name, like x_linux_arm64.go, or nil.
func fromName(base string) constraint.Expr {
	name, _, _ := strings.Cut(base, ".")
	name = strings.TrimSuffix(name, "_test")
	_, name, ok := strings.Cut(name, "_")
	if !ok {
		return nil
	}
	parts := strings.Split(name, "_")
	last := parts[len(parts)-1]
	if len(parts) > 1 {
		if system := parts[len(parts)-2]; kindOf(system) == isSystem && kindOf(last) == isArchitecture {
			return And(&constraint.TagExpr{Tag: system}, &constraint.TagExpr{Tag: last})
		}
	}
	if kindOf(last) != isOther {
		return &constraint.TagExpr{Tag: last}
	}
	return nil
}

type wordKind int8

const (
	isOther wordKind = iota
	isSystem
	isArchitecture
)

// kindOf tells operating systems and architectures by what go/build makes of them in file names: its lists of them are
// not public. In front of an architecture only a system counts.
func kindOf(word string) wordKind {
	counts := func(base string) bool {
		c := build.Context{GOOS: "none", GOARCH: "amd64", Compiler: "gc", OpenFile: func(string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("package p\n")), nil
		}}
		ok, err := c.MatchFile("", base)
		return err == nil && !ok
	}
	switch {
	case word == "":
		return isOther
	case counts("x_" + word + "_amd64.go"):
		return isSystem
	case word == "amd64" || counts("x_"+word+".go"):
		return isArchitecture
	}
	return isOther
}

// Built reports whether the file is part of a build with the given tags, comma-separated, on this system, or is one that
// go generate reads for its directives alone.
func (f *File) Built(tags string) bool {
	c := build.Default
	c.BuildTags = append(slices.Clone(c.BuildTags), "generate")
	c.BuildTags = append(c.BuildTags, environmentTags()...)
	c.BuildTags = append(c.BuildTags, strings.Split(tags, ",")...)
	ok, err := c.MatchFile(filepath.Dir(f.Path), f.Base)
	return ok && err == nil
}

// environmentTags are those in GOFLAGS.
func environmentTags() (tags []string) {
	for _, flag := range strings.Fields(os.Getenv("GOFLAGS")) {
		if list, ok := strings.CutPrefix(strings.TrimLeft(flag, "-"), "tags="); ok {
			tags = append(tags, strings.Split(list, ",")...)
		}
	}
	return tags
}

// ConstraintText is a constraint as it is written behind //go:build, empty for none.
func ConstraintText(x constraint.Expr) string {
	if x == nil {
		return ""
	}
	return x.String()
}

// Tags are the words in a constraint, sorted.
func Tags(x constraint.Expr) (tags []string) {
	switch x := x.(type) {
	case *constraint.TagExpr:
		return []string{x.Tag}
	case *constraint.NotExpr:
		return Tags(x.X)
	case *constraint.AndExpr:
		tags = append(Tags(x.X), Tags(x.Y)...)
	case *constraint.OrExpr:
		tags = append(Tags(x.X), Tags(x.Y)...)
	}
	slices.Sort(tags)
	return slices.Compact(tags)
}

// IsPlatform reports that a tag stands for an operating system, an architecture, or something else that no -tags sets.
func IsPlatform(tag string) bool {
	return kindOf(tag) != isOther || tag == "unix" || tag == "cgo" || tag == "gc" || tag == "gccgo" || strings.HasPrefix(tag, "go1.")
}
