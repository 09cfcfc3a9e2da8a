package containertest_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/container/containertest"
	"github.com/backstay/backstay/retry"
)

var errBusy = errors.New("busy")

// Caller is a service whose calls do what their argument says.
type Caller interface {
	Call(ctx context.Context, do func() error) error
}

type Target struct{}

func (*Target) Call(_ context.Context, do func() error) error { return do() }

// waiting retries up to four attempts, with waits of 1, 2 and 4 seconds, near enough.
var waiting = []annotation.Option{
	annotation.Policies(retry.Fallback, retry.Classifier, retry.MaxAttempts, retry.Sleep), annotation.MaxAttempts(4), annotation.Base(time.Second),
}

func called(t *testing.T, opts ...annotation.Option) (Caller, *containertest.Recorder) {
	c, rec := containertest.New(t, func(c *container.Container) {
		c.Provide(func() *Target { return &Target{} }, container.As[Caller](),
			container.Annotate[aliases.Retry](Caller.Call, append(append([]annotation.Option{}, waiting...), opts...)...))
	})
	caller, err := container.Get[Caller](c)
	require.NoError(t, err)
	return caller, rec
}

// fails returns a func that fails so many times.
func fails(times int) func() error {
	return func() error {
		if times--; times >= 0 {
			return errBusy
		}
		return nil
	}
}

func texts(all []containertest.Session) (texts []string) {
	for _, s := range all {
		texts = append(texts, s.String())
	}
	return texts
}

func TestSessionsTellWhatEndedThem(t *testing.T) {
	for name, test := range map[string]struct {
		opts []annotation.Option
		do   func() error
		end  time.Duration // of the context; zero: never
		want string
	}{
		"a success":                     {nil, fails(0), 0, "Target@Call: 1 attempt, succeeded"},
		"a success after failures":      {nil, fails(2), 0, "Target@Call: 3 attempts, waits 1s 1s, succeeded"},
		"no more attempts":              {nil, fails(9), 0, "Target@Call: 4 attempts, waits 1s 1s 1s, exhausted by maxAttempts: busy"},
		"a failure for good":            {nil, func() error { return retry.Permanent(errBusy) }, 0, "Target@Call: 1 attempt, failed: busy"},
		"a context that ends":           {nil, fails(9), 1500 * time.Millisecond, "Target@Call: 2 attempts, waits 1s 1s, canceled: busy"},
		"a context that is done":        {nil, fails(0), 1, "Target@Call: 0 attempts, canceled"},
		"a timeout":                     {[]annotation.Option{annotation.Timeout(2500 * time.Millisecond)}, fails(9), 0, "Target@Call: 3 attempts, waits 1s 1s, exhausted by timeout: busy"},
		"no time at all":                {[]annotation.Option{annotation.Timeout(0)}, fails(0), 0, "Target@Call: 0 attempts, rejected: no time left"},
		"a fallback that succeeds":      {[]annotation.Option{annotation.Fallback(func() error { return nil })}, fails(9), 0, "Target@Call: 4 attempts, waits 1s 1s 1s, exhausted by maxAttempts: busy; fallback succeeded"},
		"a fallback that fails":         {[]annotation.Option{annotation.Fallback(func() error { return errors.New("offline") })}, fails(9), 0, "Target@Call: 4 attempts, waits 1s 1s 1s, exhausted by maxAttempts: busy; fallback: offline"},
		"a fallback of what is refused": {[]annotation.Option{annotation.Timeout(0), annotation.Fallback(func() error { return nil })}, fails(9), 0, "Target@Call: 0 attempts, rejected: no time left; fallback succeeded"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				caller, rec := called(t, test.opts...)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				switch {
				case test.end == 1:
					cancel()
				case test.end > 0:
					time.AfterFunc(test.end, cancel)
				}
				_ = caller.Call(ctx, test.do)
				require.Equal(t, []string{test.want}, texts(rec.Sessions(Caller.Call)))
			})
		})
	}
}

// Sessions of one method that run at once, with one context, are told apart.
func TestSessionsOfManyGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		caller, rec := called(t)
		var all sync.WaitGroup
		for n := range 12 {
			all.Go(func() { _ = caller.Call(t.Context(), fails(n%4)) })
		}
		all.Wait()
		ended := map[string]int{}
		for _, s := range rec.Sessions("Target@Call") {
			ended[s.String()]++
		}
		require.Equal(t, map[string]int{
			"Target@Call: 1 attempt, succeeded":                  3,
			"Target@Call: 2 attempts, waits 1s, succeeded":       3,
			"Target@Call: 3 attempts, waits 1s 1s, succeeded":    3,
			"Target@Call: 4 attempts, waits 1s 1s 1s, succeeded": 3,
		}, ended)
		require.Equal(t, 3*(1+2+3+4), rec.Attempts(Caller.Call))
		require.Len(t, rec.Waits(Caller.Call), 3*(1+2+3))
	})
}

func TestSessionsInsideOneAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		caller, rec := called(t, annotation.RetryNested(true), annotation.Base(0))
		outer := fails(1)
		require.NoError(t, caller.Call(t.Context(), func() error {
			_ = caller.Call(context.Background(), fails(2))
			return outer()
		}))
		require.Equal(t, []string{
			"Target@Call: 3 attempts, waits 0s 0s, succeeded",
			"Target@Call: 3 attempts, waits 0s 0s, succeeded",
			"Target@Call: 2 attempts, waits 0s, succeeded",
		}, texts(rec.Sessions("Target@Call")))
	})
}

func TestASessionThatPanicsIsAborted(t *testing.T) {
	caller, rec := called(t, annotation.Base(0))
	n := 0
	require.Panics(t, func() {
		_ = caller.Call(t.Context(), func() error {
			if n++; n == 2 {
				panic("boom")
			}
			return errBusy
		})
	})
	require.Equal(t, []string{"Target@Call: 2 attempts, waits 0s, aborted"}, texts(rec.Sessions(Caller.Call)))
	require.NoError(t, caller.Call(t.Context(), fails(0)))
	require.NoError(t, caller.Call(t.Context(), fails(1)))
	require.Equal(t, []string{
		"Target@Call: 1 attempt, succeeded",
		"Target@Call: 2 attempts, waits 0s, succeeded",
	}, texts(rec.Sessions(Caller.Call))[1:])
}

func TestWaitsAreThoseOfSessionsUnderWayToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		caller, rec := called(t, annotation.SleepStrategy(retry.DecorrelatedJitter))
		require.NoError(t, caller.Call(t.Context(), fails(1)))
		waits := rec.Waits(Caller.Call)
		require.Len(t, waits, 1)
		done := make(chan error)
		go func() { done <- caller.Call(t.Context(), fails(1)) }()
		synctest.Wait() // in its wait
		require.Len(t, rec.Waits(Caller.Call), 2)
		require.Len(t, rec.Sessions(Caller.Call), 1)
		require.NoError(t, <-done)
		require.Equal(t, rec.Waits(Caller.Call)[1:], rec.Sessions(Caller.Call)[1].Waits)
		require.Equal(t, waits, rec.Sessions(Caller.Call)[0].Waits)
	})
}

func TestResetForgetsWhatHasEnded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		caller, rec := called(t)
		require.NoError(t, caller.Call(t.Context(), fails(1)))
		done := make(chan error)
		go func() { done <- caller.Call(t.Context(), fails(2)) }()
		synctest.Wait() // in its first wait
		rec.Reset()
		require.Empty(t, rec.Events())
		require.Empty(t, rec.Waits(Caller.Call))
		require.Empty(t, rec.Sessions(Caller.Call))
		require.Zero(t, rec.Attempts(Caller.Call))
		require.NoError(t, <-done)
		require.Equal(t, []string{"Target@Call: 3 attempts, waits 1s 1s, succeeded"}, texts(rec.Sessions(Caller.Call)))
		require.Len(t, rec.Waits(Caller.Call), 1, "one wait was forgotten")
	})
}

func TestWhatIsReturnedIsACopy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		caller, rec := called(t)
		require.NoError(t, caller.Call(t.Context(), fails(1)))
		rec.Sessions(Caller.Call)[0].Waits[0] = 0
		rec.Waits(Caller.Call)[0] = 0
		rec.Events()[0] = nil
		require.Equal(t, "[Target@Call: 2 attempts, waits 1s, succeeded]", fmt.Sprint(rec.Sessions(Caller.Call)))
		require.Equal(t, []time.Duration{time.Second}, rec.Waits(Caller.Call))
		require.NotNil(t, rec.Events()[0])
	})
}

func TestWrongMethodsFailTheTestByTheNameOfWhatWasAsked(t *testing.T) {
	s := &spy{}
	_, rec := containertest.New(s, wire)
	require.Empty(t, rec.Waits("Stripe@Chagre"))
	require.Empty(t, rec.Sessions((*Stripe).Charge))
	require.Empty(t, rec.Sessions("Stripe@Chagre"))
	const why = "the container has no such method with a retry annotation; did you mean Stripe@Charge?"
	require.Equal(t, []string{"containertest: Waits(Stripe@Chagre): " + why, "containertest: Sessions(Stripe@Chagre): " + why}, s.failed)
}
