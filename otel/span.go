package backstayotel

import (
	"context"
	"errors"
	"sync/atomic"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/backstay/backstay/retry"
)

// errAborted stands for the outcome of what did not return: a panic or runtime.Goexit has ended it. No caller gets it.
var errAborted = errors.New("ended by a panic or runtime.Goexit")

// session is the span of one session, and the context under which that runs: it finds itself by its tracing as key, so that
// the session's events can be told to its own span and never to another.
type session struct {
	context.Context // holds the span, for what is further in
	tracing         *tracing
	span            trace.Span
	method          *method

	// only says that the first session whose events are told is the only one that they may come from.
	only bool
	told atomic.Uintptr // its number
}

// Value finds the session's span, and what the caller's context holds.
func (s *session) Value(key any) any {
	if key == any(s.tracing) {
		return s
	}
	return s.Context.Value(key)
}

// sessionOf is the nearest session of t around ctx that has a span, or nil.
func (t *tracing) sessionOf(ctx context.Context) *session {
	s, _ := ctx.Value(t).(*session)
	return s
}

// begin starts the span of a session. Where nothing records it returns nil, and the context to pass on if there is one:
// what is further in would begin a trace of its own where this one has just been left out.
func (t *tracing) begin(ctx context.Context, ref retry.MethodRef) (s *session, unrecorded context.Context) {
	m := t.methods.get(ref)
	started, span := t.tracer.Start(ctx, m.sessionName, m.options...)
	if !span.IsRecording() {
		if span.SpanContext().IsValid() && !trace.SpanContextFromContext(ctx).IsValid() {
			unrecorded = started
		}
		return nil, unrecorded
	}
	t.live.Add(1)
	return &session{Context: started, tracing: t, span: span, method: m}, nil
}

// end ends the span. err is what the caller gets, or errAborted.
func (s *session) end(err error) {
	s.tracing.live.Add(-1)
	s.tracing.endSpan(s.span, err)
}

// attempt runs f as one attempt of the session, under a span of its own.
func (s *session) attempt(ctx context.Context, number int, f func(context.Context) error) (err error) {
	t := s.tracing
	ctx, span := t.tracer.Start(ctx, s.method.attemptName, s.method.attemptOptions(number)...)
	err = errAborted
	defer func() { t.endSpan(span, err) }()
	err = f(&attemptContext{ctx, t})
	return err
}

// attemptContext is the context of an attempt that has a span. It hides the session's: what goes on inside is beside the
// session, and whatever is told there is not about it.
type attemptContext struct {
	context.Context
	tracing *tracing
}

// Value finds what the attempt's context holds, but for the session's span.
func (c *attemptContext) Value(key any) any {
	if key == any(c.tracing) {
		return nil
	}
	return c.Context.Value(key)
}

// endSpan ends a span with the outcome err, which may be nil or errAborted. It has to be called by a deferred func, not be
// the deferred func, and not recover: a panic goes on with the stack that it has.
func (t *tracing) endSpan(span trace.Span, err error) {
	if err != nil && span.IsRecording() {
		span.SetAttributes(attribute.String(errorTypeKey, errorType(err)))
		span.SetStatus(codes.Error, t.description(err))
	}
	span.End()
}
