package dashboard_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

// scripted is a peer whose attempts take 20 ms each and then do as the script says.
func scripted(outcomes ...func() error) func(context.Context) error {
	return func(context.Context) error {
		time.Sleep(20 * time.Millisecond)
		next := outcomes[0]
		if len(outcomes) > 1 {
			outcomes = outcomes[1:]
		}
		return next()
	}
}

func down() error { return err503 }
func up() error   { return nil }

const text503 = "503 Service Unavailable"

// Each row is a real session, 100 ms after the dashboard was made.
func TestASessionIsATimeline(t *testing.T) {
	quota := errors.New("no more today")
	step := func(from, to float64, err string) attempt { return attempt{from, to, err} }
	for _, c := range []struct {
		name    string
		chain   retry.ErrorChain
		attempt func(context.Context) error
		within  time.Duration
		want    session
	}{
		{
			name: "succeeds at once", chain: retry.With(retry.NewMaxAttempts(3)), attempt: scripted(up),
			want: session{ElapsedMs: 20, End: "succeeded", Made: 1, Attempts: []attempt{step(0, 20, "")}, Waits: []wait{}},
		},
		{
			name: "succeeds at the third attempt", chain: retry.With(retry.NewMaxAttempts(3)).Sleep(100 * time.Millisecond), attempt: scripted(down, down, up),
			want: session{
				ElapsedMs: 260, End: "succeeded", Made: 3,
				Attempts: []attempt{step(0, 20, text503), step(120, 140, text503), step(240, 260, "")},
				Waits:    []wait{{20, 100}, {140, 100}},
			},
		},
		{
			name: "does not wait", chain: retry.With(retry.NewMaxAttempts(3)), attempt: scripted(down, up),
			want: session{ElapsedMs: 40, End: "succeeded", Made: 2, Attempts: []attempt{step(0, 20, text503), step(20, 40, "")}, Waits: []wait{}},
		},
		{
			name: "is exhausted", chain: retry.With(retry.NewMaxAttempts(2)).Sleep(100 * time.Millisecond), attempt: scripted(down),
			want: session{
				ElapsedMs: 140, End: "exhausted", Limit: "maxAttempts", Error: text503, Made: 2,
				Attempts: []attempt{step(0, 20, text503), step(120, 140, text503)}, Waits: []wait{{20, 100}},
			},
		},
		{
			name: "falls back", chain: retry.With(retry.NewMaxAttempts(1)).Fallback(func(context.Context, error) error { return nil }), attempt: scripted(down),
			want: session{
				ElapsedMs: 20, End: "exhausted", Limit: "maxAttempts", Fallback: "succeeded", Error: text503, Made: 1,
				Attempts: []attempt{step(0, 20, text503)}, Waits: []wait{},
			},
		},
		{
			name: "falls back and fails", chain: retry.With(retry.NewMaxAttempts(1)).Fallback(func(context.Context, error) error { return quota }), attempt: scripted(down),
			want: session{
				ElapsedMs: 20, End: "exhausted", Limit: "maxAttempts", Fallback: "failed", Error: text503, Made: 1,
				Attempts: []attempt{step(0, 20, text503)}, Waits: []wait{},
			},
		},
		{
			name: "is not worth a retry", chain: retry.With(retry.NewMaxAttempts(3)).WhenThrows(retry.Is(quota)), attempt: scripted(down),
			want: session{ElapsedMs: 20, End: "failed", Error: text503, Made: 1, Attempts: []attempt{step(0, 20, text503)}, Waits: []wait{}},
		},
		{
			name: "is cancelled while it waits", chain: retry.With(retry.NewMaxAttempts(3)).Sleep(time.Second), attempt: scripted(down), within: 50 * time.Millisecond,
			want: session{ElapsedMs: 50, End: "canceled", Error: text503, Made: 1, Attempts: []attempt{step(0, 20, text503)}, Waits: []wait{{20, 30}}},
		},
		{
			name: "has no time left", chain: retry.With(retry.NewMaxAttempts(3), retry.NewTimeout(time.Second)).Sleep(2 * time.Second), attempt: scripted(down),
			want: session{
				ElapsedMs: 20, End: "exhausted", Limit: "timeout", Error: text503, Made: 1,
				Attempts: []attempt{step(0, 20, text503)}, Waits: []wait{},
			},
		},
		{
			name: "panics", chain: retry.With(retry.NewMaxAttempts(3)).Sleep(100 * time.Millisecond), attempt: scripted(down, func() error { panic("no") }),
			want: session{
				ElapsedMs: 140, End: "aborted", Error: "panic or runtime.Goexit", Made: 2,
				Attempts: []attempt{step(0, 20, text503), step(120, 140, "panic or runtime.Goexit")}, Waits: []wait{{20, 100}},
			},
		},
		{
			name: "ends its goroutine", chain: retry.With(retry.NewMaxAttempts(3)), attempt: scripted(func() error { runtime.Goexit(); return nil }),
			want: session{
				ElapsedMs: 20, End: "aborted", Error: "panic or runtime.Goexit", Made: 1,
				Attempts: []attempt{step(0, 20, "panic or runtime.Goexit")}, Waits: []wait{},
			},
		},
		{
			name: "panics in a hook", chain: retry.With(retry.NewMaxAttempts(3)).When(func(err error) bool { panic("no") }), attempt: scripted(down),
			want: session{
				ElapsedMs: 20, End: "aborted", Error: "panic or runtime.Goexit", Made: 1,
				Attempts: []attempt{step(0, 20, "panic or runtime.Goexit")}, Waits: []wait{},
			},
		},
		{
			name: "fails by a result", chain: retry.With(retry.NewMaxAttempts(2)).When(func(err error) bool { return err == nil }), attempt: scripted(up),
			want: session{
				ElapsedMs: 40, End: "exhausted", Limit: "maxAttempts", Error: "unwanted result", Made: 2,
				Attempts: []attempt{step(0, 20, "unwanted result"), step(20, 40, "unwanted result")}, Waits: []wait{},
			},
		},
		{
			name: "makes more attempts than are kept", chain: retry.With(retry.NewMaxAttempts(20)).Sleep(80 * time.Millisecond), attempt: scripted(down),
			want: session{
				ElapsedMs: 1920, End: "exhausted", Limit: "maxAttempts", Error: text503, Made: 20,
				Attempts: []attempt{
					step(0, 20, text503), step(100, 120, text503), step(200, 220, text503), step(300, 320, text503),
					step(400, 420, text503), step(500, 520, text503), step(600, 620, text503), step(700, 720, text503),
					step(1600, 1620, text503), step(1700, 1720, text503), step(1800, 1820, text503), step(1900, 1920, text503),
				},
				Waits: []wait{
					{20, 80}, {120, 80}, {220, 80}, {320, 80}, {420, 80}, {520, 80}, {620, 80}, {720, 80},
					{1520, 80}, {1620, 80}, {1720, 80}, {1820, 80},
				},
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				board := dashboard.New()
				time.Sleep(100 * time.Millisecond)
				c.want.At = ms(time.Now())
				ctx := t.Context()
				if c.within > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithCancel(ctx)
					time.AfterFunc(c.within, cancel)
				}
				go func() {
					defer func() { _ = recover() }()
					_ = c.chain.Named("rates").Listen(board).Run(ctx, c.attempt)
				}()
				time.Sleep(time.Minute)
				_, m := look(t, board.Handler(nil), "rates")
				require.Equal(t, []session{c.want}, m.Sessions)
			})
		})
	}
}

func TestACallThatWasRejectedIsATimelineWithoutAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		chain, breaker := guarded("rates", board, time.Minute)
		require.NoError(t, chain.Run(t.Context(), healthy))
		breaker.ForceOpen()
		require.Error(t, chain.Run(t.Context(), healthy))
		time.Sleep(time.Second)
		require.NoError(t, chain.Fallback(func(context.Context, error) error { return nil }).Run(t.Context(), healthy))
		_, m := look(t, board.Handler(nil), "rates")
		want := session{At: ms(time.Now()), End: "rejected", Limit: "circuitBreaker", Fallback: "succeeded", Error: "circuit breaker is open", Attempts: []attempt{}, Waits: []wait{}}
		require.Equal(t, want, m.Sessions[0])
		want.At, want.Fallback = want.At-1000, ""
		require.Equal(t, want, m.Sessions[1])
		require.Len(t, m.Sessions, 3)
		require.Empty(t, m.Errors, "that it was refused is no error of the peer")
	})
}
