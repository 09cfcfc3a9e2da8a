package aspect

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// optionalMethods are methods that well-known callers look for by a type assertion: net/http of its transports and
// writers, io.Copy of readers and writers, database/sql of drivers. A proxy has the methods of its interface alone.
var optionalMethods = []string{
	"CloseIdleConnections", "Flush", "FlushError", "Hijack", "Push", "Unwrap", "ReadFrom", "WriteTo", "WriteString", "ReadByte",
	"BeginTx", "CheckNamedValue", "ColumnConverter", "ExecContext", "IsValid", "OpenConnector", "Ping", "PrepareContext",
	"QueryContext", "ResetSession", "NextResultSet",
}

var (
	readerType = reflect.TypeFor[io.Reader]()
	writerType = reflect.TypeFor[io.Writer]()

	builtinStrategy = reflect.TypeOf(retry.Flat) // of those that do not wait where the base is zero
)

// Notes lists what is not wrong but should be known of the woven service: optional methods of the target that the proxy
// hides; retried methods that take a reader, writer or channel, whose second attempt sees consumed input; retried methods
// without a context, which start a new layer of retries and whose waits nobody can end; retries that nothing paces; and
// annotations that no aspect reads.
func (p *Plan) Notes() (notes []string) {
	notes = p.unread()
	if !p.IsWoven() {
		return notes
	}
	if hidden := p.hidden(); len(hidden) > 0 {
		notes = append(notes, fmt.Sprintf("%v: the proxy hides %s of %v: callers that look for them by a type assertion do not find them; put them into the interface, or use aspect.Unwrap",
			p.service.Ref, strings.Join(hidden, ", "), p.service.Impl))
	}
	for _, m := range p.methods {
		if m.retry == nil {
			continue
		}
		for i, t := range m.parameters() {
			if t.Kind() == reflect.Chan || t.Kind() == reflect.Interface && (t.Implements(readerType) || t.Implements(writerType)) {
				notes = append(notes, fmt.Sprintf("%v: parameter %d is a %v, and a second attempt sees what the first has left of it; rewind it with BeforeRetry", m.ref, i, t))
			}
		}
		if m.contextAt < 0 && m.requestAt < 0 {
			notes = append(notes, fmt.Sprintf("%v: the method takes no context, so its waits cannot be ended and sessions around it do not know of it; give it a context.Context", m.ref))
		}
		if !m.retry.isPaced() {
			notes = append(notes, fmt.Sprintf("%v: nothing paces its retries: attempts are not counted, and there is neither a budget nor a wait, so a callee that fails at once is called as fast as it can be; set maxAttempts, budget or base", m.ref))
		}
	}
	return notes
}

// unread are the annotations of methods around which there is no aspect that could read them.
func (p *Plan) unread() (notes []string) {
	for _, d := range p.Describe() {
		if len(d.Aspects) > 1 || len(d.Aspects) == 1 && len(d.Policies) == 0 {
			continue // besides the retry there is one
		}
		for _, e := range d.Entries {
			if t := reflect.TypeOf(e.Annotation); !annotation.IsRetry(t) {
				notes = append(notes, fmt.Sprintf("%v: it carries %v (%s), and no aspect is around it: nothing comes of that unless your code asks the registry; provide the aspect, with a pointcut that meets the method", d.Ref, t, e.Place))
			}
		}
	}
	return notes
}

// isPaced reports whether something bounds how often the method is attempted, or how soon after a failure. A timeout bounds
// neither, and what a policy of the user's does is not known.
func (r *plannedRetry) isPaced() bool {
	s := r.definition.Settings
	has := func(f retry.PolicyFactory) bool { return slices.Contains(s.Policies, f) }
	switch {
	case has(retry.MaxAttempts):
		if s.MaxAttempts != retry.Unlimited {
			return true
		}
	case !has(retry.Timeout):
		return true // by the number of attempts of a list that nothing bounds
	}
	waits := has(retry.Sleep) && (s.Base > 0 || r.waitHint != nil || r.strategy != nil || reflect.TypeOf(s.SleepStrategy) != builtinStrategy)
	return waits || has(retry.Budget) || len(r.custom) > 0
}

// hidden are the optional methods of the target that no interface of the service has.
func (p *Plan) hidden() (hidden []string) {
	if p.service.Impl == nil {
		return nil
	}
	for _, name := range optionalMethods {
		if _, has := p.service.Impl.MethodByName(name); has && !slices.ContainsFunc(p.all, func(m annotation.Method) bool { return m.Name == name }) {
			hidden = append(hidden, name)
		}
	}
	return hidden
}
