package microprofile_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// MicroProfile's Timeout bounds an attempt, as AttemptTimeout does, by interrupting its thread. A Go body is told by its
// context, and has to heed it; none is abandoned.

// sTimeout is MicroProfile's Timeout, as a user makes it: one attempt within a second.
type sTimeout struct{ annotation.AbstractRetry }

// Defaults are MicroProfile's.
func (sTimeout) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Policies(retry.Fallback, retry.MaxAttempts), annotation.MaxAttempts(1), annotation.AttemptTimeout(time.Second)}
}

type (
	sTimedOn2s struct {
		_ annotation.On[sTimeout] `method:"ServiceA" attemptTimeout:"2s"`
		*sPeer
	}
	sTimedClass struct {
		_ annotation.On[sTimeout] `method:"*"`
		_ annotation.On[sTimeout] `method:"ServiceB" attemptTimeout:"2000ms"`
		*sPeer
	}
	sTimedClass500 struct {
		_ annotation.On[sTimeout] `method:"*" attemptTimeout:"500ms"`
		_ annotation.On[sTimeout] `method:"ServiceB" attemptTimeout:"2000ms"`
		*sPeer
	}
)

func TestSessionTimeouts(t *testing.T) {
	annotated := func(opts ...annotation.Option) func(t *testing.T, peer *sPeer) sService {
		return func(t *testing.T, peer *sPeer) sService {
			return sBuild(t, peer, container.Annotate[sTimeout](sService.ServiceA, opts...))
		}
	}
	seconds := func(t *testing.T, peer *sPeer) sService { return sBuild(t, &sTimedOn2s{sPeer: peer}) }
	class := func(t *testing.T, peer *sPeer) sService { return sBuild(t, &sTimedClass{sPeer: peer}) }
	class500 := func(t *testing.T, peer *sPeer) sService { return sBuild(t, &sTimedClass500{sPeer: peer}) }
	const ms = time.Millisecond

	for _, c := range []struct {
		name    string
		service func(t *testing.T, peer *sPeer) sService
		method  func(sService, context.Context) (string, error)
		limit   time.Duration
		works   time.Duration
	}{
		{"mp:T1 longer than the default", annotated(), sService.ServiceA, 1000 * ms, 20_000 * ms},
		{"mp:T2 within the default", annotated(), sService.ServiceA, 1000 * ms, 10 * ms},
		{"mp:T3 longer than 2000 ms", annotated(annotation.AttemptTimeout(2000 * ms)), sService.ServiceA, 2000 * ms, 2500 * ms},
		{"mp:T4 within 2000 ms", annotated(annotation.AttemptTimeout(2000 * ms)), sService.ServiceA, 2000 * ms, 1500 * ms},
		{"mp:T5 longer than 500 ms", annotated(annotation.AttemptTimeout(500 * ms)), sService.ServiceA, 500 * ms, 1000 * ms},
		{"mp:T6 within 500 ms", annotated(annotation.AttemptTimeout(500 * ms)), sService.ServiceA, 500 * ms, 10 * ms},
		{"mp:T7 longer than 2 s", seconds, sService.ServiceA, 2000 * ms, 2500 * ms},
		{"mp:T8 within 2 s", seconds, sService.ServiceA, 2000 * ms, 1500 * ms},
		{"mp:T9 longer than the class's default", class, sService.ServiceA, 1000 * ms, 20_000 * ms},
		{"mp:T10 within the class's default", class, sService.ServiceA, 1000 * ms, 10 * ms},
		{"mp:T11 longer than the method's, the class has the default", class, sService.ServiceB, 2000 * ms, 2500 * ms},
		{"mp:T12 within the method's, the class has the default", class, sService.ServiceB, 2000 * ms, 1500 * ms},
		{"mp:T13 longer than the class's", class500, sService.ServiceA, 500 * ms, 1000 * ms},
		{"mp:T14 within the class's", class500, sService.ServiceA, 500 * ms, 10 * ms},
		{"mp:T15 longer than the method's, the class has another", class500, sService.ServiceB, 2000 * ms, 2500 * ms},
		{"mp:T16 within the method's, the class has another", class500, sService.ServiceB, 2000 * ms, 1500 * ms},
	} {
		sBubble(t, c.name, func(t *testing.T) {
			begin := time.Now()
			_, err := c.method(c.service(t, sWorks(c.works, sErrT)), t.Context())
			if c.works > c.limit {
				require.Equal(t, context.DeadlineExceeded, err)
			} else {
				require.Same(t, sErrT, err)
			}
			require.Equal(t, min(c.works, c.limit), time.Since(begin))
		})
	}
}

