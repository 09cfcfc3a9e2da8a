package snippets_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// eventFields are the fields of each event that package retry has, but for those that all of them have.
func eventFields(t *testing.T) map[string][]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "../../retry/event.go", nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	events := map[string]bool{}
	structs := map[string]*ast.StructType{}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Name.Name == "event" {
				events[d.Recv.List[0].Type.(*ast.Ident).Name] = true
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if s, ok := s.(*ast.TypeSpec); ok {
					if x, ok := s.Type.(*ast.StructType); ok {
						structs[s.Name.Name] = x
					}
				}
			}
		}
	}
	fields := map[string][]string{}
	for name := range events {
		fields[name] = []string{}
		for _, f := range structs[name].Fields.List {
			for _, n := range f.Names {
				if n.Name != "Session" {
					fields[name] = append(fields[name], n.Name)
				}
			}
		}
	}
	return fields
}

func TestTheTableOfEventsIsThatOfThePackage(t *testing.T) {
	_, table, found := strings.Cut(readText(t, "../observability.md"), "| event | when | its fields |\n|---|---|---|\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	code := regexp.MustCompile("`(\\w+)`")
	told := map[string][]string{}
	for row := range strings.SplitSeq(table, "\n") {
		cells := strings.Split(row, "|")
		require.Len(t, cells, 5, row)
		var fields []string
		for _, m := range code.FindAllStringSubmatch(cells[3], -1) {
			fields = append(fields, m[1])
		}
		told[code.FindStringSubmatch(cells[1])[1]] = fields
	}
	require.Equal(t, eventFields(t), told)
}

// The queries of the guide are those that the module's own tests find in what Prometheus scrapes.
func TestTheAlertsAreThoseOfTheModule(t *testing.T) {
	queries := regexp.MustCompile("(?s)```promql\n.*?```").FindAllString(readText(t, "../observability.md"), -1)
	require.Len(t, queries, 3)
	for _, q := range queries {
		require.Contains(t, readText(t, "../../otel/README.md"), q)
	}
}

// The spans of the guide are those that an example of the module prints.
func TestTheTraceIsThatOfTheModule(t *testing.T) {
	_, trace, found := strings.Cut(readText(t, "../observability.md"), "```text\nBankRates@Rate\n")
	require.True(t, found)
	trace, _, _ = strings.Cut("BankRates@Rate\n"+trace, "\n```")
	require.Contains(t, readText(t, "../../otel/tracing_example_test.go"), "\t// "+strings.ReplaceAll(trace, "\n", "\n\t// ")+"\n}")
}

// anchor is the name by which a heading is linked to.
func anchor(heading string) string {
	kept := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(heading), "")
	return strings.ReplaceAll(kept, " ", "-")
}

func TestLinksOfTheGuideLeadSomewhere(t *testing.T) {
	heading := regexp.MustCompile(`(?m)^#+ (.*)$`)
	for _, m := range regexp.MustCompile(`\]\(([^)]*)\)`).FindAllStringSubmatch(readText(t, "../observability.md"), -1) {
		file, part, _ := strings.Cut(m[1], "#")
		text := readText(t, "../"+map[bool]string{true: "observability.md", false: file}[file == ""])
		if part == "" {
			continue
		}
		var anchors []string
		for _, h := range heading.FindAllStringSubmatch(text, -1) {
			anchors = append(anchors, anchor(h[1]))
		}
		require.Contains(t, anchors, part, m[1])
	}
}
