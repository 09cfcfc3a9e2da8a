package microprofile_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/container/containertest"
	"github.com/backstay/backstay/retry"
)

// sForms are the two ways to make a call: MicroProfile's asynchronous cases are calls in goroutines.
var sForms = map[string]func(ctx context.Context, call func(context.Context) (string, error)) sOutcome{
	"sync": func(ctx context.Context, call func(context.Context) (string, error)) sOutcome {
		took, result, err := sTimed(ctx, call)
		return sOutcome{result, err, took}
	},
	"async": func(ctx context.Context, call func(context.Context) (string, error)) sOutcome {
		return <-sGo(ctx, call)
	},
}

// sLimits are the limits that ended sessions.
func sLimits(recorder *containertest.Recorder) (limits []string) {
	for _, e := range recorder.Events() {
		if e, ok := e.(retry.Exhausted); ok {
			limits = append(limits, e.Limit)
		}
	}
	return limits
}

func TestSessionBreakerAndTimeout(t *testing.T) {
	breaker := []annotation.Option{
		annotation.MaxAttempts(1), annotation.AttemptTimeout(500 * time.Millisecond),
		annotation.Breaker(retry.BreakerSettings{Window: 2, FailureRatio: 0.75, ResetTimeout: 50 * time.Second}),
	}
	for _, c := range []struct {
		name  string
		opts  []annotation.Option
		calls []error
	}{
		{"mp:X1 a timeout is a failure", nil, []error{context.DeadlineExceeded, context.DeadlineExceeded, retry.ErrCircuitOpen}},
		{"mp:X2 a timeout that failOn does not list", []annotation.Option{annotation.RetryErrors(retry.Is(sErrFull))},
			[]error{context.DeadlineExceeded, context.DeadlineExceeded, context.DeadlineExceeded}},
	} {
		sBubble(t, c.name, func(t *testing.T) {
			service := sBuild(t, sWorks(time.Second, sErrT), container.Annotate[aliases.CircuitBreaker](sService.ServiceA, append(c.opts, breaker...)...))
			for i, want := range c.calls {
				_, err := service.ServiceA(t.Context())
				require.ErrorIs(t, err, want, "call %d", i+1)
			}
		})
	}
}

// The classes of X8 and X9.
type (
	sBrokenAndRetried struct {
		_ annotation.On[aliases.CircuitBreaker] `method:"*" maxAttempts:"8" retryErrors:"runtime" breaker:"window=4,failureRatio=0.75,resetTimeout=50s"`
		*sPeer
	}
	sBrokenAndRetriedTwice struct {
		_ annotation.On[aliases.CircuitBreaker] `method:"*" maxAttempts:"8" retryErrors:"runtime" breaker:"window=4,failureRatio=0.75,resetTimeout=50s"`
		_ annotation.On[aliases.CircuitBreaker] `method:"ServiceA" maxAttempts:"3" retryErrors:"runtime" breaker:"window=4,failureRatio=0.75,resetTimeout=50s"`
		*sPeer
	}
)

