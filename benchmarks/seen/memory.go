package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"strings"
	"time"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"

	"github.com/backstay/backstay/benchmarks/calls"
	"github.com/backstay/backstay/benchmarks/harness"
	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/eventlog"
	backstayotel "github.com/backstay/backstay/otel"
	"github.com/backstay/backstay/retry"
)

// kept is something that a listener keeps of methods, once it has heard as much of each as it remembers.
type kept struct {
	name string
	make func() (retry.Listener, func() error, error) // what is done when it has heard all; nil: nothing
	fill func(context.Context, retry.Listener, retry.MethodRef)
}

// footprint is the memory that something takes for so many methods.
type footprint struct {
	name    string
	methods int
	bytes   float64 // in all
}

// footprints are measured for one method, and for as many as services have, up to the most.
func footprints(most int) (all []footprint, err error) {
	for _, k := range []kept{
		{"dashboard, calls that succeed", newBoard, succeed},
		{"dashboard, sessions exhausted after ten attempts by one error", newBoard, exhaust},
		{"dashboard, at most", newBoard, exhaustAtLength},
		{"eventlog, records of all kinds", newLog, everyKind},
		{"OTel metrics, calls with all results, collected", newMeter, everyKind},
	} {
		for _, n := range []int{1, 300, 2000} {
			if n > most {
				continue
			}
			bytes, err := k.measure(n)
			if err != nil {
				return nil, fmt.Errorf("memory of %s: %w", k.name, err)
			}
			all = append(all, footprint{k.name, n, bytes})
		}
	}
	return all, nil
}

// measure tells the memory for n methods. Where they are few it is that of many listeners, by their number, since a heap is
// never quite still.
func (k kept) measure(n int) (float64, error) {
	refs := make([]retry.MethodRef, n)
	for i := range refs {
		refs[i] = retry.MethodRef{Class: fmt.Sprint("Gateway", i), Method: "Charge"}
	}
	listeners := make([]retry.Listener, max(1, 50/n))
	if err := k.fillOne(refs, &listeners[0]); err != nil { // what is made once for all
		return 0, err
	}
	listeners[0] = nil
	before := harness.Live()
	for i := range listeners {
		if err := k.fillOne(refs, &listeners[i]); err != nil {
			return 0, err
		}
	}
	bytes := harness.Live() - before
	runtime.KeepAlive(listeners)
	runtime.KeepAlive(refs)
	return max(0, bytes) / float64(len(listeners)), nil
}

func (k kept) fillOne(refs []retry.MethodRef, into *retry.Listener) error {
	l, heard, err := k.make()
	if err != nil {
		return err
	}
	for _, ref := range refs {
		k.fill(context.Background(), l, ref)
	}
	*into = l
	if heard != nil {
		return heard()
	}
	return nil
}

func newBoard() (retry.Listener, func() error, error) { return dashboard.New(), nil, nil }

func newLog() (retry.Listener, func() error, error) {
	return eventlog.New(slog.New(slog.NewJSONHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelDebug}))), nil, nil
}

// newMeter has the SDK keep as many series as there are.
func newMeter() (retry.Listener, func() error, error) {
	reader := sdkmetric.NewManualReader()
	provider := sdkmetric.NewMeterProvider(sdkmetric.WithReader(reader), sdkmetric.WithCardinalityLimit(0))
	in, err := backstayotel.New(backstayotel.WithMeterProvider(provider), withoutSpans)
	return in, func() error {
		_, err := readMetrics(reader)
		return err
	}, err
}

// succeed tells of calls that succeed at once.
func succeed(ctx context.Context, l retry.Listener, ref retry.MethodRef) {
	for i := range 100 {
		l.On(ctx, retry.Succeeded{MethodRef: ref, Attempts: 1, Elapsed: time.Millisecond, Session: session(ref, i)})
	}
}

// remembered is more sessions than the dashboard keeps of a method.
const remembered = 30

