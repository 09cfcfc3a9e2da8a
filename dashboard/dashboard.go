package dashboard

import (
	"context"
	"net/http"

	"github.com/backstay/backstay/retry"
)

// Dashboard collects what happens in sessions, and serves it. It is a [retry.Listener]: give it to whatever makes calls, and
// mount its [Dashboard.Handler]. It is safe for concurrent use and has no goroutine; what it has collected goes with it.
type Dashboard struct {
	allow       func(*http.Request) error // nil: no controls
	redact      func(error) string
	maxSessions int
	maxMethods  int

	clock    clock
	limits   limitNames
	methods  *methods
	tracker  tracker
	breakers knownBreakers
}

// defaultSessions is how many sessions are kept of a method unless the host says otherwise.
const defaultSessions = 20

// New makes a dashboard that has seen nothing yet.
func New(opts ...Option) *Dashboard {
	d := &Dashboard{maxSessions: defaultSessions, maxMethods: 2000, clock: newClock()}
	for _, o := range opts {
		o(d)
	}
	d.methods = newMethods(d.maxMethods, d.maxSessions)
	return d
}

// On takes an event. A call that succeeds at once is counted in less than 100 ns, without an allocation; one that fails costs
// about a microsecond for each attempt, and the text of its error.
func (d *Dashboard) On(ctx context.Context, e retry.Event) {
	now := d.clock.now()
	switch e := e.(type) {
	case retry.Succeeded:
		if m := d.methods.of(e.MethodRef); e.Attempts <= 1 {
			m.plainSuccess(e.Session, now, e.Elapsed)
		} else {
			d.succeeded(m, now, e)
		}
	case retry.AttemptFailed:
		d.attemptFailed(ctx, now, e)
	case retry.RetryScheduled:
		d.tracker.retryScheduled(e.Session, now, e.Wait)
	case retry.Failed:
		d.failed(ctx, now, e)
	case retry.Exhausted:
		d.exhausted(now, e)
	case retry.Rejected:
		d.rejected(now, e)
	case retry.Aborted:
		d.aborted(now, e)
	case retry.FallbackSucceeded:
		d.methods.of(e.MethodRef).fellBack(now, d.tracker.fallback(e.Session), succeeded, "")
	case retry.FallbackFailed:
		d.methods.of(e.MethodRef).fellBack(now, d.tracker.fallback(e.Session), failed, cut("fallback: "+d.text(e.Err)))
	case retry.BreakerChanged:
		d.breakers.changed(now, e)
	}
}
