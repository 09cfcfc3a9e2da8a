package container

import (
	"errors"
	"fmt"
	"strings"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// buildError is why a service could not be built, and who asked for whom. It unwraps to the constructor's own error.
type buildError struct {
	by    string          // "container.Get (shop/main.go:20)"
	chain []*registration // from what was asked for to what failed
	err   error
}

// Error is one line.
func (e *buildError) Error() string {
	var b strings.Builder
	b.WriteString("backstay: " + e.by)
	for _, r := range e.chain {
		fmt.Fprintf(&b, " needs %v (%s)", r.ref(), r.written)
	}
	last := e.chain[len(e.chain)-1]
	b.WriteString(": " + onLine(e.err, func(err error) string { return last.tells(err) }))
	return flat(b.String())
}

// tells is the text of an error after the registration's reference and place: both are left out of a definition error, as far
// as they are the same.
func (r *registration) tells(err error) string {
	if d, ok := err.(*annotation.DefinitionError); ok {
		short := *d
		if short.Ref == r.ref() {
			short.Ref = retry.MethodRef{}
		}
		if short.Place == r.written.String() {
			short.Place = ""
		}
		err = &short
	}
	return withoutName(err)
}

// withoutName is the text of an error inside that of another one.
func withoutName(err error) string { return strings.TrimPrefix(err.Error(), "backstay: ") }

// onLine is an error on one line: several that are joined, each as tell says, have a semicolon between them.
func onLine(err error, tell func(error) string) string {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || err.Error() != errors.Join(joined.Unwrap()...).Error() {
		return flat(tell(err))
	}
	var texts []string
	for _, err := range joined.Unwrap() {
		texts = append(texts, onLine(err, tell))
	}
	return strings.Join(texts, "; ")
}

// Unwrap returns the constructor's error.
func (e *buildError) Unwrap() error { return e.err }

// askedBy completes the error of a build by who asked.
func askedBy(what, place string, err error) error {
	if b := new(buildError); errors.As(err, &b) && b.by == "" {
		b.by = fmt.Sprintf("%s (%s)", what, place)
	}
	return err
}

// explain makes the error of a build that was asked for r. The lock is held.
func (p *plan) explain(r *registration, err error) error {
	f := p.engine.failure
	if f == nil {
		return &buildError{chain: []*registration{r}, err: err} // dig's own
	}
	return f.explained(r)
}

// chain is how a build came from one registration to another.
func chain(from, to *registration) []*registration {
	if all := path(from, to); all != nil {
		return all
	}
	return []*registration{from, to}
}

// path is the first path from one registration to another in order of need; nil: there is none.
func path(from, to *registration) []*registration {
	seen := map[*registration]bool{from: true}
	path := []step{{from, 0}}
	for path[len(path)-1].at != to {
		top := &path[len(path)-1]
		if top.next == len(top.at.edges) {
			if path = path[:len(path)-1]; len(path) == 0 {
				return nil
			}
			continue
		}
		next := top.at.edges[top.next].to
		top.next++
		if !seen[next] {
			seen[next] = true
			path = append(path, step{next, 0})
		}
	}
	all := make([]*registration, len(path))
	for i, s := range path {
		all[i] = s.at
	}
	return all
}
