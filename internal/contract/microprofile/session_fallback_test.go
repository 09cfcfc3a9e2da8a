package microprofile_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/container/containertest"
	"github.com/backstay/backstay/retry"
)

// sOrders is a service whose method has arguments.
type sOrders interface {
	Order(ctx context.Context, name string, count int) (string, error)
}

type sShop struct{ execs int }

func (s *sShop) Order(context.Context, string, int) (string, error) {
	s.execs++
	return "", sErrT
}

// Backorder is a fallback of Order that is no part of what the shop is provided as.
func (s *sShop) Backorder(_ context.Context, name string, count int) (string, error) {
	return fmt.Sprintf("backorder of %d %s", count, name), nil
}

// sHandler is a fallback handler with a service injected, as MicroProfile's handlers are beans.
type sHandler struct{ counter *sCounter }

type sCounter struct{ n int }

// Handle counts, and tells what has failed.
func (h *sHandler) Handle(_ context.Context, cause error) (string, error) {
	h.counter.n++
	return fmt.Sprintf("handled %T %d", cause, h.counter.n), nil
}

// sOtherHandler is another one.
type sOtherHandler struct{}

// Handle tells what has failed.
func (*sOtherHandler) Handle(cause error) (string, error) {
	return fmt.Sprintf("handled otherwise: %T", cause), nil
}

// sHandled is the target in a container that has the handlers.
func sHandled[C any](t *testing.T, target *C, opts ...container.ProvideOption) (sService, *containertest.Recorder) {
	t.Helper()
	recorder := new(containertest.Recorder)
	c := container.New(container.WithListener(recorder))
	c.Supply(&sCounter{33})
	c.Provide(func(counter *sCounter) *sHandler { return &sHandler{counter} })
	c.Provide(func() *sOtherHandler { return &sOtherHandler{} })
	return sBuildIn(t, c, target, opts...), recorder
}

// sFellBack are the methods whose fallbacks gave the result.
func sFellBack(recorder *containertest.Recorder) (methods []string) {
	for _, e := range recorder.Events() {
		if e, ok := e.(retry.FallbackSucceeded); ok {
			methods = append(methods, e.Ref().Method)
		}
	}
	return methods
}

func TestSessionFallbackHandlers(t *testing.T) {
	handler := annotation.Fallback((*sHandler).Handle)
	// MicroProfile's handler is told the method by its execution context; ours is told what failed, and listeners the method.
	sBubble(t, "mp:F1 one retry and a handler", func(t *testing.T) {
		peer := sFails(sErrT)
		service, recorder := sHandled(t, peer, container.Annotate[sRetry](sService.ServiceA, annotation.MaxAttempts(2), handler))
		result, err := service.ServiceA(t.Context())
		require.NoError(t, err)
		require.Equal(t, "handled *errors.errorString 34", result)
		require.Equal(t, 2, peer.execs())
		require.Equal(t, []string{"ServiceA"}, sFellBack(recorder))
	})
	sBubble(t, "mp:F2 two retries and a handler", func(t *testing.T) {
		peer := sFails(sErrT)
		service, recorder := sHandled(t, peer, container.Annotate[sRetry]("ServiceB", annotation.MaxAttempts(3), annotation.Fallback("sOtherHandler@Handle")))
		result, err := service.ServiceB(t.Context())
		require.NoError(t, err)
		require.Equal(t, "handled otherwise: *errors.errorString", result)
		require.EqualValues(t, 3, peer.b.Load())
		require.Equal(t, []string{"ServiceB"}, sFellBack(recorder))
	})
	sBubble(t, "mp:F5 a handler with a singleton that two methods use", func(t *testing.T) {
		type twoMethods struct {
			_ annotation.On[sRetry] `method:"ServiceA" maxAttempts:"2" fallback:"sHandler@Handle"`
			_ annotation.On[sRetry] `method:"ServiceB" maxAttempts:"3" fallback:"sHandler@Handle"`
			*sPeer
		}
		peer := sFails(sErrT)
		service, recorder := sHandled(t, &twoMethods{sPeer: peer})
		first, err := service.ServiceA(t.Context())
		require.NoError(t, err)
		second, err := service.ServiceB(t.Context())
		require.NoError(t, err)
		require.Equal(t, []string{"handled *errors.errorString 34", "handled *errors.errorString 35"}, []string{first, second})
		require.Equal(t, 2, peer.execs())
		require.EqualValues(t, 3, peer.b.Load())
		require.Equal(t, []string{"ServiceA", "ServiceB"}, sFellBack(recorder))
	})
	sBubble(t, "mp:F6 one retry on the class, two and another handler on a method", func(t *testing.T) {
		type onClass struct {
			_ annotation.On[sRetry] `method:"*" maxAttempts:"2" fallback:"sHandler@Handle"`
			_ annotation.On[sRetry] `method:"ServiceB" maxAttempts:"3" fallback:"sOtherHandler@Handle"`
			*sPeer
		}
		peer := sFails(sChildError{})
		service, _ := sHandled(t, &onClass{sPeer: peer})
		result, err := service.ServiceA(t.Context())
		require.NoError(t, err)
		require.Equal(t, "handled microprofile_test.sChildError 34", result)
		require.Equal(t, 2, peer.execs())
		result, err = service.ServiceB(t.Context())
		require.NoError(t, err)
		require.Equal(t, "handled otherwise: microprofile_test.sChildError", result)
		require.EqualValues(t, 3, peer.b.Load())
	})
	sBubble(t, "mp:F9 a handler without a retry", func(t *testing.T) {
		peer := sFails(sErrT)
		service, _ := sHandled(t, peer, container.Annotate[sRetry](sService.ServiceA, annotation.MaxAttempts(1), handler))
		result, err := service.ServiceA(t.Context())
		require.NoError(t, err)
		require.Equal(t, "handled *errors.errorString 34", result)
		require.Equal(t, 1, peer.execs())
	})
	for name, works := range map[string]time.Duration{
		"mp:F7 a failure within the timeout, and a handler": 10 * time.Millisecond,
		"mp:F8 a timeout, and a handler":                    time.Second,
	} {
		sBubble(t, name, func(t *testing.T) {
			peer := sWorks(works, sErrT)
			service, _ := sHandled(t, peer, container.Annotate[sRetry](sService.ServiceA, annotation.MaxAttempts(2), sWithoutJitter,
				annotation.AttemptTimeout(500*time.Millisecond), handler))
			took, result, err := sTimed(t.Context(), service.ServiceA)
			require.NoError(t, err)
			require.Equal(t, 2, peer.execs())
			require.Equal(t, 2*min(works, 500*time.Millisecond), took)
			if works < 500*time.Millisecond {
				require.Equal(t, "handled *errors.errorString 34", result)
			} else {
				require.Equal(t, "handled context.deadlineExceededError 34", result)
			}
		})
	}
}

