package aspect

import "github.com/backstay/backstay/annotation"

// target is a pointcut, of an aspect or of what is declared for many services, and what it has met.
type target struct {
	matcher matcher
	place   string
	met     bool
	unmet   map[*pointcut]bool // names in it that have matched nothing so far
}

func targetOf(p Pointcut, place string) target {
	m, ok := p.(matcher)
	if !ok {
		m = And(nil).(matcher) // says what is wrong with it
	}
	return target{matcher: m, place: place, unmet: m.names()}
}

// meets reports whether the pointcut matches, and notes which names in it do.
func (t *target) meets(c *candidate) bool {
	for p := range t.unmet {
		if p.match(c) {
			delete(t.unmet, p)
		}
	}
	matches := t.matcher.matches(c)
	t.met = t.met || matches
	return matches
}

// among are the methods of the service that the pointcut matches, with the annotations that they carry.
func (t *target) among(s *Service, methods []annotation.Method, entries func(method string) []annotation.Entry) (names []string) {
	for _, m := range methods {
		if t.meets(s.candidate(m.Name, entries(m.Name))) {
			names = append(names, m.Name)
		}
	}
	return names
}

// wrong reports what is wrong with the pointcut of something.
func (t *target) wrong(w *Weaver, what string) (errs []error) {
	for _, p := range t.matcher.problems() {
		errs = append(errs, problem(p, t.place))
	}
	if len(errs) > 0 {
		return errs
	}
	if !t.met && !t.matcher.mayBeIdle() {
		return append(errs, w.nothing(what, t.place, append(textsOf(t.unmet), t.matcher.String())...))
	}
	for _, text := range textsOf(t.unmet) {
		errs = append(errs, w.nothing(text+" in "+what, t.place, text))
	}
	return errs
}
