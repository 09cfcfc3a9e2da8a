package backstayotel_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/backstay/backstay/aspect"
	backstayotel "github.com/backstay/backstay/otel"
)

// Vault is a service with methods of several shapes.
type Vault interface {
	Open(ctx context.Context, id string) (string, error)
	Seal(ctx context.Context) error
	Ready() error
}

// SteelVault calls what a test gives it.
type SteelVault struct {
	open  func(ctx context.Context, id string) (string, error)
	seal  func(ctx context.Context) error
	ready func() error
}

func (v *SteelVault) Open(ctx context.Context, id string) (string, error) { return v.open(ctx, id) }
func (v *SteelVault) Seal(ctx context.Context) error                      { return v.seal(ctx) }
func (v *SteelVault) Ready() error                                        { return v.ready() }

// JamError is a failure whose text is nobody's business.
type JamError struct{ Secret string }

func (e *JamError) Error() string { return "jammed: " + e.Secret }

var errJam = &JamError{"4711"}

// failing fails so many times, then succeeds.
func failing(times int, err error) func(context.Context, string) (string, error) {
	return func(context.Context, string) (string, error) {
		if times--; times >= 0 {
			return "", err
		}
		return "gold", nil
	}
}

// traced is an instrumentation whose spans are kept.
type traced struct {
	*backstayotel.Instrumentation
	kept     *tracetest.SpanRecorder
	provider *sdktrace.TracerProvider
}

func newTraced(t testing.TB, opts ...sdktrace.TracerProviderOption) *traced {
	t.Helper()
	kept := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(append(opts, sdktrace.WithSpanProcessor(kept))...)
	return &traced{instrumentation(t, provider), kept, provider}
}

func instrumentation(t testing.TB, p trace.TracerProvider) *backstayotel.Instrumentation {
	t.Helper()
	in, err := backstayotel.New(backstayotel.WithTracerProvider(p), backstayotel.WithMeterProvider(metricnoop.NewMeterProvider()))
	require.NoError(t, err)
	return in
}

// tracer makes the spans of a user.
func (tr *traced) tracer() trace.Tracer { return tr.provider.Tracer("user") }

// weaver has both aspects around every method, and what opts add.
func weaver(in *backstayotel.Instrumentation, opts ...aspect.WeaverOption) *aspect.Weaver {
	return aspect.NewWeaver(append(opts, aspect.WithListener(in),
		aspect.WithAspect(aspect.Any(), backstayotel.SessionPriority, in.SessionAspect()),
		aspect.WithAspect(aspect.Any(), backstayotel.AttemptPriority, in.AttemptAspect()))...)
}

func wrapped[I any](t testing.TB, w *aspect.Weaver, target I, opts ...aspect.WrapOption) I {
	t.Helper()
	woven, err := aspect.Wrap(w, target, opts...)
	require.NoError(t, err)
	return woven
}

// tree draws the spans that have ended: each under its parent, in the order in which they began, with the times since the first
// began.
func (tr *traced) tree() string {
	ended := tr.kept.Ended()
	slices.SortStableFunc(ended, func(a, b sdktrace.ReadOnlySpan) int { return a.StartTime().Compare(b.StartTime()) })
	var text strings.Builder
	text.WriteString("\n")
	drawn := map[trace.SpanID]bool{}
	var draw func(indent string, parent trace.SpanID)
	draw = func(indent string, parent trace.SpanID) {
		for _, s := range ended {
			id := s.SpanContext().SpanID()
			if s.Parent().SpanID() == parent && !drawn[id] {
				drawn[id] = true
				text.WriteString(line(indent, s, ended[0].StartTime()))
				draw(indent+"  ", id)
			}
		}
	}
	draw("", trace.SpanID{})
	for _, s := range ended {
		if !drawn[s.SpanContext().SpanID()] {
			text.WriteString("lost: " + s.Name() + "\n")
		}
	}
	return text.String()
}

func line(indent string, s sdktrace.ReadOnlySpan, zero time.Time) string {
	text := fmt.Sprintf("%s%s %v-%v%s", indent, s.Name(), s.StartTime().Sub(zero), s.EndTime().Sub(zero), told(s.Attributes()))
	if s.Status().Code != codes.Unset {
		text += " " + s.Status().Code.String()
		if s.Status().Description != "" {
			text += ": " + s.Status().Description
		}
	}
	for _, e := range s.Events() {
		text += fmt.Sprintf("\n%s  · %s %v%s", indent, e.Name, e.Time.Sub(zero), told(e.Attributes))
	}
	return text + "\n"
}

// told is the attributes, without their prefix and without those that name the method.
func told(attributes []attribute.KeyValue) string {
	var all []string
	for _, a := range attributes {
		switch a.Key {
		case "backstay.class", "backstay.name", "backstay.method":
		default:
			all = append(all, fmt.Sprintf(" %s=%s", strings.TrimPrefix(string(a.Key), "backstay."), a.Value.Emit()))
		}
	}
	slices.Sort(all)
	return strings.Join(all, "")
}

// endOf runs f in a goroutine of its own, so that it may also end it, and tells with what it has panicked.
func endOf(f func()) (panicked any, returned bool) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { panicked = recover() }()
		f()
		returned = true
	}()
	<-done
	return panicked, returned
}

var errCut = errors.New("cut")
