package microprofile_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
)

// sPromise is a result that will fail later: to a session it is a value like any other.
type sPromise <-chan error

// sPromising is a service whose method returns promises.
type sPromising interface {
	Later(ctx context.Context) (sPromise, error)
}

type sPromiser struct {
	err    error // what the method returns
	broken error // what a promise of it ends with
	execs  int
}

func (p *sPromiser) Later(context.Context) (sPromise, error) {
	p.execs++
	if p.err != nil {
		return nil, p.err
	}
	promise := make(chan error, 1)
	promise <- p.broken
	return promise, nil
}

// In Go an asynchronous method is a call in a goroutine, and a body that works in stages or in parallel joins them before
// it returns.
func TestSessionAsynchronousBodies(t *testing.T) {
	type stage = func() (string, error)
	alone := func(_, last stage) (string, error) { return last() }
	chained := func(first, last stage) (string, error) {
		a, err := first()
		if err != nil {
			return "", err
		}
		b, err := last()
		return a + b, err
	}
	parallel := func(first, last stage) (string, error) {
		var a, b string
		var errA, errB error
		var both sync.WaitGroup
		both.Go(func() { a, errA = first() })
		both.Go(func() { b, errB = last() })
		both.Wait()
		return a + b, errors.Join(errA, errB)
	}
	for _, c := range []struct {
		name     string
		join     func(first, last stage) (string, error)
		fails    int // executions
		attempts int
		result   string
		execs    int
	}{
		{"mp:R20 mp:A4 a call in a goroutine that fails", alone, 9, 3, "", 3},
		{"mp:R23 a call in a goroutine that succeeds at the third", alone, 2, 4, " then b", 3},
		{"mp:R24 chained stages that succeed at the third", chained, 2, 3, "a then b", 3},
		{"mp:R25 mp:A6 chained stages that fail", chained, 9, 3, "", 3},
		{"mp:R26 parallel stages that succeed at the third", parallel, 2, 3, "a then b", 3},
		{"mp:R27 parallel stages that fail", parallel, 9, 3, "", 3},
	} {
		sBubble(t, c.name, func(t *testing.T) {
			peer := &sPeer{do: func(_ context.Context, exec int) (string, error) {
				return c.join(func() (string, error) { return "a", nil }, func() (string, error) {
					if exec <= c.fails {
						return "", sErrT
					}
					return " then b", nil
				})
			}}
			outcome := <-sGo(t.Context(), sRetried(t, peer, annotation.MaxAttempts(c.attempts)).ServiceA)
			require.Equal(t, c.execs, peer.execs())
			if c.result == "" {
				require.ErrorIs(t, outcome.err, sErrT)
				return
			}
			require.NoError(t, outcome.err)
			require.Equal(t, c.result, outcome.result)
		})
	}

	promising := func(t *testing.T, target *sPromiser) sPromising {
		c := container.New()
		c.Provide(func() *sPromiser { return target }, container.As[sPromising](), container.Annotate[sRetry]("Later", annotation.MaxAttempts(3), sWithoutJitter))
		service, err := container.Get[sPromising](c)
		require.NoError(t, err)
		return service
	}
	t.Run("mp:R21 mp:A5 a promise that fails later is a value", func(t *testing.T) {
		target := &sPromiser{broken: sErrT}
		promise, err := promising(t, target).Later(t.Context())
		require.NoError(t, err)
		require.Same(t, sErrT, <-promise)
		require.Equal(t, 1, target.execs)
	})
	t.Run("mp:R22 a method that fails itself is retried", func(t *testing.T) {
		target := &sPromiser{err: sErrT}
		_, err := promising(t, target).Later(t.Context())
		require.Same(t, sErrT, err)
		require.Equal(t, 3, target.execs)
	})
	// A Go method throws by a panic and fails by an error.
	sBubble(t, "mp:R28 first a panic, then an error, then a success", func(t *testing.T) {
		peer := &sPeer{do: func(_ context.Context, exec int) (string, error) {
			switch exec {
			case 1:
				panic("thrown")
			case 2:
				return "", sErrT
			}
			return "done", nil
		}}
		outcome := <-sGo(t.Context(), sRetried(t, peer, annotation.MaxAttempts(3), annotation.RetryPanics(true)).ServiceA)
		require.NoError(t, outcome.err)
		require.Equal(t, "done", outcome.result)
		require.Equal(t, 3, peer.execs())
	})
}

// A promise is a value (F11 to F13); in a call that waits for its outcome, a body throws by a panic and fails by an error
// (F14, F15).
func TestSessionFallbackOfAsynchronousBodies(t *testing.T) {
	for _, c := range []struct {
		name     string
		target   sPromiser
		fallback bool
	}{
		{"mp:F11 a promise that is kept", sPromiser{}, false},
		{"mp:F12 a body that fails before it promises", sPromiser{err: sErrT}, true},
		{"mp:F13 a promise that is broken already", sPromiser{broken: sErrT}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			fellBack := false
			build := container.New()
			build.Provide(func() *sPromiser { return &c.target }, container.As[sPromising](), container.Annotate[sRetry]("Later", annotation.MaxAttempts(1),
				annotation.Fallback(func() (sPromise, error) { fellBack = true; return nil, nil })))
			service, err := container.Get[sPromising](build)
			require.NoError(t, err)
			promise, err := service.Later(t.Context())
			require.NoError(t, err)
			require.Equal(t, c.fallback, fellBack)
			if !c.fallback {
				require.Equal(t, c.target.broken, <-promise)
			}
		})
	}
	for _, c := range []struct {
		name string
		do   func() error
	}{
		{"mp:F14 a body that panics", func() error { panic(errors.New("thrown")) }},
		{"mp:F15 a body that fails", func() error { return sErrT }},
	} {
		sBubble(t, c.name, func(t *testing.T) {
			peer := &sPeer{do: func(context.Context, int) (string, error) { return "", c.do() }}
			service, _ := sHandled(t, peer, container.Annotate[sRetry](sService.ServiceA, annotation.MaxAttempts(1), annotation.RetryPanics(true),
				annotation.Fallback((*sOtherHandler).Handle)))
			outcome := <-sGo(t.Context(), service.ServiceA)
			require.NoError(t, outcome.err)
			require.Contains(t, outcome.result, "handled otherwise: ")
		})
	}
}
