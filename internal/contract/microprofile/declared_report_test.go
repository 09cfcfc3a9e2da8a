package microprofile_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/container/containertest"
	"github.com/backstay/backstay/retry"
)

var errDeclaredFinal = errors.New("not worth a retry")

// declaredJob is a service that does as it is told.
type declaredJob interface {
	Do(ctx context.Context) (string, error)
}

type declaredScript struct {
	takes time.Duration
	errs  []error // of the attempts; the last one again and again
	runs  int
}

func (s *declaredScript) Do(context.Context) (string, error) {
	time.Sleep(s.takes)
	s.runs++
	if err := s.errs[min(s.runs, len(s.errs))-1]; err != nil {
		return "", err
	}
	return "done", nil
}

// declaredRecorded is the service with those options, and what its container's listener is told.
func declaredRecorded(t *testing.T, s *declaredScript, opts ...annotation.Option) (declaredJob, *containertest.Recorder) {
	c, rec := containertest.New(t, func(c *container.Container) {
		c.Provide(func() *declaredScript { return s }, container.As[declaredJob](),
			container.Annotate[declaredRetry](declaredJob.Do, append(opts, annotation.IgnoreErrors(retry.Is(errDeclaredFinal)))...))
	})
	return declaredGet[declaredJob](t, c), rec
}

// declaredKinds counts events by what they tell.
func declaredKinds(rec *containertest.Recorder) map[string]int {
	kinds := map[string]int{}
	for _, e := range rec.Events() {
		if e.Ref().String() != "declaredScript@Do" {
			kinds["of another method"]++
		}
		switch e := e.(type) {
		case retry.RetryScheduled:
			kinds["retries"]++
		case retry.AttemptFailed:
			kinds["failed attempts"]++
		case retry.Succeeded:
			kinds["valueReturned"]++
		case retry.Failed:
			kinds["exceptionNotRetryable"]++
		case retry.Exhausted:
			kinds[e.Limit+" reached"]++
		case retry.FallbackSucceeded:
			kinds["applied"]++
		case retry.FallbackFailed:
			kinds["applied in vain"]++
		default:
			kinds["other"]++
		}
	}
	return kinds
}

// What is counted of a call. MicroProfile's metrics are the events here, of all calls, and the report, of one. A session says
// how it ended and how many attempts it made, which is "retried" where it is more than one.
func TestDeclaredAccountOfACall(t *testing.T) {
	const ms = time.Millisecond
	down, final := errDeclared, errDeclaredFinal
	wait := annotation.Base(100 * ms)
	times := func(n int, d time.Duration) (all []time.Duration) {
		for range n {
			all = append(all, d)
		}
		return all
	}
	for _, c := range []struct {
		name   string
		script declaredScript
		opts   []annotation.Option
		calls  int
		report retry.Report // of each
		events map[string]int
	}{
		{"mp:M1 success at once", declaredScript{errs: []error{nil}}, []annotation.Option{annotation.MaxAttempts(6), wait}, 1,
			retry.Report{Attempts: 1, Ended: retry.EndSucceeded},
			map[string]int{"valueReturned": 1}},
		{"mp:M2 success after 3 failures", declaredScript{errs: []error{down, down, down, nil}}, []annotation.Option{annotation.MaxAttempts(6), wait}, 1,
			retry.Report{Attempts: 4, Waits: times(3, 100*ms), Errors: []error{down, down, down}, Ended: retry.EndSucceeded},
			map[string]int{"valueReturned": 1, "retries": 3, "failed attempts": 3}},
		{"mp:M3 not worth a retry at once", declaredScript{errs: []error{final}}, []annotation.Option{annotation.MaxAttempts(6), wait}, 1,
			retry.Report{Attempts: 1, Errors: []error{final}, Ended: retry.EndFailed},
			map[string]int{"exceptionNotRetryable": 1, "failed attempts": 1}},
		{"mp:M4 not worth a retry after 3 failures", declaredScript{errs: []error{down, down, down, final}}, []annotation.Option{annotation.MaxAttempts(6), wait}, 1,
			retry.Report{Attempts: 4, Waits: times(3, 100*ms), Errors: []error{down, down, down, final}, Ended: retry.EndFailed},
			map[string]int{"exceptionNotRetryable": 1, "retries": 3, "failed attempts": 4}},
		{"mp:M5 two calls that always fail", declaredScript{errs: []error{down}}, []annotation.Option{annotation.MaxAttempts(6), wait}, 2,
			retry.Report{Attempts: 6, Waits: times(5, 100*ms), Errors: []error{down, down, down, down, down, down}, Ended: retry.EndExhausted, Limit: "maxAttempts"},
			map[string]int{"maxAttempts reached": 2, "retries": 10, "failed attempts": 12}},
		// Without a retry to be had the session is exhausted all the same: it wanted one.
		{"mp:M6 no retries allowed", declaredScript{errs: []error{down}}, []annotation.Option{annotation.MaxAttempts(1), wait}, 1,
			retry.Report{Attempts: 1, Errors: []error{down}, Ended: retry.EndExhausted, Limit: "maxAttempts"},
			map[string]int{"maxAttempts reached": 1, "failed attempts": 1}},
		{"mp:M7 unlimited, and 1 s is over after some attempts", declaredScript{takes: 400 * ms, errs: []error{down}},
			[]annotation.Option{annotation.MaxAttempts(retry.Unlimited), annotation.Timeout(time.Second)}, 1,
			retry.Report{Attempts: 3, Waits: times(2, 0), Errors: []error{down, down, down}, Ended: retry.EndExhausted, Limit: "timeout"},
			map[string]int{"timeout reached": 1, "retries": 2, "failed attempts": 3}},
		{"mp:M8 unlimited, and 1 s is over after the first attempt", declaredScript{takes: 1500 * ms, errs: []error{down}},
			[]annotation.Option{annotation.MaxAttempts(retry.Unlimited), annotation.Timeout(time.Second)}, 1,
			retry.Report{Attempts: 1, Errors: []error{down}, Ended: retry.EndExhausted, Limit: "timeout"},
			map[string]int{"timeout reached": 1, "failed attempts": 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				script := c.script
				job, rec := declaredRecorded(t, &script, c.opts...)
				want := c.report
				want.Ref = retry.MethodRef{Class: "declaredScript", Method: "Do"}
				for range c.calls {
					ctx, report := retry.WithReport(t.Context())
					_, err := job.Do(ctx)
					require.Equal(t, want, *report)
					require.Equal(t, report.Ended == retry.EndSucceeded, err == nil)
				}
				require.Equal(t, c.events, declaredKinds(rec))
				require.Equal(t, c.calls*want.Attempts, rec.Attempts(declaredJob.Do))
			})
		})
	}
}

