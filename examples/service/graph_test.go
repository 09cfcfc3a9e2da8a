package main

import (
	"bytes"
	"html"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// graphOf is what the command prints for a form of the graph.
func graphOf(t *testing.T, form string) string {
	t.Helper()
	var out, errs bytes.Buffer
	require.Equal(t, exitOK, command(t.Context(), []string{"-graph", form}, &out, &errs))
	require.Empty(t, errs.String())
	return out.String()
}

func TestTheGraphIsPrintedAndNothingIsCharged(t *testing.T) {
	for _, c := range []struct{ form, begins, has string }{
		{"text", "9 services, 2 aspects\n", "maxAttempts"},
		{"mermaid", "flowchart LR\n", `["CardGateway<br>as PaymentGateway"]`},
		{"dot", "digraph wiring {\n", `label="CardGateway\nas PaymentGateway"`},
	} {
		t.Run(c.form, func(t *testing.T) {
			got := graphOf(t, c.form)
			require.True(t, strings.HasPrefix(got, c.begins), got)
			require.Contains(t, got, c.has)
			require.NotContains(t, got, "wrong:")
			require.Equal(t, got, graphOf(t, c.form), "it is the same each time")
		})
	}
}

// The picture in the README is the one that the example prints.
func TestTheReadmesGraphIsTheExamples(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, block, found := strings.Cut(string(readme), "\n```mermaid\n")
	require.True(t, found)
	block, _, found = strings.Cut(block, "```")
	require.True(t, found)
	require.Equal(t, block, graphOf(t, "mermaid"), "README.md: paste the output of go run ./examples/service -graph mermaid")
}

// docs/service.svg is made by Graphviz, which is not everywhere. What it says has to be what the example prints.
func TestTheSVGShowsTheExamplesGraph(t *testing.T) {
	svg, err := os.ReadFile("../../docs/service.svg")
	require.NoError(t, err)
	const remedy = "go run ./examples/service -graph dot | dot -Tsvg -o docs/service.svg"
	labels := regexp.MustCompile(`label="([^"]*)"`).FindAllStringSubmatch(graphOf(t, "dot"), -1)
	require.NotEmpty(t, labels)
	var want []string
	for _, l := range labels {
		want = append(want, strings.Split(l[1], `\n`)...)
	}
	var got []string
	for _, text := range regexp.MustCompile(`<text [^>]*>([^<]*)</text>`).FindAllStringSubmatch(string(svg), -1) {
		got = append(got, html.UnescapeString(text[1]))
	}
	require.ElementsMatch(t, want, got, remedy)
	require.Equal(t, strings.Count(graphOf(t, "dot"), " -> "), strings.Count(string(svg), `class="edge"`), remedy)
}
