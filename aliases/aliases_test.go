package aliases_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

type stock interface {
	Reserve(ctx context.Context, id string) (bool, error)
}

// definition is what holds for a method that carries the declarations.
func definition(t *testing.T, declarations ...annotation.Declaration) annotation.MethodDefinition {
	t.Helper()
	i := reflect.TypeFor[stock]()
	defs, errs := annotation.Resolve(annotation.Subject{
		Ref:        retry.MethodRef{Class: "HTTPStock"},
		Interfaces: []reflect.Type{i},
		Methods:    annotation.MethodsOf(i),
	}, declarations, nil, "")
	require.Empty(t, errs)
	require.Len(t, defs, 1)
	return defs[0]
}

func declare[A any](opts ...annotation.Option) annotation.Declaration {
	return annotation.Declare[A]("Reserve", "main.go:1", opts...)
}

func TestEachAliasHasItsDefaults(t *testing.T) {
	inOrder := []retry.PolicyFactory{retry.Fallback, retry.Classifier, retry.Budget, retry.MaxAttempts, retry.Sleep}
	anyError, none, falsy := []retry.Matcher{retry.AnyError}, []retry.Matcher{retry.NoError}, []string{"retry.Falsy"}
	for _, x := range []struct {
		d        annotation.Declaration
		policies []retry.PolicyFactory
		base     time.Duration
		strategy string
		errors   []retry.Matcher
		results  []string
		origins  map[string]string
	}{
		{declare[aliases.Retry](), inOrder, 0, "flat", anyError, nil, map[string]string{}},
		{declare[aliases.RetryThrowable](), inOrder, 0, "flat", anyError, nil, map[string]string{
			"retryErrors": "defaults of aliases.RetryThrowable",
		}},
		{declare[aliases.RetryFalsy](), inOrder, 0, "flat", none, falsy, map[string]string{
			"retryErrors": "defaults of aliases.RetryFalsy", "retryIfResult": "defaults of aliases.RetryFalsy",
		}},
		{declare[aliases.BackoffRetryThrowable](), inOrder, 100 * time.Millisecond, "backoff", anyError, nil, map[string]string{
			"base": "defaults of aliases.BackoffRetryThrowable", "sleepStrategy": "defaults of aliases.BackoffRetryThrowable",
			"retryErrors": "defaults of aliases.RetryThrowable",
		}},
		{declare[aliases.BackoffRetryFalsy](), inOrder, 100 * time.Millisecond, "backoff", none, falsy, map[string]string{
			"base": "defaults of aliases.BackoffRetryFalsy", "sleepStrategy": "defaults of aliases.BackoffRetryFalsy",
			"retryErrors": "defaults of aliases.RetryFalsy", "retryIfResult": "defaults of aliases.RetryFalsy",
		}},
		{declare[aliases.CircuitBreaker](), []retry.PolicyFactory{retry.Fallback, retry.Classifier, retry.CircuitBreaker, retry.MaxAttempts, retry.Sleep}, 0, "flat", anyError, nil, map[string]string{
			"policies": "defaults of aliases.CircuitBreaker",
		}},
	} {
		t.Run(x.d.Type().String(), func(t *testing.T) {
			d := definition(t, x.d)
			require.True(t, d.Retry)
			require.Equal(t, x.strategy, fmt.Sprint(d.Settings.SleepStrategy))
			d.Settings.SleepStrategy = nil // funcs do not compare
			require.Equal(t, retry.Settings{
				Ref:         retry.MethodRef{Class: "HTTPStock", Method: "Reserve"},
				Policies:    x.policies,
				MaxAttempts: 10, Base: x.base, MaxDelay: 60 * time.Second,
				RetryErrors: x.errors,
				Budget:      retry.BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1, Percent: 0.2, Deposit: retry.DepositCall},
				Breaker:     retry.BreakerSettings{ResetTimeout: 10 * time.Second},
			}, d.Settings)
			var results []string
			for _, r := range d.RetryIfResult {
				results = append(results, r.String())
			}
			require.Equal(t, x.results, results)
			origins := map[string]string{}
			for key, from := range d.Origins {
				origins[key] = from.String()
			}
			require.Equal(t, x.origins, origins)
			require.Empty(t, d.RetryIfError)
			require.Empty(t, d.OnlyIf)
			require.Empty(t, d.Settings.IgnoreErrors)
			require.Nil(t, d.Fallback)
			require.False(t, d.BudgetWritten || d.BreakerWritten)
		})
	}
}

func TestThrowableBesideFalsyRetriesBoth(t *testing.T) {
	d := definition(t, declare[aliases.BackoffRetryFalsy](), declare[aliases.BackoffRetryThrowable]())
	require.Equal(t, []retry.Matcher{retry.AnyError}, d.Settings.RetryErrors)
	require.Len(t, d.RetryIfResult, 1)
	require.Equal(t, 100*time.Millisecond, d.Settings.Base)
}

func TestBreakerBesideARetryUnitesTheirPolicies(t *testing.T) {
	d := definition(t, declare[aliases.CircuitBreaker](), declare[aliases.Retry]())
	require.Equal(t, []retry.PolicyFactory{retry.Fallback, retry.Classifier, retry.CircuitBreaker, retry.Budget, retry.MaxAttempts, retry.Sleep}, d.Settings.Policies)
}

func TestAliasesAreKnownByWhatTheyEmbed(t *testing.T) {
	require.True(t, annotation.EmbedsOrIs(reflect.TypeFor[aliases.BackoffRetryFalsy](), reflect.TypeFor[aliases.Retry]()))
	require.True(t, annotation.IsRetry(reflect.TypeFor[aliases.CircuitBreaker]()))
	require.False(t, annotation.EmbedsOrIs(reflect.TypeFor[aliases.CircuitBreaker](), reflect.TypeFor[aliases.Retry]()))
}
