package backstayotel

import (
	"context"
	"sync/atomic"

	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// Priorities of the aspects that make spans. Aspects of yours that are to be seen inside an attempt's span need a smaller
// priority than AttemptPriority.
const (
	// SessionPriority is outside the retry and inside of what may answer without it, such as a cache: the span is that of
	// the session.
	SessionPriority = aspect.RetryPriority + 50
	// AttemptPriority is inside the retry, and outside of what belongs to an attempt, such as a wait for a permit.
	AttemptPriority = aspect.RetryPriority - 50
)

// tracing makes the spans of sessions and attempts. It is safe for concurrent use.
type tracing struct {
	tracer    trace.Tracer
	off       bool               // the provider is the one that makes no spans
	errorText func(error) string // what descriptions of failures say; nil for nothing

	methods methods

	// live counts the session spans that are open and record. At zero nobody needs to look for one in a context.
	live atomic.Int64
}

// newTracing returns the tracing of spans that p makes.
func newTracing(p trace.TracerProvider) *tracing {
	t := &tracing{tracer: p.Tracer(scopeName)}
	_, t.off = t.tracer.(noop.Tracer)
	return t
}

// on tells the span of the session that e is about, if that has one under ctx. It never touches a span of the user's.
func (t *tracing) on(ctx context.Context, e retry.Event) {
	if t.live.Load() == 0 {
		return
	}
	if s := t.sessionOf(ctx); s != nil && s.method.ref == e.Ref() {
		s.on(e)
	}
}

// SessionAspect returns the aspect that makes a span of each call: give it to a container or a weaver outside the retry, at
// [SessionPriority]. The span is a child of the one in the call's context, and in the context of what is further in. What a
// retry tells to [Instrumentation.Listener] becomes attributes and events of it. A method without a context, and without an
// *http.Request that has one, gets a span without a parent, of which nobody further in knows: it has no attempts and no
// events.
//
// A span that nobody records costs little more than starting it. It is passed on where it begins a trace, so that its whole
// trace is left out.
func (in *Instrumentation) SessionAspect() aspect.Aspect { return &sessionAspect{in.tracing} }

// AttemptAspect returns the aspect that makes a span of each attempt, a child of the session's: give it to a container or a
// weaver inside the retry, at [AttemptPriority], together with [Instrumentation.SessionAspect], without which it does nothing.
// What the attempt calls finds the span in its context.
func (in *Instrumentation) AttemptAspect() aspect.Aspect { return &attemptAspect{in.tracing} }

type sessionAspect struct{ tracing *tracing }

// Process makes a span of the call.
func (a *sessionAspect) Process(jp aspect.JoinPoint) (err error) {
	if a.tracing.off {
		return jp.Proceed()
	}
	s, unrecorded := a.tracing.begin(jp.Context(), jp.Ref())
	if s == nil {
		if unrecorded != nil {
			jp.SetContext(unrecorded)
		}
		return jp.Proceed()
	}
	err = errAborted
	defer func() { s.end(err) }()
	jp.SetContext(s)
	err = jp.Proceed()
	return err
}

type attemptAspect struct{ tracing *tracing }

// Process makes a span of the attempt, where its session has one.
func (a *attemptAspect) Process(jp aspect.JoinPoint) error {
	if a.tracing.live.Load() == 0 {
		return jp.Proceed()
	}
	ctx := jp.Context()
	s := a.tracing.sessionOf(ctx)
	if s == nil || s.method.ref != jp.Ref() {
		return jp.Proceed()
	}
	number := attemptNumber(ctx, jp)
	if number == 0 {
		return jp.Proceed()
	}
	return s.attempt(ctx, number, func(ctx context.Context) error {
		jp.SetContext(ctx)
		return jp.Proceed()
	})
}

// attemptNumber is the number of the attempt that the call belongs to, or 0 where its method is not retried.
// retry.FromContext makes an idempotency key, so it is asked only where an aspect or a bound stands in between.
func attemptNumber(ctx context.Context, jp aspect.JoinPoint) int {
	if s, ok := ctx.(*retry.Session); ok {
		return s.Attempt()
	}
	if _, retried := aspect.AnnotationOf[annotation.AbstractRetry](jp); !retried {
		return 0
	}
	a, _ := retry.FromContext(ctx)
	return a.Number
}