// MicroProfile asks the breaker anew for each attempt, and returns its refusal of the fifth. Our breaker ends a session that
// it opens in: the caller gets what the peer said last, and a listener which limit it was.
func TestSessionBreakerAndRetry(t *testing.T) {
	breaker := func(attempts int, opts ...annotation.Option) container.ProvideOption {
		opts = append([]annotation.Option{
			annotation.MaxAttempts(attempts), annotation.RetryErrors(retry.Is(sErrT)),
			annotation.Breaker(retry.BreakerSettings{Window: 4, FailureRatio: 0.75, ResetTimeout: 50 * time.Second}),
		}, opts...)
		return container.Annotate[aliases.CircuitBreaker](sService.ServiceA, opts...)
	}
	within100 := []annotation.Option{
		annotation.RetryErrors(retry.Is(context.DeadlineExceeded)),
		annotation.AttemptTimeout(100 * time.Millisecond), annotation.Timeout(20 * time.Second),
	}
	type weave = func(t *testing.T, c *container.Container, peer *sPeer) sService
	annotated := func(opt container.ProvideOption) weave {
		return func(t *testing.T, c *container.Container, peer *sPeer) sService { return sBuildIn(t, c, peer, opt) }
	}
	for _, c := range []struct {
		name, form string
		weave      weave
		peer       *sPeer
		err        error
		execs      int
		limit      string
		took       time.Duration
		openNow    bool
	}{
		{"mp:X6 the breaker opens during the retries", "sync", annotated(breaker(8)), sFails(sErrT), sErrT, 4, "circuitBreaker", 0, true},
		{"mp:X7 the retries end before", "sync", annotated(breaker(3)), sFails(sErrT), sErrT, 3, "maxAttempts", 0, false},
		{"mp:X8 the breaker of the class opens during its retries", "sync", func(t *testing.T, c *container.Container, peer *sPeer) sService {
			return sBuildIn(t, c, &sBrokenAndRetried{sPeer: peer})
		}, sFails(sErrRuntime), sErrRuntime, 4, "circuitBreaker", 0, true},
		{"mp:X9 the retries of the method end before", "sync", func(t *testing.T, c *container.Container, peer *sPeer) sService {
			return sBuildIn(t, c, &sBrokenAndRetriedTwice{sPeer: peer})
		}, sFails(sErrRuntime), sErrRuntime, 3, "maxAttempts", 0, false},
		{"mp:X10 timeouts open the breaker during the retries", "sync", annotated(breaker(8, within100...)), sWorks(5*time.Second, sErrT),
			context.DeadlineExceeded, 4, "circuitBreaker", 400 * time.Millisecond, true},
		{"mp:X14 as X6, in a goroutine", "async", annotated(breaker(8)), sFails(sErrT), sErrT, 4, "circuitBreaker", 0, true},
		{"mp:X15 as X7, in a goroutine", "async", annotated(breaker(3)), sFails(sErrT), sErrT, 3, "maxAttempts", 0, false},
		{"mp:X16 as X10, in a goroutine", "async", annotated(breaker(8, within100...)), sWorks(5*time.Second, sErrT),
			context.DeadlineExceeded, 4, "circuitBreaker", 400 * time.Millisecond, true},
	} {
		sBubble(t, c.name, func(t *testing.T) {
			recorder := new(containertest.Recorder)
			service := c.weave(t, container.New(container.WithListener(recorder)), c.peer)
			outcome := sForms[c.form](t.Context(), service.ServiceA)
			require.Equal(t, sOutcome{"", c.err, c.took}, outcome)
			require.Equal(t, c.execs, c.peer.execs())
			require.Equal(t, []string{c.limit}, sLimits(recorder))

			_, err := service.ServiceA(t.Context())
			if c.openNow {
				require.ErrorIs(t, err, retry.ErrCircuitOpen)
				require.Equal(t, c.execs, c.peer.execs())
			} else {
				require.NotErrorIs(t, err, retry.ErrCircuitOpen)
			}
		})
	}
}

// sFront is a service that calls another, whose breaker it sees from outside.
type sFront interface {
	Ask(ctx context.Context) (string, error)
}

type sAsker struct{ service sService }

func (a *sAsker) Ask(ctx context.Context) (string, error) { return a.service.ServiceA(ctx) }

