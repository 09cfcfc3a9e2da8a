package container

import (
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// Configure sets attributes of methods for a deployment, over all that is declared for them by tag and at registration. The
// methods are a reference, in which class and method may have globs, and methods may be several by comma: "SMTP@Send",
// "Cache#users@Get", "Pg*@Get*,Find".
//
//	c.Configure("SMTP@Send", annotation.MaxAttempts(2), annotation.Timeout(3*time.Second))
//	c.Configure("*@*", annotation.Enabled[annotation.AbstractRetry](false)) // nothing retries in this deployment
//
// An attribute brings its policy in, as it does anywhere; annotation.Set sets own fields of annotations that the methods
// carry, and annotation.Enabled turns annotations off. Of several that set one attribute the one whose class and method are
// named more closely holds, then the later one. Configure adds no annotation: see [Annotate] and [AnnotateAll].
//
// It comes before the first use, as registrations do. A reference that meets no method, an attribute for methods without a
// retry annotation, and what else has no effect are definition errors, which Verify reports.
func (c *Container) Configure(methods string, opts ...annotation.Option) {
	at := placeOfCaller()
	c.declare("Configure", at, aspect.WithConfigured(annotation.Configure(methods, at.String(), opts...)))
}

// AnnotateAll attaches an annotation of type A to every method that p matches, of whatever service:
//
//	container.AnnotateAll[aliases.Retry](c, aspect.And(aspect.Interface[Repository](), aspect.Method("Get*")))
//	container.AnnotateAll[Audited](c, aspect.Class("billing.*"))
//
// What anybody says of one service is nearer: an annotation of the same type there, on a glob too, replaces this one as a
// whole; different types merge. Methods that could never be retried under a retry annotation are left out. p sees the
// annotations of what is said of a service alone, not those of another AnnotateAll. One that meets nothing is a definition
// error. It comes before the first use, as registrations do.
func AnnotateAll[A any](c *Container, p aspect.Pointcut, opts ...annotation.Option) {
	at := placeOfCaller()
	c.declare("AnnotateAll", at, aspect.WithDeclaration(p, annotation.DeclareAll[A](at.String(), opts...)))
}

// declare adds to what is declared for many services.
func (c *Container) declare(by verb, at place, o aspect.WeaverOption) {
	late := func(why string) error {
		return &annotation.DefinitionError{Problem: string(by) + " " + why, Remedy: "call it before the first use", Place: at.String()}
	}
	c.change(late, func() { c.declared = append(c.declared, o) })
}
