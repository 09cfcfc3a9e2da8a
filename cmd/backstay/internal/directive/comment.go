package directive

import (
	"bytes"
	"go/build"
	"go/scanner"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// Command is the import path of the generator.
const Command = "github.com/backstay/backstay/cmd/backstay"

// Directive is a //go:generate comment that runs the generator.
type Directive struct {
	Options
	Pos token.Position
	Err error // what is wrong with its arguments, or nil
}

// In returns the directives in a Go file, which need not parse. Those that only lie in strings or other comments are not
// found.
func In(filename, pkg string, src []byte) (found []Directive) {
	if !bytes.Contains(src, []byte(prefix)) {
		return nil
	}
	fset := token.NewFileSet()
	file := fset.AddFile(filename, -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, func(token.Position, string) {}, scanner.ScanComments)
	names := map[string][]string{} // of -command
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return found
		}
		at := fset.PositionFor(pos, false)
		if tok != token.COMMENT || at.Column != 1 {
			continue
		}
		words, ok := words(text)
		if !ok {
			continue
		}
		expand(words, at, pkg)
		if len(words) > 1 && words[0] == "-command" {
			names[words[1]] = words[2:]
			continue
		}
		if len(words) > 0 && names[words[0]] != nil {
			words = append(names[words[0]][:len(names[words[0]]):len(names[words[0]])], words[1:]...)
		}
		if args, ours := arguments(words); ours {
			d := Directive{Pos: at}
			d.Options, d.Err = Parse(args)
			found = append(found, d)
		}
	}
}

const prefix = "//go:generate"

// words splits a comment as go generate does; false: it is none, or one that go generate refuses.
func words(comment string) (all []string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimRight(comment, "\r\n"), prefix)
	if !ok || rest == "" || rest[0] != ' ' && rest[0] != '\t' {
		return nil, false
	}
	for {
		rest = strings.TrimLeft(rest, " \t")
		if rest == "" {
			return all, true
		}
		if rest[0] != '"' {
			end := strings.IndexAny(rest, " \t")
			if end < 0 {
				end = len(rest)
			}
			all, rest = append(all, rest[:end]), rest[end:]
			continue
		}
		literal, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return nil, false
		}
		word, err := strconv.Unquote(literal)
		if rest = rest[len(literal):]; err != nil || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
			return nil, false
		}
		all = append(all, word)
	}
}

// expand replaces the variables that go generate sets, and those of the environment.
func expand(words []string, at token.Position, pkg string) {
	for i := range words {
		words[i] = os.Expand(words[i], func(name string) string {
			switch name {
			case "GOFILE":
				return filepath.Base(at.Filename)
			case "GOLINE":
				return strconv.Itoa(at.Line)
			case "GOPACKAGE":
				return pkg
			case "GOOS":
				return build.Default.GOOS
			case "GOARCH":
				return build.Default.GOARCH
			case "GOROOT":
				return build.Default.GOROOT
			case "PWD":
				return filepath.Dir(at.Filename)
			case "DOLLAR":
				return "$"
			}
			return os.Getenv(name)
		})
	}
}

// arguments are those of the generator in a command that runs it; false: the command runs something else.
func arguments(words []string) (args []string, ours bool) {
	if len(words) == 0 {
		return nil, false
	}
	if name := strings.TrimSuffix(filepath.Base(words[0]), ".exe"); name == "backstay" {
		return words[1:], true
	}
	if words[0] != "go" || len(words) < 3 {
		return nil, false
	}
	verb, rest := words[1], words[2:]
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		if takesValue[strings.TrimLeft(rest[0], "-")] && len(rest) > 1 {
			rest = rest[1:]
		}
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return nil, false
	}
	tool, _, _ := strings.Cut(rest[0], "@")
	switch {
	case tool == Command, verb == "tool" && tool == path.Base(Command):
	case verb == "run" && strings.HasPrefix(tool, ".") && strings.HasSuffix(tool, "/cmd/backstay"):
	default:
		return nil, false
	}
	return rest[1:], verb == "tool" || verb == "run"
}

// takesValue are the flags of go run and go tool that people use and whose value may be a word of its own.
var takesValue = map[string]bool{"modfile": true, "mod": true, "tags": true, "C": true, "overlay": true, "ldflags": true, "gcflags": true, "exec": true, "p": true}
