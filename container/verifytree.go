package container

import (
	"fmt"
	"strings"
)

// tree is the text for %+v.
func (e *VerifyError) tree() string {
	var b strings.Builder
	count := "1 definition error"
	if n := len(e.errs); n != 1 {
		count = fmt.Sprintf("%d definition errors", n)
	}
	fmt.Fprintf(&b, "backstay: %s", count)
	for _, of := range e.services() {
		fmt.Fprintf(&b, "\n\n%s", of.home.heading())
		for _, m := range of.methods {
			indent := "\n  "
			if m.name != "" {
				fmt.Fprintf(&b, "\n  @%s", m.name)
				indent += "  "
			}
			for _, i := range m.errs {
				b.WriteString(indent + strings.Join(e.lines(i), indent))
			}
		}
	}
	return b.String()
}

// heading names the service and where it was registered.
func (h home) heading() string {
	switch {
	case h.service == "":
		return "the container"
	case h.place == "":
		return h.service
	}
	return fmt.Sprintf("%s (%s)", h.service, h.place)
}

// branch is a service of the tree, and bough a method of it; that of mistakes about the service itself comes first and has no
// name. Mistakes are kept by their index.
type (
	branch struct {
		home    home
		methods []*bough
	}
	bough struct {
		name string
		errs []int
	}
)

// services are the branches of the tree, in order of their first mistake.
func (e *VerifyError) services() (all []*branch) {
	at := map[string]*branch{}
	for i, h := range e.homes {
		heading := h.heading()
		b := at[heading]
		if b == nil {
			b = &branch{home: h, methods: []*bough{{}}}
			at[heading], all = b, append(all, b)
		}
		m := b.method(definition(e.errs[i]).Ref.Method)
		m.errs = append(m.errs, i)
	}
	return all
}

// method is the bough of that name, new if there is none.
func (b *branch) method(name string) *bough {
	for _, m := range b.methods {
		if m.name == name {
			return m
		}
	}
	m := &bough{name: name}
	b.methods = append(b.methods, m)
	return m
}

// lines tell of one mistake: what is wrong, the steps of a cycle, and what to write instead.
func (e *VerifyError) lines(i int) (lines []string) {
	h, d := e.homes[i], definition(e.errs[i])
	what := d.Problem
	if len(h.steps) > 0 {
		what = "a cycle"
	}
	if d.Annotation != "" {
		what = d.Annotation + ": " + what
	}
	if d.Place != "" && d.Place != h.place && len(h.steps) == 0 {
		what += " (" + d.Place + ")"
	}
	lines = append(lines, flat(what))
	for _, s := range h.steps {
		lines = append(lines, "  "+flat(s))
	}
	if d.Remedy != "" {
		lines = append(lines, "  remedy: "+flat(d.Remedy))
	}
	return lines
}

// flat keeps a line a line.
func flat(text string) string { return strings.ReplaceAll(text, "\n", " ") }
