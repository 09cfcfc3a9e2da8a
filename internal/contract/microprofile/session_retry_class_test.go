package microprofile_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// An annotation on the class is a mark on all methods; that of a named method replaces it as a whole.

// sRetriedTwice is annotated as a class.
type sRetriedTwice struct {
	_ annotation.On[sRetry] `method:"*" maxAttempts:"3"`
	*sPeer
}

// sRetriedTwiceOrLonger is annotated as a class, and its ServiceB as a method.
type sRetriedTwiceOrLonger struct {
	_ annotation.On[sRetry] `method:"*" maxAttempts:"3"`
	_ annotation.On[sRetry] `method:"ServiceB" maxAttempts:"91" timeout:"1000ms" jitter:"0s"`
	*sPeer
}

// sRetriedTwiceOrSeconds is the same, in seconds.
type sRetriedTwiceOrSeconds struct {
	_ annotation.On[sRetry] `method:"*" maxAttempts:"3"`
	_ annotation.On[sRetry] `method:"ServiceB" maxAttempts:"91" timeout:"1s" jitter:"0s"`
	*sPeer
}

func TestSessionRetryOfAClass(t *testing.T) {
	sBubble(t, "mp:R7 maxRetries 2 on the class", func(t *testing.T) {
		peer := sFails(sErrT)
		service := sBuild(t, &sRetriedTwice{sPeer: peer})
		_, err := service.ServiceA(t.Context())
		require.Same(t, sErrT, err)
		require.Equal(t, 3, peer.execs())
		_, err = service.ServiceB(t.Context())
		require.Same(t, sErrT, err)
		require.EqualValues(t, 3, peer.b.Load())
	})
	sBubble(t, "mp:R8 the method overrides the class", func(t *testing.T) {
		peer := sWorks(100*time.Millisecond, sErrT)
		service := sBuild(t, &sRetriedTwiceOrLonger{sPeer: peer})
		_, err := service.ServiceB(t.Context())
		require.Same(t, sErrT, err)
		require.EqualValues(t, 10, peer.b.Load())
		_, err = service.ServiceA(t.Context())
		require.Same(t, sErrT, err)
		require.Equal(t, 3, peer.execs(), "the class's holds for the others")
	})
	sBubble(t, "mp:R9 the method overrides the class, in seconds", func(t *testing.T) {
		peer := sWorks(100*time.Millisecond, sErrT)
		_, err := sBuild(t, &sRetriedTwiceOrSeconds{sPeer: peer}).ServiceB(t.Context())
		require.Same(t, sErrT, err)
		require.EqualValues(t, 10, peer.b.Load())
	})
}

// A method's annotation takes the place of its class's as a whole, the lists of what is retried and skipped included.
func TestSessionConditionsOfAClass(t *testing.T) {
	onT, onIO := annotation.RetryErrors(retry.Is(sErrT)), annotation.RetryErrors(retry.Is(sErrIO))
	skipT, skipIO := annotation.IgnoreErrors(retry.Is(sErrT)), annotation.IgnoreErrors(retry.Is(sErrIO))
	for _, c := range []struct {
		name   string
		class  annotation.Option
		method []annotation.Option // what the method says instead, if it says anything
		execs  int
	}{
		{"mp:R16 retryOn what is thrown, on the class", onT, nil, 4},
		{"mp:R16 retryOn what is thrown, on the method", onIO, []annotation.Option{onT}, 4},
		{"mp:R17 retryOn another, on the class", onIO, nil, 1},
		{"mp:R17 retryOn another, on the method", onT, []annotation.Option{onIO}, 1},
		{"mp:R18 abortOn another, on the class", skipIO, nil, 4},
		{"mp:R18 abortOn another, on the method", skipT, []annotation.Option{skipIO}, 4},
		{"mp:R19 abortOn what is thrown, on the class", skipT, nil, 1},
		{"mp:R19 abortOn what is thrown, on the method", skipIO, []annotation.Option{skipT}, 1},
	} {
		sBubble(t, c.name, func(t *testing.T) {
			opts := []container.ProvideOption{container.Annotate[sRetry]("*", c.class)}
			if c.method != nil {
				opts = append(opts, container.Annotate[sRetry](sService.ServiceA, c.method...))
			}
			peer := sFails(sErrT)
			_, err := sBuild(t, peer, opts...).ServiceA(t.Context())
			require.Same(t, sErrT, err)
			require.Equal(t, c.execs, peer.execs())
		})
	}
}