var errDeclaredHandler = errors.New("the fallback failed")

// Whether a fallback was applied. A method and a handler are both a func here, so each row has two of MicroProfile's.
func TestDeclaredAccountOfAFallback(t *testing.T) {
	works := func(context.Context) (string, error) { return "instead", nil }
	fails := func(context.Context) (string, error) { return "", errDeclaredHandler }
	handles := func(error) (string, error) { return "instead", nil }
	handlesNot := func(error) (string, error) { return "", errDeclaredHandler }
	for _, c := range []struct {
		name     string
		fallback any
		err      error
		result   string
		is       []error
		ended    retry.Ending
		applied  bool
		events   map[string]int
	}{
		{"mp:M23 a method, not needed", works, nil, "done", nil, retry.EndSucceeded, false, map[string]int{"valueReturned": 1}},
		{"mp:M24 a method that works", works, errDeclared, "instead", nil, retry.EndExhausted, true,
			map[string]int{"failed attempts": 1, "maxAttempts reached": 1, "applied": 1}},
		{"mp:M25 a method that fails", fails, errDeclared, "", []error{errDeclaredHandler, errDeclared}, retry.EndExhausted, true,
			map[string]int{"failed attempts": 1, "maxAttempts reached": 1, "applied in vain": 1}},
		{"mp:M26 a method that is skipped", works, errDeclaredFinal, "", []error{errDeclaredFinal}, retry.EndFailed, false,
			map[string]int{"failed attempts": 1, "exceptionNotRetryable": 1}},
		{"mp:M27 a handler, not needed", handles, nil, "done", nil, retry.EndSucceeded, false, map[string]int{"valueReturned": 1}},
		{"mp:M28 a handler that works", handles, errDeclared, "instead", nil, retry.EndExhausted, true,
			map[string]int{"failed attempts": 1, "maxAttempts reached": 1, "applied": 1}},
		{"mp:M29 a handler that fails", handlesNot, errDeclared, "", []error{errDeclaredHandler, errDeclared}, retry.EndExhausted, true,
			map[string]int{"failed attempts": 1, "maxAttempts reached": 1, "applied in vain": 1}},
		{"mp:M30 a handler that is skipped", handles, errDeclaredFinal, "", []error{errDeclaredFinal}, retry.EndFailed, false,
			map[string]int{"failed attempts": 1, "exceptionNotRetryable": 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			job, rec := declaredRecorded(t, &declaredScript{errs: []error{c.err}}, annotation.MaxAttempts(1), annotation.Fallback(c.fallback))
			ctx, report := retry.WithReport(t.Context())
			got, err := job.Do(ctx)
			require.Equal(t, c.result, got)
			require.Equal(t, len(c.is) > 0, err != nil)
			for _, is := range c.is {
				require.ErrorIs(t, err, is)
			}
			require.Equal(t, c.ended, report.Ended)
			require.Equal(t, c.applied, report.Fallback)
			require.Equal(t, 1, report.Attempts)
			require.Equal(t, c.events, declaredKinds(rec))
		})
	}
}
