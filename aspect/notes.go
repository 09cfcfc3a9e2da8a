package aspect

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/backstay/backstay/annotation"
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
)

// Notes lists what is not wrong but should be known of the woven service: optional methods of the target that the proxy
// hides; retried methods that take a reader, writer or channel, whose second attempt sees consumed input; retried methods
// without a context, which start a new layer of retries and whose waits nobody can end.
func (p *Plan) Notes() (notes []string) {
	if !p.IsWoven() {
		return nil
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
	}
	return notes
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