// In MicroProfile the retry is outside the breaker, and may wait until it is half-open. Ours are one session, before which
// the breaker stands; a service around may retry what it refuses, if it says RetryNested, and waits as long as the
// refusal says.
func TestSessionRetryOfAnOpenBreaker(t *testing.T) {
	const ms = time.Millisecond
	waits := []annotation.Option{
		annotation.MaxAttempts(21), annotation.RetryNested(true),
		annotation.Set(func(a *sRetry) { a.Delay, a.Jitter = 100*ms, 0 }),
	}
	for _, c := range []struct {
		name, form string
		opts       []annotation.Option
		err        error
		took       time.Duration
	}{
		{"mp:X11 the retry waits the breaker out", "sync", []annotation.Option{annotation.RetryErrors(retry.Is(retry.ErrCircuitOpen))}, nil, time.Second},
		{"mp:X12 retryOn another", "sync", []annotation.Option{annotation.RetryErrors(retry.Is(context.DeadlineExceeded))}, retry.ErrCircuitOpen, 0},
		{"mp:X13 abortOn the refusal", "sync", []annotation.Option{annotation.IgnoreErrors(retry.Is(sErrT), retry.Is(retry.ErrCircuitOpen))}, retry.ErrCircuitOpen, 0},
		{"mp:X17 as X11, in a goroutine", "async", []annotation.Option{annotation.RetryErrors(retry.Is(retry.ErrCircuitOpen))}, nil, time.Second},
		{"mp:X18 as X12, in a goroutine", "async", []annotation.Option{annotation.RetryErrors(retry.Is(context.DeadlineExceeded))}, retry.ErrCircuitOpen, 0},
		{"mp:X19 as X13, in a goroutine", "async", []annotation.Option{annotation.IgnoreErrors(retry.Is(sErrT), retry.Is(retry.ErrCircuitOpen))}, retry.ErrCircuitOpen, 0},
		{"mp:X11 without RetryNested what the breaker refuses is given up", "sync", []annotation.Option{
			annotation.RetryErrors(retry.Is(retry.ErrCircuitOpen)), annotation.RetryNested(false)}, retry.ErrCircuitOpen, 0},
	} {
		sBubble(t, c.name, func(t *testing.T) {
			peer := sFailsFirst(4, sErrT)
			build := container.New()
			build.Provide(func(service sService) *sAsker { return &sAsker{service} }, container.As[sFront](),
				container.Annotate[sRetry](sFront.Ask, append(waits[:len(waits):len(waits)], c.opts...)...))
			service := sBuildIn(t, build, peer, container.Annotate[aliases.CircuitBreaker](sService.ServiceA, annotation.MaxAttempts(1),
				annotation.Breaker(retry.BreakerSettings{Window: 4, FailureRatio: 0.75, ResetTimeout: time.Second})))
			for range 4 {
				_, err := service.ServiceA(t.Context())
				require.Same(t, sErrT, err)
			}
			front, err := container.Get[sFront](build)
			require.NoError(t, err)
			outcome := sForms[c.form](t.Context(), front.Ask)
			require.ErrorIs(t, outcome.err, c.err)
			require.Equal(t, c.took, outcome.took)
			if c.err == nil {
				require.Equal(t, "done", outcome.result)
			}
		})
	}
	sBubble(t, "mp:X11 in one session the refusal comes at once and says when to come back", func(t *testing.T) {
		peer := sFailsFirst(4, sErrT)
		service := sBuild(t, peer, container.Annotate[aliases.CircuitBreaker](sService.ServiceA, annotation.MaxAttempts(21), annotation.Base(100*ms),
			annotation.RetryErrors(retry.Is(sErrT), retry.Is(retry.ErrCircuitOpen)), annotation.Breaker(retry.BreakerSettings{Window: 4, FailureRatio: 0.75, ResetTimeout: time.Second})))
		_, err := service.ServiceA(t.Context())
		require.Same(t, sErrT, err)
		took, _, err := sTimed(t.Context(), service.ServiceA)
		var rejected *retry.RejectedError
		require.ErrorAs(t, err, &rejected)
		require.Zero(t, took)
		require.Equal(t, time.Second, rejected.RetryAfter())
		time.Sleep(rejected.RetryAfter())
		result, err := service.ServiceA(t.Context())
		require.NoError(t, err)
		require.Equal(t, "done", result)
	})
}

func TestSessionRetryAndTimeout(t *testing.T) {
	const limit = 500 * time.Millisecond
	for _, c := range []struct {
		name  string
		works time.Duration
		opts  []annotation.Option
		err   error
		execs int
	}{
		{"mp:X20 a timeout is retried", time.Second, nil, context.DeadlineExceeded, 2},
		{"mp:X21 a failure within the timeout is retried", 10 * time.Millisecond, nil, sErrT, 2},
		{"mp:X22 retryOn another", time.Second, []annotation.Option{annotation.RetryErrors(retry.Is(sErrFull))}, context.DeadlineExceeded, 1},
		{"mp:X23 abortOn the timeout", time.Second, []annotation.Option{annotation.IgnoreErrors(retry.Is(context.DeadlineExceeded))}, context.DeadlineExceeded, 1},
	} {
		sBubble(t, c.name, func(t *testing.T) {
			peer := sWorks(c.works, sErrT)
			took, _, err := sTimed(t.Context(), sRetried(t, peer, append(c.opts, annotation.MaxAttempts(2), annotation.AttemptTimeout(limit), sWithoutJitter)...).ServiceA)
			require.Equal(t, c.err, err)
			require.Equal(t, c.execs, peer.execs())
			require.Equal(t, time.Duration(c.execs)*min(c.works, limit), took)
		})
	}
}
