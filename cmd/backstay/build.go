package main

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/backstay/backstay/cmd/backstay/internal/emit"
	"github.com/backstay/backstay/cmd/backstay/internal/load"
	"github.com/backstay/backstay/cmd/backstay/internal/plan"
	"github.com/backstay/backstay/cmd/backstay/internal/resolve"
	"github.com/backstay/backstay/cmd/backstay/internal/source"
)

// library is what generated files import.
const library = "github.com/backstay/backstay/aspect"

// build makes the sources of outputs, with one load for all that have the same tags.
type build struct {
	single bool // only outputs that the command line asks for are wanted, and only their problems count

	outputs  map[string][]*plan.Output // by tags
	blocked  map[*source.Dir]bool      // directories whose plans have problems
	done     []generated
	problems []*emit.Problem
	failures []error
}

// generated is an output with its source.
type generated struct {
	*plan.Output
	src []byte
}

// add takes in the outputs of one directory.
func (b *build) add(p *plan.Plan) {
	if b.outputs == nil {
		b.outputs, b.blocked = map[string][]*plan.Output{}, map[*source.Dir]bool{}
	}
	b.blocked[p.Dir] = len(p.Problems) > 0
	tags := map[string]bool{} // of what is wanted
	for _, o := range p.Outputs {
		tags[o.Tags] = tags[o.Tags] || !b.single || o.Given()
	}
	for _, o := range p.Outputs {
		if tags[o.Tags] {
			b.outputs[o.Tags] = append(b.outputs[o.Tags], o)
		}
	}
}

func (b *build) run(ctx context.Context) error {
	for _, tags := range slices.Sorted(maps.Keys(b.outputs)) {
		outputs := b.outputs[tags]
		q := load.Query{Tags: tags, Listed: []string{library}}
		for _, o := range outputs {
			q.Targets = append(q.Targets, load.Target{Dir: o.Dir.Path, Kind: o.Kind})
			q.Paths = append(q.Paths, resolve.Paths(o)...)
		}
		g, err := load.New(ctx, q)
		if err != nil {
			return err
		}
		usable := b.checkLibrary(g, outputs[0])
		// Each output avoids the names of those before it in its package.
		type scope struct {
			dir      *source.Dir
			external bool
		}
		taken := map[scope]map[string]bool{}
		for _, o := range outputs {
			in := scope{o.Dir, o.Kind == load.External}
			if taken[in] == nil {
				taken[in] = map[string]bool{}
			}
			src, problems := b.source(g, o, taken[in])
			for name := range declaredIn(src) {
				taken[in][name] = true
			}
			if b.single && !o.Given() {
				continue
			}
			b.problems = append(b.problems, problems...)
			if usable && len(problems) == 0 && !b.blocked[o.Dir] {
				b.done = append(b.done, generated{o, src})
			}
		}
	}
	return nil
}

// source makes the source of one output, or says what hinders it.
func (b *build) source(g *load.Graph, o *plan.Output, taken map[string]bool) ([]byte, []*emit.Problem) {
	pkg, err := g.Check(load.Target{Dir: o.Dir.Path, Kind: o.Kind})
	if err != nil {
		p := &emit.Problem{Pos: o.Asks[0].Pos, Text: "the go command finds no package here", Remedy: "see what go list says"}
		if errs := g.Failures(); len(errs) > 0 {
			p.Text = strings.Join(errs, "; ")
		}
		return nil, []*emit.Problem{p}
	}
	if problems := unreadable(pkg); len(problems) > 0 {
		return nil, problems
	}
	file, problems := resolve.File(g, pkg, o, taken)
	if len(file.Interfaces) == 0 {
		return nil, problems
	}
	src, more := file.Source()
	return src, append(problems, more...)
}

// unreadable are the errors in files that do not parse: what they declare is not known, so that the output would lack it.
func unreadable(pkg *load.Package) (all []*emit.Problem) {
	for _, err := range pkg.ParseErrs {
		list, ok := errors.AsType[scanner.ErrorList](err)
		if !ok {
			all = append(all, &emit.Problem{Text: err.Error(), Remedy: "make the file readable"})
			continue
		}
		for _, e := range list {
			all = append(all, &emit.Problem{Pos: e.Pos, Text: e.Msg, Remedy: "mend that first"})
		}
	}
	return all
}

// checkLibrary reports whether generated files could import the library, and says so if not.
func (b *build) checkLibrary(g *load.Graph, o *plan.Output) bool {
	if len(g.ListErrors(library)) == 0 || vendored(o.Dir.Path) {
		return true
	}
	b.failures = append(b.failures, fmt.Errorf("the module cannot import %s; write: go get %s", library, strings.TrimSuffix(library, "/aspect")))
	return false
}

// declaredIn are the names that a generated file declares.
func declaredIn(src []byte) map[string]bool {
	tree, err := parser.ParseFile(token.NewFileSet(), "", src, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	return source.DeclaredIn(tree)
}
