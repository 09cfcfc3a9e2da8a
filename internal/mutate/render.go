package main

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// span is a part of a mutated file, in bytes.
type span struct{ from, to int }

// rendered is a file with its mutants, and where each of them is: by that a complaint of the compiler is traced to them.
type rendered struct {
	text  []byte
	spans map[*mutant]span
}

// render puts the mutants of a file into its text. No line is added, so whatever names a line names the same as before.
func render(file *sourceFile, mutants []*mutant) rendered {
	type placed struct {
		*edit
		owner *mutant
	}
	var edits []placed
	shared := map[*edit]bool{}
	for _, m := range mutants {
		for _, e := range m.edits {
			if !shared[e] {
				edits = append(edits, placed{e, m})
			}
			shared[e] = true
		}
	}
	slices.SortFunc(edits, func(a, b placed) int {
		inner := 1
		if a.class == editClose {
			inner = -1 // what was opened last is closed first
		}
		return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.class, b.class), inner*cmp.Compare(a.seq, b.seq))
	})

	r := rendered{spans: map[*mutant]span{}}
	at := 0
	for _, e := range edits {
		r.text = append(r.text, file.text[at:e.offset]...)
		s, begun := r.spans[e.owner]
		if !begun {
			s.from = len(r.text)
		}
		r.text = append(r.text, strings.ReplaceAll(e.text, "#", strconv.Itoa(e.owner.id))...)
		s.to = len(r.text)
		r.spans[e.owner] = s
		at = e.offset + e.size
	}
	r.text = append(r.text, file.text[at:]...)
	return r
}

// blame returns the mutants that a complaint about a line and a column is most likely due to: the innermost one around
// the place; else all on the line, or on the last line before it that has any.
func (r rendered) blame(line, column int) []*mutant {
	at := lineStart(r.text, line) + column - 1
	var innermost *mutant
	for m, s := range r.spans {
		if s.from > at || s.to < at {
			continue
		}
		if innermost == nil || r.inside(m, innermost) {
			innermost = m
		}
	}
	if innermost != nil {
		return []*mutant{innermost}
	}
	for ; line > 0; line-- {
		begin, end := lineStart(r.text, line), lineStart(r.text, line+1)
		var found []*mutant
		for m, s := range r.spans {
			if s.from < end && s.to > begin {
				found = append(found, m)
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// inside reports whether a is the smaller one, or the later and so the inner one.
func (r rendered) inside(a, b *mutant) bool {
	x, y := r.spans[a], r.spans[b]
	return cmp.Or(cmp.Compare(x.to-x.from, y.to-y.from), cmp.Compare(b.edits[0].seq, a.edits[0].seq)) < 0
}

// lineStart is the place of the first byte of a line, counted from 1; beyond the last line, the length.
func lineStart(text []byte, line int) int {
	at := 0
	for ; line > 1; line-- {
		next := slices.Index(text[at:], '\n')
		if next < 0 {
			return len(text)
		}
		at += next + 1
	}
	return at
}
