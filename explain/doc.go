// Package explain holds what a container tells of itself: which services there are and where each comes from, what each
// needs and why, what stands around each of their methods, and where every setting was written. A [Wiring] is data, to be
// searched, compared and marshalled, and it renders itself in three ways:
//
//   - [Wiring.String], for reading: all of it, as an indented tree;
//   - [Wiring.DOT], a picture for Graphviz;
//   - [Wiring.Mermaid], the same picture for what shows Markdown.
//
// A container makes one by Container.Explain:
//
//	fmt.Println(c.Explain())
//	os.WriteFile("wiring.dot", []byte(c.Explain().DOT()), 0o644) // dot -Tsvg wiring.dot -o wiring.svg
//
// # Reading the picture
//
// An arrow leads from who needs to what is needed: solid where that has to be built before, dashed where it is asked for
// later, as by a Lazy or a Provider. A thick arrow leads from an aspect to what it stands around, with the methods.
//
//	box         a singleton
//	rounded     a service of each scope
//	ellipse     a transient, built for whoever takes it
//	slanted     a value that was supplied, to the container or to each scope
//	hexagon     an aspect
//	coloured    woven: calls go through a chain
//	heavy frame decorated, and the label says how often; Graphviz draws two frames
//
// In the frame "scope" stands what each scope has for itself: its services, what it is supplied with, and transients that
// take either.
//
// Pictures show no times and no places, so the one of a container changes only when its wiring does, and can be kept
// beside the code and compared.
//
// The package imports nothing but what names methods, retry. Containers import it; it knows none.
package explain
