package explain

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// Mermaid is the picture as a Mermaid flowchart, which is what many viewers of Markdown show of a block that is marked as
// mermaid. It is the same for the same wiring, whatever has been built; the package documentation says how to read it.
func (w *Wiring) Mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	g := w.picture()
	for _, n := range g.nodes {
		if !n.scoped {
			fmt.Fprintf(&b, "    %s\n", n.mermaid())
		}
	}
	if scoped := g.scoped(); len(scoped) > 0 {
		b.WriteString("    subgraph scope\n")
		for _, n := range scoped {
			fmt.Fprintf(&b, "        %s\n", n.mermaid())
		}
		b.WriteString("    end\n    style scope fill:none,stroke:#57606a,stroke-dasharray:4\n")
	}
	var around []string // the numbers of arrows from aspects
	for i, e := range g.edges {
		fmt.Fprintf(&b, "    %s\n", e.mermaid())
		if e.style == thick {
			around = append(around, strconv.Itoa(i))
		}
	}
	if len(around) > 0 {
		fmt.Fprintf(&b, "    linkStyle %s stroke:#9a6700\n", strings.Join(around, ","))
	}
	for _, class := range mermaidClasses {
		if ids := g.where(class.has); len(ids) > 0 {
			fmt.Fprintf(&b, "    classDef %s %s\n    class %s %s\n", class.name, class.style, strings.Join(ids, ","), class.name)
		}
	}
	return b.String()
}

// mermaidClasses are how nodes look beyond their shape. The colour of the text is said too, since viewers have dark themes.
var mermaidClasses = []struct {
	name, style string
	has         func(*node) bool
}{
	{"aspect", "fill:#fff8c5,stroke:#9a6700,color:#1f2328", func(n *node) bool { return n.shape == hexagon && !n.woven }},
	{"woven", "fill:#ddf4ff,stroke:#0969da,color:#1f2328", func(n *node) bool { return n.woven }},
	{"decorated", "stroke-width:4px", func(n *node) bool { return n.twice }},
}

// where are the ids of the nodes that have something.
func (g *graph) where(has func(*node) bool) (ids []string) {
	for i := range g.nodes {
		if has(&g.nodes[i]) {
			ids = append(ids, g.nodes[i].id)
		}
	}
	return ids
}

func (n *node) mermaid() string {
	label := mermaidQuoted(n.lines...)
	switch n.shape {
	case rounded:
		return n.id + "(" + label + ")"
	case ellipse:
		return n.id + "([" + label + "])"
	case slanted:
		return n.id + "[/" + label + "/]"
	case hexagon:
		return n.id + "{{" + label + "}}"
	}
	return n.id + "[" + label + "]"
}

func (e *edge) mermaid() string {
	arrow := map[style]string{solid: "-->", dashed: "-.->", loose: "-.->", thick: "==>"}[e.style]
	if e.label != "" {
		arrow += "|" + mermaidQuoted(e.label) + "|"
	}
	return e.from + " " + arrow + " " + e.to
}

// mermaidEscaper writes as entities what Mermaid, or the HTML that it makes of a label, would read.
var mermaidEscaper = strings.NewReplacer(
	"#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "`", "#96;", "%", "#37;", `\`, "#92;",
)

// mermaidQuoted is a label of these lines.
func mermaidQuoted(lines ...string) string {
	escaped := make([]string, len(lines))
	for i, l := range lines {
		escaped[i] = mermaidEscaper.Replace(printable(l))
	}
	// An empty label is an error to Mermaid.
	return `"` + cmp.Or(strings.Join(escaped, "<br>"), " ") + `"`
}
