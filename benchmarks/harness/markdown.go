package harness

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Table writes a Markdown table. Columns whose head begins with ">" are aligned to the right.
func Table(w io.Writer, heads []string, rows [][]string) {
	var line, rule strings.Builder
	for _, h := range heads {
		name, right := strings.CutPrefix(h, ">")
		fmt.Fprintf(&line, "| %s ", name)
		if right {
			rule.WriteString("|--:")
		} else {
			rule.WriteString("|---")
		}
	}
	fmt.Fprintf(w, "%s|\n%s|\n", line.String(), rule.String())
	for _, r := range rows {
		fmt.Fprintf(w, "| %s |\n", strings.Join(r, " | "))
	}
}

// Write writes one section for each work: its heading, what is done, and a table of all contenders, the fastest first.
func (r *Results) Write(w io.Writer) {
	for _, work := range r.Works {
		fmt.Fprintf(w, "\n### %s\n\n", work.Name)
		if work.About != "" {
			fmt.Fprintf(w, "%s\n\n", work.About)
		}
		reference := r.Of(work.Name, work.Reference)
		var series []*Series
		for _, c := range work.Cases {
			series = append(series, r.Of(work.Name, c.Name))
		}
		slices.SortStableFunc(series, func(a, b *Series) int { return cmp.Compare(a.Nanos(), b.Nanos()) })
		var rows [][]string
		for _, s := range series {
			name, ratio := s.Name, "-"
			if s == reference {
				name, ratio = "**"+name+"**", "1"
			} else if reference != nil {
				ratio = Number(Ratio(s, reference))
			}
			rows = append(rows, []string{name, Number(s.Nanos()), Number(s.Min()), Count(s.Bytes()), Count(s.Allocs()), ratio})
		}
		Table(w, []string{"contender", ">ns, median", ">ns, least", ">B/op", ">allocs/op", ">times the bold one"}, rows)
	}
}

// Number writes x with two or three digits that mean something, and thousands apart.
func Number(x float64) string {
	switch abs := max(x, -x); {
	case abs < 0.095:
		return strconv.FormatFloat(x, 'g', 2, 64)
	case abs < 9.995:
		return strconv.FormatFloat(x, 'f', 2, 64)
	case abs < 99.95:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return Count(x)
}

// Count writes x as a whole number, thousands apart.
func Count(x float64) string {
	digits := strconv.FormatFloat(max(x, -x), 'f', 0, 64)
	var b strings.Builder
	if x < 0 && digits != "0" {
		b.WriteByte('-')
	}
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}
