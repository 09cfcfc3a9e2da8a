package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/backstay/backstay/cmd/backstay/internal/directive"
	"github.com/backstay/backstay/cmd/backstay/internal/emit"
	"github.com/backstay/backstay/cmd/backstay/internal/load"
	"github.com/backstay/backstay/cmd/backstay/internal/plan"
	"github.com/backstay/backstay/cmd/backstay/internal/source"
)

// session is one run of the command.
type session struct {
	options  directive.Options
	problems []*emit.Problem // what has to be changed
	notes    []*emit.Problem // what should be known
	failures []error         // what has no place
}

// generate makes all files, and writes them unless it is only to check.
func (s *session) generate(ctx context.Context) error {
	plans, err := s.plans(ctx)
	if err != nil {
		return err
	}
	b := &build{single: len(s.options.Types) > 0}
	for _, p := range plans {
		s.problems = append(s.problems, p.Problems...)
		b.add(p)
	}
	if err := b.run(ctx); err != nil {
		return err
	}
	s.problems = append(s.problems, b.problems...)
	s.failures = append(s.failures, b.failures...)
	for _, f := range b.done {
		s.deliver(f)
	}
	if !b.single {
		for _, p := range plans {
			s.orphans(p)
		}
	}
	return nil
}

// plans says what is to be generated, directory by directory.
func (s *session) plans(ctx context.Context) ([]*plan.Plan, error) {
	if len(s.options.Types) > 0 {
		p, err := s.planOne(ctx)
		return []*plan.Plan{p}, err
	}
	dirs, err := load.Expand(ctx, s.options.Tags, s.options.Patterns)
	if err != nil {
		s.report(err) // the packages that there are go on
	}
	var plans []*plan.Plan
	for _, path := range dirs {
		dir, err := source.ReadDir(path)
		if err != nil {
			return nil, err
		}
		plans = append(plans, plan.For(dir, nil, s.options.Tags))
	}
	return plans, nil
}

// planOne is the plan for what -type names. When go generate runs the command, it says in the environment where.
func (s *session) planOne(ctx context.Context) (*plan.Plan, error) {
	path, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	file := os.Getenv("GOFILE")
	if patterns := s.options.Patterns; len(patterns) > 0 && !slices.Equal(patterns, []string{"."}) {
		if file != "" {
			return nil, fmt.Errorf("a directive with -type is for its own package, not for %s; move it into that package", patterns[0])
		}
		dirs, err := load.Expand(ctx, s.options.Tags, patterns)
		if err != nil {
			return nil, err
		}
		if len(dirs) != 1 {
			return nil, fmt.Errorf("-type is for one package, and the patterns match %d; write one package", len(dirs))
		}
		path = dirs[0]
	}
	dir, err := source.ReadDir(path)
	if err != nil {
		return nil, err
	}
	given := &plan.Given{Options: s.options}
	if file != "" && dir.File(file) != nil {
		given.File = dir.File(file)
		line, _ := strconv.Atoi(os.Getenv("GOLINE"))
		given.Pos = token.Position{Filename: filepath.Join(path, file), Line: line, Column: 1}
	}
	return plan.For(dir, given, ""), nil
}

// report keeps an error that has no place, one line for each that it joins.
func (s *session) report(err error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			s.report(e)
		}
		return
	}
	s.failures = append(s.failures, err)
}

// finish prints all that is to be said, in the order of places, and returns the exit status.
func (s *session) finish(stderr io.Writer) int {
	for _, err := range s.failures {
		if errors.Is(err, context.Canceled) {
			err = errors.New("interrupted")
		}
		fmt.Fprintf(stderr, "backstay: %v\n", err)
	}
	all := slices.Concat(s.problems, s.notes)
	slices.SortStableFunc(all, func(a, b *emit.Problem) int {
		return cmp.Or(cmp.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	printed := map[string]bool{}
	for _, p := range all {
		line := p.Error()
		if p.Pos.Filename == "" {
			line = "backstay: " + line
		}
		if !printed[line] {
			printed[line] = true
			fmt.Fprintln(stderr, line)
		}
	}
	if len(s.problems)+len(s.failures) > 0 {
		return exitProblems
	}
	return exitOK
}
