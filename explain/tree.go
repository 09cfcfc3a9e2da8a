package explain

import (
	"slices"
	"strings"
	"unicode"
)

// tree writes rows whose columns stand below each other. A column that is empty in a whole block is left out.
type tree struct {
	strings.Builder
	blocks [][]treeRow // whose first columns are as wide as each other; the others only within a block
}

// treeRow is one line.
type treeRow struct {
	indent string
	cells  []string
}

// row adds a line.
func (t *tree) row(indent string, cells ...string) {
	if len(t.blocks) == 0 {
		t.align()
	}
	for i, c := range cells {
		cells[i] = printable(c)
	}
	last := len(t.blocks) - 1
	t.blocks[last] = append(t.blocks[last], treeRow{indent, cells})
}

// printable is a text in one line, of characters that can be shown.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r // what is not UTF-8 becomes U+FFFD
	}, text)
}

// rows adds a line for each text, the first with the label.
func (t *tree) rows(indent, label string, texts []string) {
	for i, text := range texts {
		t.row(indent, only(i == 0, label), text)
	}
}

// align begins a block.
func (t *tree) align() { t.blocks = append(t.blocks, nil) }

// flush writes the lines so far.
func (t *tree) flush() {
	first := widths(slices.Concat(t.blocks...))
	for _, block := range t.blocks {
		all := widths(block)
		for _, r := range block {
			line := r.indent
			for i, c := range r.cells {
				width := all[i]
				if i == 0 {
					width = first[0]
				} else if width == 0 {
					continue
				}
				line += c + strings.Repeat(" ", width-len([]rune(c))+2)
			}
			t.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	t.blocks = nil
}

// widths are those of the columns.
func widths(rows []treeRow) (all []int) {
	for _, r := range rows {
		for i, c := range r.cells {
			if i == len(all) {
				all = append(all, 0)
			}
			all[i] = max(all[i], len([]rune(c)))
		}
	}
	return all
}
