package explain_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/explain"
	"github.com/backstay/backstay/retry"
)

// named is a wiring in which everything that can have a strange name has this one.
func named(name string) *explain.Wiring {
	one := func(l explain.Lifetime, o explain.Origin, needs ...explain.Need) explain.Service {
		return explain.Service{
			Ref: retry.MethodRef{Class: name, Name: name}, Class: name, Provided: []string{name, "shop.Gateway"}, Group: name,
			Lifetime: l, Origin: o, Place: name, Proxy: "run-time", Decorators: []string{name}, Needs: needs,
			Methods: []explain.Method{{Name: name, Aspects: []explain.AspectUse{{Name: name, Pointcut: name}}}},
		}
	}
	return &explain.Wiring{
		Services: []explain.Service{
			one(explain.Singleton, explain.Provide, explain.Need{To: 1, Kind: explain.Reference, Why: name}, explain.Need{To: 2, Kind: explain.Group, Key: name}),
			one(explain.Singleton, explain.Supply, explain.Need{To: explain.Nobody, Kind: explain.Lazy, Key: name}),
			one(explain.Scoped, explain.Provide, explain.Need{To: 0, Kind: explain.Lazy}, explain.Need{To: 3, Kind: explain.Provider, Optional: true}),
			one(explain.Transient, explain.Provide, explain.Need{To: 1, Kind: explain.Parameter}),
		},
		Aspects:  []explain.Aspect{{Name: name, Pointcut: name, Service: explain.Nobody}},
		Problems: []string{name},
	}
}

var (
	dotString    = regexp.MustCompile(`^"(?:[^"\\\n]|\\["\\n])*"`)
	dotName      = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*|^-?[0-9.]+`)
	dotStatement = regexp.MustCompile(`^(?:digraph id \{|subgraph id \{|\}|id=(?:id|text)|id(?: -> id)?(?: \[id=(?:id|text)(?:, id=(?:id|text))*\])?)$`)
)

// requireDOT checks that a text is in the part of the language that is written here: every line a statement, braces
// balanced, strings closed.
func requireDOT(t *testing.T, text string) {
	t.Helper()
	depth := 0
	require.True(t, strings.HasSuffix(text, "\n"))
	for line := range strings.Lines(text) {
		shape, rest := "", strings.TrimSpace(line)
		for rest != "" {
			switch s, n := dotString.FindString(rest), dotName.FindString(rest); {
			case s != "":
				shape, rest = shape+"text", rest[len(s):]
			case n == "digraph" || n == "subgraph":
				shape, rest = shape+n, rest[len(n):]
			case n != "":
				shape, rest = shape+"id", rest[len(n):]
			default:
				shape, rest = shape+rest[:1], rest[1:]
			}
		}
		if !dotStatement.MatchString(shape) {
			t.Fatalf("%q is no statement", line)
		}
		depth += strings.Count(shape, "{") - strings.Count(shape, "}")
	}
	require.Zero(t, depth)
}

const mermaidLabel = `"(?:[^"<>&#%\x60\\]|<br>|#(?:[0-9]+|quot|lt|gt|amp);)+"`

var mermaidLine = regexp.MustCompile(`^(?:flowchart LR` +
	`|    (?:    )?\w+(?:\[` + mermaidLabel + `\]|\(` + mermaidLabel + `\)|\(\[` + mermaidLabel + `\]\)|\[/` + mermaidLabel + `/\]|\{\{` + mermaidLabel + `\}\})` +
	`|    subgraph scope|    end` +
	`|    (\w+) (?:-->|-\.->|==>)(?:\|` + mermaidLabel + `\|)? (\w+)` +
	`|    style scope [\w:#,-]+|    linkStyle \d+(?:,\d+)* [\w:#]+|    classDef \w+ [\w:#,-]+|    class \w+(?:,\w+)* \w+)$`)

var mermaidNode = regexp.MustCompile(`(?m)^ +(\w+)[[({]`)

// requireMermaid checks the same of a flowchart, and that arrows lead to nodes that there are.
func requireMermaid(t *testing.T, text string) {
	t.Helper()
	depth, nodes := 0, map[string]bool{"": true}
	for _, node := range mermaidNode.FindAllStringSubmatch(text, -1) {
		nodes[node[1]] = true
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		ends := mermaidLine.FindStringSubmatch(line)
		if ends == nil {
			t.Fatalf("%q is no line of a flowchart", line)
		}
		for _, end := range ends[1:] {
			if !nodes[end] {
				t.Fatalf("%s is no node", end)
			}
		}
		switch strings.TrimSpace(line) {
		case "subgraph scope":
			depth++
		case "end":
			depth--
		}
	}
	require.Zero(t, depth)
}

func requireWellFormed(t *testing.T, w *explain.Wiring) {
	t.Helper()
	requireDOT(t, w.DOT())
	requireMermaid(t, w.Mermaid())
	for line := range strings.Lines(w.String()) {
		if line != strings.TrimRight(line, " \n")+"\n" {
			t.Fatalf("%q ends in spaces", line)
		}
	}
	require.True(t, utf8.ValidString(w.String()+w.DOT()+w.Mermaid()))
}

var strangeNames = []string{
	"", "Plain", `a "quoted" one`, `back\slash`, `ends in \`, "two\nlines", "\r\n\t\x00\x7f", "end", "a --> b", "a | b", "[x](y){z}",
	"%%{init: {}}%%", "#quot;", "#", "<b>bold</b>", "&amp;", "`tick`", "]; }", "graph", "größe", "\xff\xfe", "; drop", strings.Repeat("very long ", 50),
	"Repo[example.com/a-b.Item]",
}

func TestPicturesAreWellFormedWhateverNamesThereAre(t *testing.T) {
	requireWellFormed(t, shop())
	requireWellFormed(t, &explain.Wiring{})
	for _, name := range strangeNames {
		t.Run(name, func(t *testing.T) { requireWellFormed(t, named(name)) })
	}
}

func FuzzPicturesAreWellFormed(f *testing.F) {
	for _, name := range strangeNames {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if len(name) > 40 {
			t.Skip("a longer name tells no more, and takes long")
		}
		requireWellFormed(t, named(name))
	})
}

func TestGraphvizReadsThePictures(t *testing.T) {
	dot, err := exec.LookPath("dot")
	if err != nil {
		t.Skip("Graphviz is not installed; the syntax is checked all the same")
	}
	for _, w := range []*explain.Wiring{shop(), {}, named(strings.Join(strangeNames[:len(strangeNames)-2], " "))} {
		cmd := exec.CommandContext(t.Context(), dot, "-Tcanon")
		cmd.Stdin = strings.NewReader(w.DOT())
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
		require.NotContains(t, string(out), "Warning")
	}
}
