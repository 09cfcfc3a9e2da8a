package explain

import (
	"fmt"
	"strings"
)

// DOT is the picture in the language of Graphviz. It is the same for the same wiring, whatever has been built; the package
// documentation says how to read it.
//
//	dot -Tsvg wiring.dot -o wiring.svg
func (w *Wiring) DOT() string {
	var b strings.Builder
	b.WriteString(`digraph wiring {
	rankdir=LR
	nodesep=0.3
	ranksep=0.7
	node [shape=box, fontname="Helvetica", fontsize=12, color="#57606a", fillcolor="#ffffff", style=filled, margin="0.16,0.08"]
	edge [fontname="Helvetica", fontsize=10, color="#57606a", fontcolor="#57606a", arrowsize=0.7]
`)
	g := w.picture()
	for _, n := range g.nodes {
		if !n.scoped {
			fmt.Fprintf(&b, "\t%s\n", n.dot())
		}
	}
	if scoped := g.scoped(); len(scoped) > 0 {
		b.WriteString("\tsubgraph cluster_scope {\n\t\tlabel=scope\n\t\tfontname=\"Helvetica\"\n\t\tfontsize=11\n\t\tstyle=\"rounded,dashed\"\n\t\tcolor=\"#57606a\"\n")
		for _, n := range scoped {
			fmt.Fprintf(&b, "\t\t%s\n", n.dot())
		}
		b.WriteString("\t}\n")
	}
	for _, e := range g.edges {
		fmt.Fprintf(&b, "\t%s\n", e.dot())
	}
	b.WriteString("}\n")
	return b.String()
}

func (n *node) dot() string {
	attributes := []string{"label=" + dotQuoted(n.lines...)}
	switch n.shape {
	case rounded:
		attributes = append(attributes, `style="filled,rounded"`)
	case ellipse:
		attributes = append(attributes, "shape=ellipse")
	case slanted:
		attributes = append(attributes, "shape=polygon", "sides=4", "skew=0.25", "margin=\"0.05,0.02\"")
	case hexagon:
		attributes = append(attributes, "shape=hexagon", `fillcolor="#fff8c5"`)
	}
	if n.woven {
		attributes = append(attributes, `fillcolor="#ddf4ff"`, `color="#0969da"`)
	}
	if n.twice {
		attributes = append(attributes, "peripheries=2")
	}
	return fmt.Sprintf("%s [%s]", n.id, strings.Join(attributes, ", "))
}

func (e *edge) dot() string {
	var attributes []string
	if e.label != "" {
		attributes = append(attributes, "label="+dotQuoted(e.label))
	}
	switch e.style {
	case dashed:
		attributes = append(attributes, "style=dashed")
	case loose: // so that what it would close to a cycle goes from left to right
		attributes = append(attributes, "style=dashed", "constraint=false")
	case thick:
		attributes = append(attributes, "penwidth=2", `color="#9a6700"`, `fontcolor="#9a6700"`)
	}
	arrow := e.from + " -> " + e.to
	if len(attributes) > 0 {
		arrow += " [" + strings.Join(attributes, ", ") + "]"
	}
	return arrow
}

// dotEscaper keeps quotes and backslashes what they are, and has no text read as an entity.
var dotEscaper = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;")

// dotQuoted is a label of these lines.
func dotQuoted(lines ...string) string {
	escaped := make([]string, len(lines))
	for i, l := range lines {
		escaped[i] = dotEscaper.Replace(printable(l))
	}
	return `"` + strings.Join(escaped, `\n`) + `"`
}
