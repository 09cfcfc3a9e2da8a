package emit

import (
	"cmp"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Problem is one thing that the user has to change before a proxy can be generated.
type Problem struct {
	Pos       token.Position // of the method, else of the interface or of what asks for it; zero: unknown
	Interface string         // as the user would write it; empty when it concerns the whole package
	Method    string         // empty when it concerns the whole interface
	Text      string         // what is wrong
	Remedy    string         // what to write instead
}

// Error is one line: where, which interface and method, what is wrong; what to write instead. A file below the working
// directory is relative to it.
func (p *Problem) Error() string {
	var b strings.Builder
	if p.Pos.Filename != "" {
		at := p.Pos
		at.Filename = relative(at.Filename)
		b.WriteString(at.String() + ": ")
	}
	if p.Interface != "" {
		b.WriteString("interface " + p.Interface)
		if p.Method != "" {
			b.WriteString(", method " + p.Method)
		}
		b.WriteString(": ")
	}
	fmt.Fprintf(&b, "%s; %s", p.Text, p.Remedy)
	return b.String()
}

// relative is the file's path from the working directory when it is below it, else the path as it is.
func relative(file string) string {
	dir, err := os.Getwd()
	if err != nil {
		return file
	}
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return file
}

// inOrder sorts problems by place and drops repeated ones.
func inOrder(all []*Problem) []*Problem {
	slices.SortStableFunc(all, func(a, b *Problem) int {
		return cmp.Or(cmp.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Column, b.Pos.Column))
	})
	return slices.CompactFunc(all, func(a, b *Problem) bool { return *a == *b })
}
