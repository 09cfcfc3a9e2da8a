package explain

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// String is all of the wiring as an indented tree: of each service where it comes from, how long it took to build, how it is
// woven and what it needs, and of each of its methods the chain, the annotations, the policies, and every setting with the
// place where its value was written. It ends with a line end.
func (w *Wiring) String() string {
	var t tree
	t.row("", counted(len(w.Services), "service")+", "+counted(len(w.Aspects), "aspect"))
	for _, p := range w.Problems {
		t.row("", "wrong: "+p)
	}
	for i := range w.Services {
		t.flush()
		t.row("")
		t.row("", w.Services[i].Ref.String())
		t.flush()
		w.tellService(&t, &w.Services[i])
	}
	t.flush()
	w.tellAspects(&t)
	return t.String()
}

func (w *Wiring) tellService(t *tree, s *Service) {
	t.row("  ", "class", s.Class)
	t.row("  ", "from", string(s.Origin)+" at "+s.Place)
	if s.Override != "" {
		t.row("  ", "override", s.Override)
	}
	t.rows("  ", "decorators", s.Decorators)
	t.rows("  ", "as", s.Provided)
	if s.Group != "" {
		t.row("  ", "group", s.Group)
	}
	t.row("  ", "lifetime", s.life())
	t.row("  ", "proxy", s.Proxy)
	var needs []string
	for _, n := range s.Needs {
		if n.Kind != Surround { // the chains say that
			needs = append(needs, w.tellNeed(&n))
		}
	}
	t.rows("  ", "needs", needs)
	for i := range s.Methods {
		t.flush()
		t.row("  ", "@"+s.Methods[i].Name)
		t.flush()
		s.Methods[i].tell(t)
	}
}

// life says how often the service is built, and what is known of that.
func (s *Service) life() string {
	text := string(s.Lifetime)
	switch {
	case s.Origin == Supply:
		return text + ", supplied"
	case s.Origin == Expect:
		return text + ", supplied to each scope"
	case !s.Built:
		return text + ", not built yet"
	case s.Lifetime == Singleton:
		return text + ", built in " + rounded3(s.Took)
	}
	return text + ", first built in " + rounded3(s.Took)
}

// rounded3 is a duration to about three digits.
func rounded3(d time.Duration) string {
	for unit := time.Duration(1); ; unit *= 10 {
		if d < 1000*unit {
			return d.Round(unit).String()
		}
	}
}

func (w *Wiring) tellNeed(n *Need) string {
	text := n.Key
	if n.To == Nobody && n.Kind == Group {
		return "nobody of group " + n.Key
	}
	if n.To != Nobody {
		text = w.Services[n.To].Ref.String()
	}
	switch n.Kind {
	case Lazy:
		text += ", lazily"
	case Provider:
		text += ", by a Provider"
	case Group:
		text += ", in group " + n.Key
	case Decorator:
		text += ", for the decorator at " + n.Place
	case Reference, Policy:
		text += ", for " + n.Why
	}
	if n.Optional {
		text += ", optional"
	}
	if n.To == Nobody {
		text += ": nobody provides it"
	}
	return text
}

func (m *Method) tell(t *tree) {
	for i, a := range m.Aspects {
		t.row("    ", only(i == 0, "chain"), a.Name, strconv.Itoa(a.Priority), a.Place, a.Pointcut)
	}
	t.align()
	for i, a := range m.Annotations {
		t.row("    ", only(i == 0, "annotations"), a.text(), a.origin())
	}
	t.align()
	if len(m.Policies) > 0 {
		t.row("    ", "policies", strings.Join(m.Policies, ", "))
	}
	t.align()
	for _, a := range m.Attributes {
		t.row("    ", a.Key, a.Value, a.Origin)
	}
}

// tellAspects lists the aspects with what they meet, outermost first.
func (w *Wiring) tellAspects(t *tree) {
	if len(w.Aspects) == 0 {
		return
	}
	t.row("")
	t.row("", "aspects, outermost first")
	t.flush()
	for _, a := range w.Aspects {
		t.row("  ", a.Name, strconv.Itoa(a.Priority), a.Place, strings.Join(append([]string{a.Pointcut}, a.Orders...), ", "))
	}
	t.flush()
}

func only(when bool, text string) string {
	if when {
		return text
	}
	return ""
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// text is the annotation with its settings.
func (a *Annotation) text() string {
	if a.Settings == "" {
		return a.Type
	}
	return a.Type + " " + a.Settings
}

// origin is where it was written, and what a deployment has made of it.
func (a *Annotation) origin() string {
	text := a.Place
	if len(a.Configured) > 0 {
		text += ", set by configuration " + strings.Join(a.Configured, " and ")
	}
	if a.OffBy != "" {
		text += ", off by configuration " + a.OffBy
	}
	return text
}