// A deployment tunes an annotation at the registration; what it says for all services stands below what an author wrote.
func TestSessionTimeoutsOfADeployment(t *testing.T) {
	took := func(t *testing.T, service sService) time.Duration {
		took, _, err := sTimed(t.Context(), service.ServiceA)
		require.Equal(t, context.DeadlineExceeded, err)
		return took
	}
	unnamed := annotation.AttemptTimeout(200 * time.Millisecond)
	// MicroProfile's global property beats the annotation. Our Defaults are for what nobody has written.
	sBubble(t, "mp:T17 for all services", func(t *testing.T) {
		service := sBuildIn(t, container.New(container.Defaults(unnamed)), sWorks(500*time.Millisecond, sErrT), container.Annotate[aliases.Retry]("*", annotation.MaxAttempts(1)))
		require.Equal(t, 200*time.Millisecond, took(t, service))
	})
	sBubble(t, "mp:T17 for all services, where the author has written another", func(t *testing.T) {
		service := sBuildIn(t, container.New(container.Defaults(unnamed)), &sTimedOn2s{sPeer: sWorks(5*time.Second, sErrT)})
		require.Equal(t, 2*time.Second, took(t, service))
	})
	sBubble(t, "mp:T18 for one method", func(t *testing.T) {
		service := sBuild(t, &sTimedOn2s{sPeer: sWorks(500*time.Millisecond, sErrT)}, container.Annotate[sTimeout]("ServiceA", unnamed))
		require.Equal(t, 200*time.Millisecond, took(t, service))
	})
	sBubble(t, "mp:T19 in another unit", func(t *testing.T) {
		type micros struct {
			_ annotation.On[sTimeout] `method:"ServiceA" attemptTimeout:"1000us"`
			*sPeer
		}
		service := sBuild(t, &micros{sPeer: sWorks(5*time.Second, sErrT)}, container.Annotate[sTimeout]("ServiceA", annotation.AttemptTimeout(1000*time.Millisecond)))
		require.Equal(t, time.Second, took(t, service))
	})
}

func TestSessionBodiesThatDoNotHeedTheirTimeout(t *testing.T) {
	ignoring := func(d time.Duration, err error) *sPeer {
		return &sPeer{do: func(context.Context, int) (string, error) { time.Sleep(d); return "late", err }}
	}
	within := func(t *testing.T, peer *sPeer, opts ...annotation.Option) sService {
		return sBuild(t, peer, container.Annotate[sTimeout]("*", append(opts, annotation.AttemptTimeout(500*time.Millisecond))...))
	}
	// MicroProfile throws a late result away in favour of its timeout error. We return what the body returned: a late
	// answer of a peer that has done the work is worth more, and a late failure says more.
	sBubble(t, "mp:T20 the call returns when the body does, with what it returned", func(t *testing.T) {
		took, _, err := sTimed(t.Context(), within(t, ignoring(time.Second, sErrT)).ServiceA)
		require.Same(t, sErrT, err)
		require.Equal(t, time.Second, took)
		took, result, err := sTimed(t.Context(), within(t, ignoring(time.Second, nil)).ServiceA)
		require.NoError(t, err)
		require.Equal(t, "late", result)
		require.Equal(t, time.Second, took)
	})
	// MicroProfile starts a new attempt beside the old one. Ours come one after another, so that a peer that is slow has
	// one request of a session at a time.
	sBubble(t, "mp:T24 attempts do not overlap", func(t *testing.T) {
		running := 0
		peer := ignoring(time.Second, sErrT)
		do := peer.do
		peer.do = func(ctx context.Context, exec int) (string, error) {
			running++
			defer func() { running-- }()
			require.Equal(t, 1, running)
			return do(ctx, exec)
		}
		took, _, err := sTimed(t.Context(), within(t, peer, annotation.MaxAttempts(3)).ServiceA)
		require.Same(t, sErrT, err)
		require.Equal(t, 3, peer.execs())
		require.Equal(t, 3*time.Second, took)
	})
	sBubble(t, "mp:T25 the fallback runs when the body has ended", func(t *testing.T) {
		took, result, err := sTimed(t.Context(), within(t, ignoring(time.Second, sErrT), annotation.Fallback(func() (string, error) { return "fallback", nil })).ServiceA)
		require.NoError(t, err)
		require.Equal(t, "fallback", result)
		require.Equal(t, time.Second, took)
	})
}

func TestSessionTimeoutsOfCallsInGoroutines(t *testing.T) {
	async := func(t *testing.T, works time.Duration, err error, opts ...annotation.Option) (*sPeer, <-chan sOutcome) {
		peer := sWorks(works, err)
		return peer, sGo(t.Context(), sBuild(t, peer, container.Annotate[sTimeout](sService.ServiceA, opts...)).ServiceA)
	}
	const s = time.Second
	sBubble(t, "mp:T24 each attempt has all of its time", func(t *testing.T) {
		peer, call := async(t, 5*s, sErrT, annotation.AttemptTimeout(s/2), annotation.MaxAttempts(3))
		outcome := <-call
		require.Equal(t, context.DeadlineExceeded, outcome.err)
		require.Equal(t, 3, peer.execs())
		require.Equal(t, 3*s/2, outcome.took)
	})
	sBubble(t, "mp:T25 the fallback runs at the limit", func(t *testing.T) {
		_, call := async(t, 5*s, sErrT, annotation.AttemptTimeout(s/2), annotation.Fallback(func() (string, error) { return "fallback", nil }))
		require.Equal(t, sOutcome{"fallback", nil, s / 2}, <-call)
	})
	sBubble(t, "mp:T26 the body takes longer", func(t *testing.T) {
		_, call := async(t, 5*s, nil, annotation.AttemptTimeout(2*s))
		time.Sleep(2*s - time.Nanosecond)
		require.True(t, sPending(call))
		require.Equal(t, sOutcome{"", context.DeadlineExceeded, 2 * s}, <-call)
	})
	sBubble(t, "mp:T27 the body takes less", func(t *testing.T) {
		_, call := async(t, s/2, nil, annotation.AttemptTimeout(2*s))
		require.Equal(t, sOutcome{"", nil, s / 2}, <-call)
	})
	sBubble(t, "mp:T28 the body takes longer than the class's", func(t *testing.T) {
		call := sGo(t.Context(), sBuild(t, &sTimedClass{sPeer: sWorks(5*s, nil)}).ServiceB)
		require.Equal(t, sOutcome{"", context.DeadlineExceeded, 2 * s}, <-call)
	})
}
