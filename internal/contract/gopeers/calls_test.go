package gopeers_test

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// go:P4
func TestATimeoutSaysWhetherItIsOfTheSessionOrOfAnAttempt(t *testing.T) {
	const bound = 2 * time.Second
	slow := func(calls *int) operation {
		return func(ctx context.Context) error {
			*calls++
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(3 * time.Second):
				return errBoom
			}
		}
	}
	inBothForms(t,
		func() retry.ErrorChain {
			return retry.WhenThrows().With(retry.NewAttemptTimeout(bound)).Max(5).WrapExhausted()
		},
		options(annotation.AttemptTimeout(bound), annotation.MaxAttempts(5), annotation.WrapExhausted(true)),
		func(t *testing.T, p *form) {
			calls := 0
			require.Equal(t, 5*bound, within(func() { exhaustedBy(t, p.run(t.Context(), slow(&calls)), "maxAttempts", 5) }))
			require.Equal(t, 5, calls)
		})
	inBothForms(t,
		func() retry.ErrorChain { return retry.WhenThrows().Within(bound).Max(5).WrapExhausted() },
		options(annotation.Timeout(bound), annotation.MaxAttempts(5), annotation.WrapExhausted(true)),
		func(t *testing.T, p *form) {
			calls := 0
			require.Equal(t, 3*time.Second, within(func() { exhaustedBy(t, p.run(t.Context(), slow(&calls)), "timeout", 1) }))
			require.Equal(t, 1, calls, "it does not cut an attempt short")
		})
}

// Conn is a connection.
type Conn struct{ broken bool }

// Dialer is a service that is a func.
type Dialer func(ctx context.Context) (*Conn, error)

// go:P6
func TestAnAttemptThatCouldNotBeMadeIsAFailedAttempt(t *testing.T) {
	for _, c := range []struct {
		name  string
		fails int
		want  error
	}{{"twice", 2, nil}, {"always", 3, errBoom}} {
		calls, asked := 0, 0
		dial := func(context.Context) (*Conn, error) {
			if calls++; calls <= c.fails {
				return nil, errBoom
			}
			return &Conn{}, nil
		}
		broken := func(c *Conn) bool { asked++; return c.broken }
		woven, err := aspect.Wrap(aspect.NewWeaver(), Dialer(dial), aspect.Annotate[Bare]("Call",
			annotation.MaxAttempts(3), annotation.RetryErrors(retry.AnyError), annotation.RetryIfResult(broken)))
		require.NoError(t, err)
		chain := retry.When(func(c *Conn, err error) bool { return err != nil || broken(c) }).Max(3)
		for form, f := range map[string]Dialer{
			"annotated": woven,
			"fluent":    func(ctx context.Context) (*Conn, error) { return chain.Call(ctx, dial) },
		} {
			t.Run(c.name+", "+form, func(t *testing.T) {
				calls, asked = 0, 0
				conn, err := f(t.Context())
				require.Equal(t, c.want, err)
				require.Equal(t, c.want == nil, conn != nil)
				require.Equal(t, 3, calls)
				require.Equal(t, 3-c.fails, asked, "there is no connection to ask about")
			})
		}
	}
}

// go:P7
func TestARequestThatIsSentAgainSharesNoBufferWithTheFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		want := bytes.Repeat([]byte("hello "), 100)
		var mu sync.Mutex
		var got []string
		rt := transport(t, sender(func(r *http.Request) (*http.Response, error) {
			done := make(chan struct{})
			go func() { // it goes on reading when its attempt is given up, while the next one reads too
				defer close(done)
				var text []byte
				for buf := make([]byte, 7); ; time.Sleep(10 * time.Millisecond) {
					n, err := r.Body.Read(buf)
					text = append(text, buf[:n]...)
					clear(buf)
					if err != nil {
						break
					}
				}
				mu.Lock()
				defer mu.Unlock()
				got = append(got, string(text))
			}()
			select {
			case <-done:
				return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
			case <-r.Context().Done():
				return nil, r.Context().Err()
			}
		}), annotation.AttemptTimeout(100*time.Millisecond))
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://peer/", bytes.NewReader(want))
		require.NoError(t, err)
		_, err = rt.RoundTrip(r) //nolint:bodyclose // there is none
		require.ErrorIs(t, err, context.DeadlineExceeded)
		time.Sleep(time.Minute)
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		require.Equal(t, []string{string(want), string(want), string(want)}, got)
	})
}

// go:P8
func TestCallsThroughOneInterceptorKeepTheirOwnMetadata(t *testing.T) {
	var mu sync.Mutex
	sawAttempts, sawCalls := map[any]int{}, map[any]int{}
	saw := func(m map[any]int, ctx context.Context) {
		mu.Lock()
		defer mu.Unlock()
		m[ctx.Value(requestKey{})]++
	}
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), aspect.RetryPriority+1, aspect.Func(func(jp aspect.JoinPoint) error {
		saw(sawCalls, jp.Context())
		return jp.Proceed()
	})))
	peer, err := aspect.Wrap[Peer](w, &LocalPeer{}, aspect.Annotate[Bare](Peer.Do, annotation.MaxAttempts(3)))
	require.NoError(t, err)
	errs := make([]error, 8)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			errs[i] = peer.Do(context.WithValue(context.Background(), requestKey{}, i), func(ctx context.Context) error {
				saw(sawAttempts, ctx)
				return errBoom
			})
		})
	}
	wg.Wait()
	for i := range errs {
		require.Equal(t, errBoom, errs[i])
		require.Equal(t, 1, sawCalls[i])
		require.Equal(t, 3, sawAttempts[i])
	}
	require.Len(t, sawAttempts, len(errs))
}
