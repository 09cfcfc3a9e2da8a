package declarative_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// trips opens at the first failure.
func trips(probes int) retry.BreakerSettings {
	return retry.BreakerSettings{ResetTimeout: time.Second, Consecutive: 1, Probes: probes}
}

// decl:12. A probe that ends in an ignored error has used its place and says nothing: half-open for ever, if the place is
// not free again.
func TestAProbeWhoseErrorIsIgnoredMakesRoomForAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := guarded(t, answers(errBoom, nil, errDeclined, errDeclined, errDeclined, nil), trips(2),
			annotation.IgnoreErrors(retry.Is(errDeclined)))
		_, err := s.Call(t.Context())
		require.ErrorIs(t, err, errBoom)
		time.Sleep(time.Second)
		_, err = s.Call(t.Context())
		require.NoError(t, err)
		for range 3 {
			_, err = s.Call(t.Context())
			require.ErrorIs(t, err, errDeclined)
			require.Equal(t, retry.BreakerHalfOpen, s.state(t))
		}
		_, err = s.Call(t.Context())
		require.NoError(t, err)
		require.Equal(t, retry.BreakerClosed, s.state(t))
	})
}

// decl:14. A probe that never returns must not be the last one: it has its place on lease, for ResetTimeout.
func TestAProbeThatDoesNotReturnLosesItsPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := make(chan error)
		remote := &Remote{do: func(_ context.Context, n int) (string, error) {
			switch n {
			case 1:
				return "", errBoom
			case 2:
				return "", <-stuck
			}
			return "done", nil
		}}
		s := guarded(t, remote, trips(1))
		_, err := s.Call(t.Context())
		require.ErrorIs(t, err, errBoom)
		time.Sleep(time.Second)
		late := make(chan error)
		go func() {
			_, err := s.Call(t.Context())
			late <- err
		}()
		synctest.Wait()
		time.Sleep(time.Second - 1)
		_, err = s.Call(t.Context())
		require.ErrorIs(t, err, retry.ErrCircuitOpen, "the place is taken")
		time.Sleep(1)
		_, err = s.Call(t.Context())
		require.NoError(t, err)
		require.Equal(t, retry.BreakerClosed, s.state(t))

		stuck <- errBoom
		require.ErrorIs(t, <-late, errBoom)
		require.Equal(t, retry.BreakerClosed, s.state(t), "a result under a lost lease counts nowhere")
		require.Equal(t, 1, s.openings())
	})
}

// decl:15, decl:27. Half-open admits its probes and no more, however many come at once; the first one, which turns the
// breaker half-open, is among them.
func TestHalfOpenAdmitsExactlyItsProbes(t *testing.T) {
	for _, probes := range []int{1, 2, 3, 7} {
		t.Run(fmt.Sprint(probes), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				remote := &Remote{do: func(_ context.Context, n int) (string, error) {
					if n == 1 {
						return "", errBoom
					}
					time.Sleep(10 * ms)
					return "done", nil
				}}
				s := guarded(t, remote, trips(probes))
				_, err := s.Call(t.Context())
				require.ErrorIs(t, err, errBoom)
				time.Sleep(time.Second)

				var done, open atomic.Int64
				var wg sync.WaitGroup
				for range 100 {
					wg.Go(func() {
						switch _, err := s.Call(t.Context()); {
						case err == nil:
							done.Add(1)
						case isOpen(err):
							open.Add(1)
						}
					})
				}
				wg.Wait()
				require.EqualValues(t, probes, done.Load())
				require.EqualValues(t, 100-probes, open.Load())
				require.Equal(t, 1+probes, remote.count())
				require.Equal(t, retry.BreakerClosed, s.state(t))
			})
		})
	}
}

func isOpen(err error) bool { return retry.Is(retry.ErrCircuitOpen).Match(err) }

