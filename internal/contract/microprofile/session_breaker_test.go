package microprofile_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// requestVolumeThreshold is our window, successThreshold our probes, delay our ResetTimeout.

// sPlay makes one call for each letter of a script: S succeeds, F fails with err, O must be refused by an open breaker; w
// waits instead. It wants exactly these outcomes, and the method to run for S and F alone.
func sPlay(t *testing.T, script string, wait time.Duration, err error, weave func(peer *sPeer) func(context.Context) (string, error)) {
	t.Helper()
	ran := strings.Map(func(step rune) rune {
		if step == 'S' || step == 'F' {
			return step
		}
		return -1
	}, script)
	peer := &sPeer{do: func(_ context.Context, exec int) (string, error) {
		if exec > len(ran) || ran[exec-1] == 'F' {
			return "", err
		}
		return "done", nil
	}}
	call := weave(peer)
	for i, step := range script {
		if step == 'w' {
			time.Sleep(wait)
			continue
		}
		before := peer.execs() + int(peer.b.Load())
		result, got := call(t.Context())
		after := peer.execs() + int(peer.b.Load())
		at := fmt.Sprintf("call %d of %s", i+1, script)
		switch step {
		case 'S':
			require.NoError(t, got, at)
			require.Equal(t, "done", result, at)
		case 'F':
			require.Same(t, err, got, at)
		case 'O':
			require.ErrorIs(t, got, retry.ErrCircuitOpen, at)
			require.ErrorAs(t, got, new(*retry.RejectedError), at)
			require.Equal(t, before, after, at)
			continue
		}
		require.Equal(t, before+1, after, at)
	}
	require.Equal(t, len(ran), peer.execs()+int(peer.b.Load()))
}

// The classes of C5 to C7.
type (
	sBrokenClass struct {
		_ annotation.On[aliases.CircuitBreaker] `method:"*" maxAttempts:"1" breaker:"window=4,failureRatio=0.75,probes=2,resetTimeout=50s"`
		*sPeer
	}
	sBrokenClassAndMethod struct {
		_ annotation.On[aliases.CircuitBreaker] `method:"*" maxAttempts:"1" breaker:"window=4,failureRatio=0.75,probes=2,resetTimeout=50s"`
		_ annotation.On[aliases.CircuitBreaker] `method:"ServiceB" maxAttempts:"1" breaker:"window=2,failureRatio=1,resetTimeout=50s"`
		*sPeer
	}
	sBrokenClassAndDelay struct {
		_ annotation.On[aliases.CircuitBreaker] `method:"*" maxAttempts:"1" breaker:"window=4,failureRatio=0.75,probes=2,resetTimeout=50s"`
		_ annotation.On[aliases.CircuitBreaker] `method:"ServiceB" maxAttempts:"1" breaker:"window=4,failureRatio=0.75,probes=2,resetTimeout=1ms"`
		*sPeer
	}
)

func TestSessionBreakerCallByCall(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		name     string
		settings retry.BreakerSettings
		wait     time.Duration
		script   string
	}{
		{"mp:C1 closed to open", retry.BreakerSettings{ResetTimeout: 50 * s, Window: 4, FailureRatio: 0.75, Probes: 2}, 0, "FFFFOOO"},
		{"mp:C2 re-close", retry.BreakerSettings{ResetTimeout: time.Millisecond, Window: 4, FailureRatio: 0.75, Probes: 2}, s / 2, "FFFFwSSS"},
		{"mp:C3 default successThreshold", retry.BreakerSettings{ResetTimeout: s, Window: 4, FailureRatio: 0.75}, 2 * s, "FFFFOwSFFFFO"},
		{"mp:C4 high successThreshold", retry.BreakerSettings{ResetTimeout: s, Window: 4, FailureRatio: 0.75, Probes: 3}, 2 * s, "FFFFOwSSFO"},
		{"mp:C8 a success that completes the window opens", retry.BreakerSettings{ResetTimeout: 5 * s, Window: 4, FailureRatio: 0.5, Probes: 2}, 0, "SFFSO"},
		{"mp:C9 the window is the last four", retry.BreakerSettings{ResetTimeout: 5 * s, Window: 4, FailureRatio: 0.5, Probes: 2}, 0, "SFSSFO"},
		{"mp:C10 initial success", retry.BreakerSettings{ResetTimeout: s, Window: 4, FailureRatio: 0.75, Probes: 1}, 2 * s, "SFFFOwSSFFFO"},
		{"mp:C11 late success", retry.BreakerSettings{ResetTimeout: s, Window: 4, FailureRatio: 0.75, Probes: 1}, 2 * s, "FFFSOwSFFFSO"},
		{"mp:C18 a window of four", retry.BreakerSettings{ResetTimeout: 5 * s, Window: 4, FailureRatio: 1}, 0, "FFFFO"},
		{"mp:C19 exactly the ratio", retry.BreakerSettings{ResetTimeout: 5 * s, Window: 10, FailureRatio: 0.8}, 0, "FFSFFFSFFFO"},
		{"mp:C20 two probes one after another", retry.BreakerSettings{ResetTimeout: s, Window: 10, FailureRatio: 0.5, Probes: 2}, 2 * s, "FFFFFFFFFFOwSSFFFFFFFFFFOwSFO"},
	} {
		sBubble(t, c.name+", woven", func(t *testing.T) {
			sPlay(t, c.script, c.wait, sErrT, func(peer *sPeer) func(context.Context) (string, error) {
				return sBuild(t, peer, container.Annotate[aliases.CircuitBreaker](sService.ServiceA, annotation.MaxAttempts(1), annotation.Breaker(c.settings))).ServiceA
			})
		})
		sBubble(t, c.name+", in a chain", func(t *testing.T) {
			sPlay(t, c.script, c.wait, sErrT, func(peer *sPeer) func(context.Context) (string, error) {
				chain := retry.For[string]().With(retry.NewCircuitBreaker(c.settings)).Max(1)
				return func(ctx context.Context) (string, error) { return chain.Call(ctx, peer.ServiceA) }
			})
		})
	}
}

