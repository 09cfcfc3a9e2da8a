package container

import (
	"errors"
	"fmt"
	"io"

	"github.com/backstay/backstay/annotation"
)

// Verify reports everything that is wrong with what the container was told, as a [*VerifyError]; nil when nothing is. It runs
// no constructor, so a test can verify the wiring of a whole program. Invoke, Get and Lookup verify first, with the same
// error: calling Verify is for tests, and for failing early.
//
// It finds what nobody provides, cycles, what is provided twice, overrides and decorators of what is not there, keys in tags
// that mean nothing, pointcuts, annotations and configurations that meet no method, annotations of services that cannot be
// woven, references that lead nowhere, lifetimes and signatures that do not fit, values out of their range. A name that comes
// close to one that is known is told as what was probably meant.
//
// Cycles are those of all that is needed to build: parameters, members of groups, what decorators take, and what weaving
// needs: fallbacks, predicates, hooks, matchers and strategies that are services, what a policy takes, and aspects. A [Lazy]
// or a [Provider] ends a cycle, since it is asked later. Where one could never give anything it is an error like a parameter: of
// what nobody provides, of another lifetime than it is for, of a scoped service in a singleton. An aspect, a listener or a
// fallback may take the Lazy of a service that it belongs to. What a Lazy is asked while something is built cannot be seen
// beforehand: that Get returns an error which says so.
//
// The first use freezes the plan: a Provide, Supply, Override, Decorate or Expect after it is a definition error of every use
// that follows.
func (c *Container) Verify() error {
	_, err := c.plan()
	return err
}

// VerifyError is all that is wrong with what a container was told. Its text is one line for each mistake, in order of
// registration; by the verb %+v it is a tree: of each service, with the file and line where it was registered, and of each of its
// methods, what is wrong and what to write instead, with one line for each step of a cycle. errors.As finds the first
// *annotation.DefinitionError in it. It does not change, and is safe for concurrent use.
type VerifyError struct {
	errs  []error
	homes []home // of each
}

// home is where a mistake belongs.
type home struct {
	service string   // with its place; empty: the container as a whole
	place   string   // of the registration
	steps   []string // of a cycle
}

// Error is one line for each mistake.
func (e *VerifyError) Error() string { return errors.Join(e.errs...).Error() }

// Unwrap returns the mistakes, each an *annotation.DefinitionError. The slice must not be changed.
func (e *VerifyError) Unwrap() []error { return e.errs }

// Format writes the tree for the verb %+v, and for all others what they write of the text.
func (e *VerifyError) Format(f fmt.State, verb rune) {
	if verb == 'v' && f.Flag('+') {
		io.WriteString(f, e.tree())
		return
	}
	fmt.Fprintf(f, fmt.FormatString(f, verb), e.Error())
}

// wrong is all that is wrong, the errors of the plan and those that came too late for it; nil if there are none.
func (p *plan) wrong(late ...error) error {
	if len(p.errs)+len(late) == 0 {
		return nil
	}
	e := &VerifyError{}
	for i, err := range p.errs {
		f := finding{err: err}
		if i < len(p.told) {
			f = p.told[i]
		}
		e.add(p, f)
	}
	for _, err := range late {
		e.add(p, finding{err: err})
	}
	return e
}

func (e *VerifyError) add(p *plan, f finding) {
	e.errs = append(e.errs, f.err)
	e.homes = append(e.homes, p.home(f))
}

// home finds out where a mistake belongs: to the service that it names, registered where it was found or, if it is of no one
// registration, where the first service of that name is.
func (p *plan) home(f finding) home {
	ref := definition(f.err).Ref
	ref.Method = ""
	h := home{service: ref.String(), steps: f.steps}
	if r := f.of; r != nil {
		h.place = r.place.String()
		switch {
		case h.service == "":
			h.service = string(r.verb)
		case r.verb == decorate:
			h.service = "Decorate of " + h.service // it is not where the service is registered
		}
		return h
	}
	for _, s := range p.services {
		if h.service != "" && s.ref.String() == h.service {
			h.place = s.registration.place.String()
			break
		}
	}
	return h
}

// definition is the definition error that err is.
func definition(err error) *annotation.DefinitionError {
	if d := new(annotation.DefinitionError); errors.As(err, &d) {
		return d
	}
	return &annotation.DefinitionError{Problem: err.Error()}
}