// decl:21. The caller's cancel says nothing about the peer.
func TestAProbeThatItsCallerCancelsDecidesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		remote := &Remote{do: func(ctx context.Context, n int) (string, error) {
			switch n {
			case 1:
				return "", errBoom
			case 2:
				<-ctx.Done()
				return "", ctx.Err()
			}
			return "done", nil
		}}
		s := guarded(t, remote, trips(1))
		_, err := s.Call(t.Context())
		require.ErrorIs(t, err, errBoom)
		time.Sleep(time.Second)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(10*ms, cancel)
		_, err = s.Call(ctx)
		require.ErrorIs(t, err, context.Canceled)
		require.Equal(t, retry.BreakerHalfOpen, s.state(t))
		require.Equal(t, 1, s.openings())
		_, err = s.Call(t.Context())
		require.NoError(t, err)
		require.Equal(t, retry.BreakerClosed, s.state(t))
	})
}

// decl:26. Elsewhere half-open is judged by a ratio, and users wonder when. Here one failed probe opens again at once, and
// as many successes as there are probes close.
func TestOneFailedProbeOpensAgainAndAllSuccessfulOnesClose(t *testing.T) {
	for _, test := range []struct {
		probes string // S succeeds, F fails
		want   retry.BreakerState
	}{
		{"", retry.BreakerHalfOpen},
		{"S", retry.BreakerHalfOpen},
		{"SSS", retry.BreakerHalfOpen},
		{"SSSS", retry.BreakerClosed},
		{"F", retry.BreakerOpen},
		{"SF", retry.BreakerOpen},
		{"SSSF", retry.BreakerOpen},
	} {
		t.Run("after "+test.probes, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				script := []error{errBoom}
				for _, p := range test.probes {
					if p == 'F' {
						script = append(script, errBoom)
					} else {
						script = append(script, nil)
					}
				}
				s := guarded(t, answers(script...), trips(4))
				_, err := s.Call(t.Context())
				require.ErrorIs(t, err, errBoom)
				time.Sleep(time.Second)
				for range test.probes {
					_, err := s.Call(t.Context())
					require.NotErrorIs(t, err, retry.ErrCircuitOpen)
				}
				require.Equal(t, test.want, s.state(t))
			})
		})
	}
}

// decl:27. "Open" is no failure of the peer and nothing to retry: not by the session that it refuses, nor by one around it.
func TestARefusalOfAnOpenBreakerIsNeitherRetriedNorCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := weaveIn(t, fails(1), func(c *container.Container) {
			c.Provide(newShop, container.As[Shop](), container.Annotate[aliases.Retry](Shop.Buy,
				annotation.MaxAttempts(4), annotation.Base(100*ms)))
		}, container.Annotate[aliases.CircuitBreaker](Peer.Call, annotation.MaxAttempts(4), annotation.Base(100*ms),
			annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Second, Window: 2, MinCalls: 1, FailureRatio: 1})))
		_, err := s.Call(t.Context())
		require.ErrorIs(t, err, errBoom)
		require.Equal(t, retry.BreakerOpen, s.state(t))

		begin := time.Now()
		for range 5 {
			_, err = s.Call(t.Context())
			require.ErrorIs(t, err, retry.ErrCircuitOpen)
		}
		ctx, report := retry.WithReport(t.Context())
		_, err = get[Shop](t, s.c).Buy(ctx)
		require.ErrorIs(t, err, retry.ErrCircuitOpen)
		require.Equal(t, 1, report.Attempts)
		require.Equal(t, "nested", report.Limit)
		require.Zero(t, time.Since(begin), "nobody has waited")
		require.Equal(t, 1, s.remote.count())
		require.Len(t, eventsOf(s.rec, every[retry.Rejected]), 6)

		time.Sleep(time.Second)
		_, err = s.Call(t.Context())
		require.NoError(t, err, "the refused calls have postponed nothing")
		require.Equal(t, retry.BreakerClosed, s.state(t))
	})
}
