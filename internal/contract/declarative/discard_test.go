package declarative_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// response has a body that must be closed.
type response struct {
	status int
	closed int
}

func (r *response) Close() error { r.closed++; return nil }

type Web interface {
	Get(ctx context.Context, url string) (*response, error)
}

type web struct {
	answer func(n int) (*response, error)
	calls  int
}

func (w *web) Get(context.Context, string) (*response, error) { w.calls++; return w.answer(w.calls) }

// decl:49. Responses that a retry throws away and nobody closes exhaust the pool of connections.
func TestEveryResponseThatIsThrownAwayIsClosedOnceAndTheReturnedOneIsNot(t *testing.T) {
	fallback := &response{status: 200}
	withFallback := annotation.Fallback(func(context.Context, string) (*response, error) { return fallback, nil })
	type outcome struct {
		status   int
		err      error
		returned int // index of the response that the caller gets; none: -1
		closed   []int
	}
	for name, test := range map[string]struct {
		statuses []int
		err      error // beside every response
		opts     []annotation.Option
		deadline time.Duration
		want     outcome
	}{
		"a success after two":       {[]int{503, 503, 200}, nil, nil, time.Hour, outcome{200, nil, 2, []int{1, 1, 0}}},
		"exhausted":                 {[]int{503, 503, 503}, nil, nil, time.Hour, outcome{503, nil, 2, []int{1, 1, 0}}},
		"exhausted, with fallback":  {[]int{503, 503, 503}, nil, []annotation.Option{withFallback}, time.Hour, outcome{200, nil, -1, []int{1, 1, 1}}},
		"not worth a retry":         {[]int{404}, nil, nil, time.Hour, outcome{404, nil, 0, []int{0}}},
		"vetoed":                    {[]int{503}, nil, []annotation.Option{annotation.OnlyIf(func(*retry.Session) bool { return false })}, time.Hour, outcome{503, nil, 0, []int{0}}},
		"beside an error":           {[]int{200, 200, 200}, errBoom, nil, time.Hour, outcome{200, errBoom, 2, []int{1, 1, 0}}},
		"no time for the next wait": {[]int{503}, nil, nil, 500 * ms, outcome{0, context.DeadlineExceeded, -1, []int{1}}},
		"the deadline in an attempt": {[]int{503}, nil,
			[]annotation.Option{annotation.RetryIfResult(func(r *response) bool { time.Sleep(time.Minute); return true })},
			time.Second, outcome{0, context.DeadlineExceeded, -1, []int{1}}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var made []*response
				target := &web{answer: func(n int) (*response, error) {
					r := &response{status: test.statuses[n-1]}
					made = append(made, r)
					return r, test.err
				}}
				c := container.New()
				c.Provide(func() *web { return target }, container.As[Web](), container.Annotate[aliases.RetryThrowable](Web.Get, append([]annotation.Option{
					annotation.MaxAttempts(3), annotation.Base(time.Second),
					annotation.RetryErrors(retry.AnyError), annotation.RetryIfResult(func(r *response) bool { return r.status == 503 }),
					annotation.Discard(func(r *response) { _ = r.Close() }),
				}, test.opts...)...))
				ctx, cancel := context.WithTimeout(t.Context(), test.deadline)
				defer cancel()
				got, err := get[Web](t, c).Get(ctx, "/")
				require.ErrorIs(t, err, test.want.err)
				if test.want.status == 0 {
					require.Nil(t, got)
				} else {
					require.Equal(t, test.want.status, got.status)
				}
				if test.want.returned >= 0 {
					require.Same(t, made[test.want.returned], got)
				}
				var closed []int
				for _, r := range made {
					closed = append(closed, r.closed)
				}
				require.Equal(t, test.want.closed, closed)
				require.Zero(t, fallback.closed)
			})
		})
	}
}

// decl:49. A cancel while the session waits leaves nobody to close the response but Discard.
func TestAResponseIsClosedWhenTheCallerCancelsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		made := &response{status: 503}
		c := container.New()
		c.Provide(func() *web { return &web{answer: func(int) (*response, error) { return made, nil }} }, container.As[Web](),
			container.Annotate[aliases.RetryFalsy](Web.Get, annotation.Base(time.Second),
				annotation.RetryIfResult(func(r *response) bool { return r.status == 503 }),
				annotation.Discard(func(r *response) { _ = r.Close() })))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*ms, cancel)
		got, err := get[Web](t, c).Get(ctx, "/")
		require.ErrorIs(t, err, context.Canceled)
		require.Nil(t, got)
		require.Equal(t, 1, made.closed)
	})
}
