package plan

import (
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/backstay/backstay/cmd/backstay/internal/directive"
	"github.com/backstay/backstay/cmd/backstay/internal/load"
	"github.com/backstay/backstay/cmd/backstay/internal/source"
)

type refusal struct{ text, remedy string }

// kind is the package that the proxy of ref goes to: tests when the directive, or the interface, or the output that it asks
// for is in a test file.
func (p *Plan) kind(ref directive.Ref, file *source.File, out string) (load.Kind, *refusal) {
	kind, why := load.Plain, ""
	switch {
	case file != nil && file.Test:
		kind, why = p.testKind(file), "the directive is in a test file"
	case ref.Path == "":
		declared := p.Dir.Declaring(ref.Name)
		if len(declared) > 0 && !slices.ContainsFunc(declared, func(f *source.File) bool { return !f.Test }) {
			kind, why = p.testKind(declared[0]), "it is declared in "+declared[0].Base
		}
	}
	testOut := strings.HasSuffix(out, "_test.go")
	switch {
	case kind == load.Plain && testOut:
		kind = load.InTest
	case kind != load.Plain && out != "" && !testOut:
		return kind, &refusal{fmt.Sprintf("%s, so %s cannot see it", why, out), "write -o " + strings.TrimSuffix(out, ".go") + "_test.go"}
	}
	return kind, nil
}

func (p *Plan) testKind(f *source.File) load.Kind {
	if f.External(p.Dir.Package()) {
		return load.External
	}
	return load.InTest
}

func defaultName(k load.Kind) string {
	if k == load.Plain {
		return DefaultName
	}
	return DefaultTestName
}

// OwnName is a name for an output that is only built under something: tags, or a constraint.
func OwnName(name, constraint string) string {
	words := strings.FieldsFunc(constraint, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	return strings.Join(append(words, name), "_")
}

// join unites two lists of tags.
func join(a, b string) string {
	tags := strings.FieldsFunc(a+","+b, func(r rune) bool { return r == ',' })
	slices.Sort(tags)
	return strings.Join(slices.Compact(tags), ",")
}

func withTags(tags string) string {
	if tags == "" {
		return "without tags"
	}
	return "with -tags " + tags
}

// short is a place without its directory, since both places are in the same one.
func short(pos token.Position) string {
	if pos.Filename == "" {
		return "the command line"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(pos.Filename), pos.Line)
}