func TestSessionBreakerOfAClass(t *testing.T) {
	sBubble(t, "mp:C5 the class's", func(t *testing.T) {
		sPlay(t, "FFFFOOO", 0, sErrT, func(peer *sPeer) func(context.Context) (string, error) {
			return sBuild(t, &sBrokenClass{sPeer: peer}).ServiceA
		})
	})
	sBubble(t, "mp:C6 the method overrides the class", func(t *testing.T) {
		sPlay(t, "FFOOOOO", 0, sErrT, func(peer *sPeer) func(context.Context) (string, error) {
			return sBuild(t, &sBrokenClassAndMethod{sPeer: peer}).ServiceB
		})
	})
	sBubble(t, "mp:C6 the class's holds for its other methods", func(t *testing.T) {
		sPlay(t, "FFFFOOO", 0, sErrT, func(peer *sPeer) func(context.Context) (string, error) {
			return sBuild(t, &sBrokenClassAndMethod{sPeer: peer}).ServiceA
		})
	})
	sBubble(t, "mp:C7 the method overrides the class's delay", func(t *testing.T) {
		sPlay(t, "FFFFwSSS", time.Second/2, sErrT, func(peer *sPeer) func(context.Context) (string, error) {
			return sBuild(t, &sBrokenClassAndDelay{sPeer: peer}).ServiceB
		})
	})
}

// MicroProfile's ratio of zero opens after any full window. Ours is "off", and a window that nothing looks at is refused.
func TestSessionBreakerWithARatioOfZero(t *testing.T) {
	t.Run("mp:C21 a ratio of zero", func(t *testing.T) {
		const problem = "breaker has a window but nothing that opens it"
		settings := retry.BreakerSettings{ResetTimeout: time.Second, Window: 4, FailureRatio: 0}
		require.ErrorContains(t, retry.With(retry.NewCircuitBreaker(settings)).Run(t.Context(), func(context.Context) error { return nil }), problem)

		c := container.New()
		c.Provide(func() *sPeer { return sFails(sErrT) }, container.As[sService](), container.Annotate[aliases.CircuitBreaker]("*", annotation.Breaker(settings)))
		require.ErrorContains(t, c.Verify(), problem)
	})
	sBubble(t, "mp:C21 a ratio of zero beside another reason never opens", func(t *testing.T) {
		sPlay(t, "SSSSFFSFFSFFFO", 0, sErrT, func(peer *sPeer) func(context.Context) (string, error) {
			return sBuild(t, peer, container.Annotate[aliases.CircuitBreaker](sService.ServiceA, annotation.MaxAttempts(1),
				annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Second, Window: 4, Consecutive: 3}))).ServiceA
		})
	})
}

func TestSessionBreakerRatioHasNoRoundingError(t *testing.T) {
	for _, c := range []struct {
		ratio         float64
		window, opens int
	}{{0.55, 100, 55}, {0.07, 100, 7}, {0.29, 100, 29}, {0.57, 100, 57}, {0.58, 50, 29}, {0.7, 10, 7}} {
		sBubble(t, fmt.Sprintf("mp:C22 %d of %d are %v", c.opens, c.window, c.ratio), func(t *testing.T) {
			weave := func(peer *sPeer) func(context.Context) (string, error) {
				return sBuild(t, peer, container.Annotate[aliases.CircuitBreaker](sService.ServiceA, annotation.MaxAttempts(1),
					annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Second, Window: c.window, FailureRatio: c.ratio}))).ServiceA
			}
			sPlay(t, strings.Repeat("S", c.window-c.opens)+strings.Repeat("F", c.opens)+"O", 0, sErrT, weave)
			sPlay(t, strings.Repeat("F", c.opens-1)+strings.Repeat("S", c.window-c.opens+1)+strings.Repeat("S", c.window), 0, sErrT, weave)
			sPlay(t, strings.Repeat("S", c.window)+strings.Repeat("F", c.opens)+"O", 0, sErrT, weave)
		})
	}
	t.Run("mp:C22 in a tag", func(t *testing.T) {
		type tagged struct {
			_ annotation.On[aliases.CircuitBreaker] `method:"ServiceA" maxAttempts:"1" breaker:"window=100,failureRatio=0.07"`
			*sPeer
		}
		outcomes := slices.Concat(slices.Repeat([]byte{'S'}, 93), slices.Repeat([]byte{'F'}, 7), []byte{'O'})
		sPlay(t, string(outcomes), 0, sErrT, func(peer *sPeer) func(context.Context) (string, error) {
			return sBuild(t, &tagged{sPeer: peer}).ServiceA
		})
	})
}
