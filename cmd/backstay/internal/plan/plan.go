// Package plan decides which files are to be generated in a directory, and what each is asked to hold.
package plan

import (
	"cmp"
	"fmt"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/backstay/backstay/cmd/backstay/internal/directive"
	"github.com/backstay/backstay/cmd/backstay/internal/emit"
	"github.com/backstay/backstay/cmd/backstay/internal/load"
	"github.com/backstay/backstay/cmd/backstay/internal/source"
)

// Names of outputs where nothing else is asked for.
const (
	DefaultName     = "backstay_gen.go"
	DefaultTestName = "backstay_gen_test.go"
)

// Ask asks for one interface.
type Ask struct {
	Ref  directive.Ref
	Pos  token.Position
	File *source.File // which holds the directive; nil: asked for on the command line
}

// Output is one file to generate.
type Output struct {
	Dir  *source.Dir
	Name string
	Tags string
	Kind load.Kind
	Asks []Ask // sorted by place

	given bool
}

// Path is the file's full path.
func (o *Output) Path() string { return filepath.Join(o.Dir.Path, o.Name) }

// Given reports whether the output holds something that the command line asks for.
func (o *Output) Given() bool { return o.given }

// Given is what a command line asks for in one directory.
type Given struct {
	directive.Options
	Pos  token.Position // of the directive that it comes from; zero: none
	File *source.File   // the directive's file, or nil
}

// Plan is what is to be generated in one directory.
type Plan struct {
	Dir      *source.Dir
	Outputs  []*Output       // those of the package before those of its tests, by name
	Expected map[string]bool // base names of all files that directives ask for, on other systems too
	Problems []*emit.Problem
}

// For makes the plan of a directory, from its directives and, where it is not nil, what the command line asks for. Tags are
// build tags that count for all of them.
func For(dir *source.Dir, given *Given, tags string) *Plan {
	p := &Plan{Dir: dir, Expected: map[string]bool{}}
	var elsewhere []sleeping
	for _, f := range dir.Files {
		if f.Ignored() {
			continue // nobody builds it, and go generate does not read it
		}
		for _, d := range f.Directives {
			if len(d.Patterns) > 0 && len(d.Types) == 0 && d.Err == nil {
				continue // it is about packages whose own directives say what they need
			}
			if !p.valid(d) {
				continue
			}
			all := join(tags, d.Tags)
			if given != nil && given.File == f && given.Pos.Line == d.Pos.Line {
				continue // it is what runs
			}
			if !f.Built(all) {
				elsewhere = append(elsewhere, sleeping{d, f})
				continue
			}
			p.add(d.Options, all, d.Pos, f, false)
		}
	}
	if given != nil {
		p.add(given.Options, join(tags, given.Tags), given.Pos, given.File, true)
	}
	for _, s := range elsewhere {
		p.sleep(s)
	}
	slices.SortFunc(p.Outputs, func(a, b *Output) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	for _, o := range p.Outputs {
		slices.SortStableFunc(o.Asks, func(a, b Ask) int {
			return cmp.Or(cmp.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Line, b.Pos.Line))
		})
	}
	return p
}

// valid reports what is wrong with a directive by itself.
func (p *Plan) valid(d directive.Directive) bool {
	before := len(p.Problems)
	switch {
	case d.Err != nil:
		for _, line := range strings.Split(d.Err.Error(), "\n") {
			text, remedy, _ := strings.Cut(line, "; ")
			p.problem(d.Pos, text, cmp.Or(remedy, "see go tool backstay -h"))
		}
	case len(d.Types) == 0:
		p.problem(d.Pos, "the directive names no interface", "add -type Name")
	case len(d.Patterns) > 0 && !slices.Equal(d.Patterns, []string{"."}):
		p.problem(d.Pos, "a directive with -type is for its own package, not for "+strings.Join(d.Patterns, " "), "move it into that package")
	}
	return len(p.Problems) == before
}

// add puts what one directive, or the command line, asks for into the outputs that it belongs to.
func (p *Plan) add(o directive.Options, tags string, pos token.Position, file *source.File, given bool) {
	for _, ref := range o.Types {
		kind, err := p.kind(ref, file, o.Out)
		if err != nil {
			p.Problems = append(p.Problems, &emit.Problem{Pos: pos, Interface: ref.Text, Text: err.text, Remedy: err.remedy})
			continue
		}
		name := cmp.Or(o.Out, defaultName(kind))
		p.Expected[name] = true
		out := p.output(name)
		switch {
		case out == nil:
			out = &Output{Dir: p.Dir, Name: name, Tags: tags, Kind: kind}
			p.Outputs = append(p.Outputs, out)
		case out.Kind != kind:
			p.problem(pos, fmt.Sprintf("%s is asked for in package %s here, and in package %s at %s", name, p.packageOf(kind), p.packageOf(out.Kind), short(out.Asks[0].Pos)),
				"give one of the directives a file of its own: -o external_"+DefaultTestName)
			continue
		case out.Tags != tags:
			p.problem(pos, fmt.Sprintf("%s is asked for %s here, and %s at %s", name, withTags(tags), withTags(out.Tags), short(out.Asks[0].Pos)),
				"give one of the directives a file of its own, for example -o "+OwnName(name, cmp.Or(tags, out.Tags)))
			continue
		}
		out.Asks = append(out.Asks, Ask{ref, pos, file})
		out.given = out.given || given
	}
}

// sleeping is a directive in a file that is not built on this system.
type sleeping struct {
	directive.Directive
	file *source.File
}

// sleep reports a directive that is not built here but shares its output with some that are: they would drop each
// other's interfaces, in turn, on each system.
func (p *Plan) sleep(s sleeping) {
	for _, ref := range s.Types {
		kind, err := p.kind(ref, s.file, s.Out)
		if err != nil {
			continue
		}
		name := cmp.Or(s.Out, defaultName(kind))
		p.Expected[name] = true
		if out := p.output(name); out != nil {
			p.problem(s.Pos, fmt.Sprintf("%s is not built here (%s), so %s would lack its interfaces", s.file.Base, source.ConstraintText(s.file.Constraint), name),
				"give this directive a file of its own: -o "+OwnName(name, source.ConstraintText(s.file.Constraint)))
			return
		}
	}
}

func (p *Plan) output(name string) *Output {
	for _, o := range p.Outputs {
		if o.Name == name {
			return o
		}
	}
	return nil
}

func (p *Plan) problem(pos token.Position, text, remedy string) {
	p.Problems = append(p.Problems, &emit.Problem{Pos: pos, Text: text, Remedy: remedy})
}

func (p *Plan) packageOf(k load.Kind) string {
	if k == load.External {
		return p.Dir.Package() + "_test"
	}
	return p.Dir.Package()
}
