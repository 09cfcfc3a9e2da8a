package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// choose returns the mutants that a list after -only names. Its elements, between commas, are a number (M0012), a range
// of numbers (M0012-M0020), a file (loop.go), a line (loop.go:12), a range of lines (loop.go:12-20) or an operator
// (drop). An empty list names all.
func choose(mutants []*mutant, only string) ([]*mutant, error) {
	if only == "" {
		return mutants, nil
	}
	var tests []func(*mutant) bool
	for element := range strings.SplitSeq(only, ",") {
		test, err := chooser(strings.TrimSpace(element))
		if err != nil {
			return nil, err
		}
		tests = append(tests, test)
	}
	var chosen []*mutant
	for _, m := range mutants {
		for _, test := range tests {
			if test(m) {
				chosen = append(chosen, m)
				break
			}
		}
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("-only %s names no mutant; see what there is by -list", only)
	}
	return chosen, nil
}

func chooser(element string) (func(*mutant) bool, error) {
	for _, op := range operators {
		if op == element {
			return func(m *mutant) bool { return m.op == op }, nil
		}
	}
	file, lines, hasLines := strings.Cut(element, ":")
	if strings.HasSuffix(file, ".go") {
		inFile := func(m *mutant) bool { return filepath.Base(m.pos.Filename) == filepath.Base(file) }
		if !hasLines {
			return inFile, nil
		}
		first, last, err := numbers(lines, "")
		return func(m *mutant) bool { return inFile(m) && m.pos.Line >= first && m.pos.Line <= last }, err
	}
	first, last, err := numbers(element, "M")
	return func(m *mutant) bool { return m.id >= first && m.id <= last }, err
}

// numbers reads "a" or "a-b", each with a prefix.
func numbers(text, prefix string) (first, last int, err error) {
	from, to, isRange := strings.Cut(text, "-")
	if !isRange {
		to = from
	}
	for _, x := range []struct {
		text string
		n    *int
	}{{from, &first}, {to, &last}} {
		digits, ok := strings.CutPrefix(x.text, prefix)
		if *x.n, err = strconv.Atoi(digits); err != nil || !ok {
			return 0, 0, fmt.Errorf("-only: %q is no number, range, file or operator; write M0012, M0012-M0020, loop.go, loop.go:12-20 or drop", text)
		}
	}
	return first, last, nil
}
