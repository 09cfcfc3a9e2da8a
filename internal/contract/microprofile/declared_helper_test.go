package microprofile_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

var errDeclared = errors.New("the body failed")

// declaredRetry has MicroProfile's default of 3 retries, and neither a budget nor a wait.
type declaredRetry struct{ annotation.AbstractRetry }

// Defaults are those of MicroProfile's Retry, counted in attempts.
func (declaredRetry) Defaults() []annotation.Option {
	return []annotation.Option{
		annotation.Policies(retry.Fallback, retry.Classifier, retry.MaxAttempts, retry.Sleep),
		annotation.MaxAttempts(4),
	}
}

// declaredGuard has MicroProfile's default window of 20 calls, and does not retry. Where MicroProfile opens at half of them,
// it opens when all have failed.
type declaredGuard struct{ aliases.CircuitBreaker }

// Defaults are those of MicroProfile's CircuitBreaker, without a retry.
func (declaredGuard) Defaults() []annotation.Option {
	return []annotation.Option{annotation.MaxAttempts(1), declaredWindow(20)}
}

// declaredWindow opens a breaker when n calls in a row have failed.
func declaredWindow(n int) annotation.Option {
	return annotation.Breaker(retry.BreakerSettings{ResetTimeout: 50 * time.Second, Window: n, FailureRatio: 1})
}

// declaredServer is what the services of these tests are provided as. All methods fail, and count in the context's counter.
type declaredServer interface {
	Serve(ctx context.Context) error
	Other(ctx context.Context) error
}

type declaredCounterKey struct{}

// declaredCounting is a context with a counter.
func declaredCounting(t testing.TB) (context.Context, *int) {
	n := new(int)
	return context.WithValue(t.Context(), declaredCounterKey{}, n), n
}

// declaredFail is the body of a method.
func declaredFail(ctx context.Context) error {
	*ctx.Value(declaredCounterKey{}).(*int)++
	return errDeclared
}

// declaredGet is the only declaredServer of a container.
func declaredGet[I any](t testing.TB, c *container.Container, opts ...container.GetOption) I {
	t.Helper()
	v, err := container.Get[I](c, opts...)
	require.NoError(t, err)
	return v
}

// declaredProvide is a container with a P as a declaredServer.
func declaredProvide[S any, P interface {
	*S
	declaredServer
}](opts ...container.ProvideOption) *container.Container {
	c := container.New()
	c.Provide(func() P { return new(S) }, append(opts, container.As[declaredServer]())...)
	return c
}

// declaredMistakes are the definition errors of a container, each of which has to be complete.
func declaredMistakes(t testing.TB, c *container.Container) (all []*annotation.DefinitionError) {
	t.Helper()
	err := c.Verify()
	if err == nil {
		return nil
	}
	for _, err := range err.(interface{ Unwrap() []error }).Unwrap() {
		d, ok := err.(*annotation.DefinitionError)
		require.True(t, ok, "%T: %v", err, err)
		require.NotContains(t, err.Error(), "\n")
		require.NotEmpty(t, d.Problem)
		require.NotEmpty(t, d.Remedy, d.Problem)
		require.NotEmpty(t, d.Place, d.Problem)
		all = append(all, d)
	}
	return all
}
