package aspect

import (
	"fmt"
	"slices"

	"github.com/backstay/backstay/annotation"
)

// WithAnnotation attaches an annotation of type A to every method that p matches. What anybody says of one service is
// nearer: an annotation of the same type there, on a glob too, replaces this one as a whole. Methods that could never be
// retried under a retry annotation are left out. One that meets nothing is a definition error.
func WithAnnotation[A any](p Pointcut, opts ...annotation.Option) WeaverOption {
	return WithDeclaration(p, annotation.DeclareAll[A](annotation.Caller(0), opts...))
}

// WithDeclaration is [WithAnnotation] for those who weave: d is made by annotation.DeclareAll.
func WithDeclaration(p Pointcut, d annotation.Declaration) WeaverOption {
	return weaverOption(func(w *weaverOptions) {
		w.blankets = append(w.blankets, &blanket{target: targetOf(p, d.Place()), declaration: d})
	})
}

// WithConfiguration sets attributes of the methods that a reference such as "SMTP@Send" or "Pg*@Get*" means, over all that
// is declared for them, for deployments; annotation.Enabled turns an annotation off. Of several that set one attribute the one
// whose class and method are named more closely holds, then the later one. What has no effect is a definition error.
func WithConfiguration(methods string, opts ...annotation.Option) WeaverOption {
	return WithConfigured(annotation.Configure(methods, annotation.Caller(0), opts...))
}

// WithConfigured is [WithConfiguration] for those who weave.
func WithConfigured(c *annotation.Configuration) WeaverOption {
	return weaverOption(func(w *weaverOptions) {
		w.configurations = append(w.configurations, &configuration{targetOf(At(c.String()), c.Place()), c})
	})
}

// blanket is an annotation for what a pointcut matches.
type blanket struct {
	target
	declaration annotation.Declaration
	placed      bool // some method carries it
}

// unplaced says that no method that is met carries the annotation.
func (b *blanket) unplaced() error {
	d := &annotation.DefinitionError{
		Annotation: b.declaration.Type().String(), Place: b.place,
		Problem: fmt.Sprintf("every method that %v meets carries a nearer one", b.matcher),
		Remedy:  "correct the pointcut, or leave the annotation out",
	}
	if annotation.IsRetry(b.declaration.Type()) {
		d.Problem = fmt.Sprintf("%v meets only methods that can never be retried, or that carry a nearer one", b.matcher)
	}
	return d
}

// configuration is a Configuration and what it is for.
type configuration struct {
	target
	*annotation.Configuration
}

// declared are the declarations of a service, those for many services included, and what is configured for it.
func (w *Weaver) declared(s *Service, subject annotation.Subject, own []annotation.Declaration) (all []annotation.Declaration, configured []annotation.Configured) {
	all = own
	if len(w.options.blankets)+len(w.options.configurations) == 0 || len(subject.Methods) == 0 {
		return all, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.isOurs(s) {
		return all, nil
	}
	entries := w.carried(subject, own)
	for _, b := range w.options.blankets {
		if names := b.among(s, subject.Methods, entries); len(names) > 0 {
			all = append(all[:len(all):len(all)], b.declaration.Among(b.matcher.String(), names))
		}
	}
	for _, c := range w.options.configurations {
		if names := c.among(s, subject.Methods, entries); len(names) > 0 {
			configured = append(configured, annotation.Configured{Configuration: c.Configuration, Methods: names})
		}
	}
	return all, configured
}

// carried tells, by method, the annotations that a service carries by what is said of it alone.
func (w *Weaver) carried(subject annotation.Subject, own []annotation.Declaration) func(method string) []annotation.Entry {
	byMethod := map[string][]annotation.Entry{}
	if len(w.options.blankets) > 0 {
		definitions, _ := annotation.Resolve(subject, own, w.options.defaults, w.options.defaultsPlace) // errors are reported when all is known
		for _, d := range definitions {
			byMethod[d.Method.Name] = d.Entries
		}
	}
	return func(method string) []annotation.Entry { return byMethod[method] }
}

// place notes which of the annotations for many services some method carries.
func (w *Weaver) place(definitions []annotation.MethodDefinition) {
	if len(w.options.blankets) == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, b := range w.options.blankets {
		b.placed = b.placed || slices.ContainsFunc(definitions, func(d annotation.MethodDefinition) bool {
			return slices.ContainsFunc(d.Entries, func(e annotation.Entry) bool { return e.Place == b.place })
		})
	}
}

// foresee lets pointcuts meet what they would if configurations turned nothing off: it is no mistake of theirs that a
// deployment has switched off what they are for.
func (w *Weaver) foresee(s *Service, subject annotation.Subject, declarations []annotation.Declaration, configured []annotation.Configured) {
	if !slices.ContainsFunc(configured, annotation.Configured.Switches) {
		return
	}
	definitions, _ := annotation.Resolve(subject, declarations, w.options.defaults, w.options.defaultsPlace)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.isOurs(s) {
		return
	}
	for _, d := range definitions {
		c := s.candidate(d.Method.Name, d.Entries)
		for _, a := range w.advice {
			if a.matcher != nil {
				a.meets(c)
			}
		}
	}
}

// undeclared reports annotations for many services, and configurations, that are wrong or have met nothing so far. The lock
// is held.
func (w *Weaver) undeclared() (errs []error) {
	for _, b := range w.options.blankets {
		mistakes := b.declaration.Mistakes()
		errs = append(errs, mistakes...)
		what := fmt.Sprintf("annotation %v of %v", b.declaration.Type(), b.matcher)
		switch wrong := b.wrong(w, what); {
		case len(wrong) > 0:
			errs = append(errs, wrong...)
		case len(mistakes) == 0 && !b.placed && !b.matcher.mayBeIdle():
			errs = append(errs, b.unplaced())
		}
	}
	for _, c := range w.options.configurations {
		errs = append(errs, c.Mistakes()...)
		if wrong := c.matcher.problems(); len(wrong) > 0 {
			errs = append(errs, c.wrong(w, "")...)
			continue
		}
		errs = append(errs, c.Unmet(w.nearest)...)
	}
	return errs
}