// exhaust tells of sessions that all failed in one way, as in an outage.
func exhaust(ctx context.Context, l retry.Listener, ref retry.MethodRef) {
	for i := range remembered {
		fail(ctx, l, ref, session(ref, i), maxAttempts, func(int) error { return calls.ErrPeer })
	}
}

// exhaustAtLength tells of sessions that are as long, and of errors that are as many and as long, as can be.
func exhaustAtLength(ctx context.Context, l retry.Listener, ref retry.MethodRef) {
	long := strings.Repeat("x", 1000)
	for i := range remembered {
		fail(ctx, l, ref, session(ref, i), 2*maxAttempts, func(attempt int) error {
			return fmt.Errorf("%v, session %d, attempt %d: %s", ref, i, attempt, long)
		})
	}
}

// fail tells of a session whose attempts fail, each after a wait.
func fail(ctx context.Context, l retry.Listener, ref retry.MethodRef, id retry.SessionID, attempts int, because func(int) error) {
	for i := 1; i <= attempts; i++ {
		err := because(i)
		l.On(ctx, retry.AttemptFailed{MethodRef: ref, Attempt: i, Err: err, Session: id})
		if i < attempts {
			l.On(ctx, retry.RetryScheduled{MethodRef: ref, Attempt: i + 1, Wait: time.Millisecond, Err: err, Session: id})
		}
	}
	l.On(ctx, retry.Exhausted{MethodRef: ref, Limit: "maxAttempts", Attempts: attempts, Elapsed: time.Second, Err: because(attempts), Session: id})
	l.On(ctx, retry.FallbackSucceeded{MethodRef: ref, Cause: because(attempts), Session: id})
}

// everyKind tells of sessions that end in every way.
func everyKind(ctx context.Context, l retry.Listener, ref retry.MethodRef) {
	id := session(ref, 0)
	fail(ctx, l, ref, id, 3, func(int) error { return calls.ErrPeer })
	for _, e := range []retry.Event{
		retry.Succeeded{MethodRef: ref, Attempts: 1, Elapsed: time.Millisecond, Session: id},
		retry.Succeeded{MethodRef: ref, Attempts: 2, Elapsed: time.Millisecond, Session: id},
		retry.Failed{MethodRef: ref, Attempts: 1, Elapsed: time.Millisecond, Err: calls.ErrPeer, Session: id},
		retry.Failed{MethodRef: ref, Attempts: 1, Elapsed: time.Millisecond, Err: context.Canceled, Canceled: true, Session: id},
		retry.Rejected{MethodRef: ref, Reason: retry.ErrCircuitOpen, Gate: "circuitBreaker", Session: id},
		retry.FallbackFailed{MethodRef: ref, Cause: retry.ErrCircuitOpen, Err: calls.ErrPeer, Session: id},
		retry.Aborted{MethodRef: ref, Attempts: 1, Elapsed: time.Millisecond, Session: id},
		retry.BudgetRefused{MethodRef: ref, Session: id},
	} {
		l.On(ctx, e)
	}
}

// session is a number that looks like those of real sessions: no two that are kept have the same.
func session(ref retry.MethodRef, i int) retry.SessionID {
	var n int
	fmt.Sscanf(ref.Class, "Gateway%d", &n)
	return retry.SessionID(0x10000 + 128*(n*1000+i))
}

// writeMemory writes the table.
func writeMemory(w io.Writer, all []footprint) {
	fmt.Fprint(w, `
## What is kept

Live bytes after two garbage collections, once as much has been told of each method as is remembered. At most is what the dashboard
takes where each of the sessions it keeps has more attempts than it keeps of one, each with an error of its own that is
longer than it keeps. eventlog remembers 2,000 pairs of kind and method, however many methods there are.

`)
	var rows [][]string
	for _, f := range all {
		rows = append(rows, []string{f.name, harness.Count(float64(f.methods)), harness.Number(f.bytes / 1e3), harness.Count(f.bytes / float64(f.methods))})
	}
	harness.Table(w, []string{"", ">methods", ">kB", ">bytes per method"}, rows)
}