func TestSessionFallbackMethods(t *testing.T) {
	sBubble(t, "mp:F3 one retry and a method", func(t *testing.T) {
		type falling struct {
			_ annotation.On[sRetry] `method:"ServiceA" maxAttempts:"2" fallback:"falling@ServiceB"`
			*sPeer
		}
		peer := sFails(sErrT)
		peer.do = func(ctx context.Context, _ int) (string, error) {
			if _, inside := retry.FromContext(ctx); inside { // ServiceB, as the fallback, runs outside the session
				return "", sErrT
			}
			return "B", nil
		}
		result, err := sBuild(t, &falling{sPeer: peer}).ServiceA(t.Context())
		require.NoError(t, err)
		require.Equal(t, "B", result)
		require.Equal(t, 2, peer.execs())
		require.EqualValues(t, 1, peer.b.Load())
	})
	sBubble(t, "mp:F4 a method that gets the arguments", func(t *testing.T) {
		shop := &sShop{}
		c := container.New()
		c.Provide(func() *sShop { return shop }, container.As[sOrders](),
			container.Annotate[sRetry](sOrders.Order, annotation.MaxAttempts(2), annotation.Fallback((*sShop).Backorder)))
		require.NoError(t, c.Invoke(func(orders sOrders) {
			result, err := orders.Order(t.Context(), "spoons", 42)
			require.NoError(t, err)
			require.Equal(t, "backorder of 42 spoons", result)
		}))
		require.Equal(t, 2, shop.execs)
	})
	sBubble(t, "mp:F10 a method without a retry", func(t *testing.T) {
		shop := &sShop{}
		c := container.New()
		c.Provide(func() *sShop { return shop }, container.As[sOrders](),
			container.Annotate[sRetry](sOrders.Order, annotation.MaxAttempts(1), annotation.Fallback("sShop@Backorder")))
		require.NoError(t, c.Invoke(func(orders sOrders) {
			result, err := orders.Order(t.Context(), "spoons", 42)
			require.NoError(t, err)
			require.Equal(t, "backorder of 42 spoons", result)
		}))
		require.Equal(t, 1, shop.execs)
	})
	sBubble(t, "mp:F16 a fallback that fails", func(t *testing.T) {
		peer := sFails(sErrT)
		_, err := sBuild(t, peer, container.Annotate[sRetry](sService.ServiceA, annotation.MaxAttempts(2),
			annotation.Fallback(func(context.Context) (string, error) { return "", sErrIO }))).ServiceA(t.Context())
		require.ErrorIs(t, err, sErrIO, "its own error")
		require.ErrorIs(t, err, sErrT, "and why it ran")
		require.Equal(t, 2, peer.execs())
	})
}
