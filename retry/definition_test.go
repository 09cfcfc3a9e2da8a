package retry_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

func TestADefinitionErrorIsOneLineOfWhatIsKnown(t *testing.T) {
	ref := retry.MethodRef{Class: "StripeGateway", Method: "Charge"}
	for want, err := range map[string]*retry.DefinitionError{
		"backstay: bad":             {Problem: "bad"},
		"backstay: bad; do good":    {Problem: "bad", Remedy: "do good"},
		"backstay: bad (main.go:1)": {Problem: "bad", Place: "main.go:1"},
		"backstay: StripeGateway@Charge: aliases.Retry: bad; do good (main.go:1)": {
			Ref: ref, Annotation: "aliases.Retry", Problem: "bad", Remedy: "do good", Place: "main.go:1"},
		"backstay: two lines": {Problem: "two\nlines"},
	} {
		require.EqualError(t, err, want)
	}
}

func TestAReferencePrintsAsItIsWritten(t *testing.T) {
	for want, ref := range map[string]retry.MethodRef{
		"":                        {},
		"rates":                   {Name: "rates"},
		"StripeGateway":           {Class: "StripeGateway"},
		"StripeGateway@Charge":    {Class: "StripeGateway", Method: "Charge"},
		"StripeGateway#eu@Charge": {Class: "StripeGateway", Name: "eu", Method: "Charge"},
		"StripeGateway#eu":        {Class: "StripeGateway", Name: "eu"},
		"@Charge":                 {Method: "Charge"},
	} {
		require.Equal(t, want, ref.String())
		require.Equal(t, ref, ref.Ref())
	}
}

func TestSettingsOutOfRangeAreDefinitionErrorsOfWhatThePolicyIsPutInto(t *testing.T) {
	budget, breaker := retry.BudgetSettings{Percent: -1}, retry.BreakerSettings{ResetTimeout: -1, FailureRatio: 2}
	require.NotEmpty(t, budget.Check())
	require.NotEmpty(t, breaker.Check())

	_, err := retry.NewHybridPolicy(retry.NewBudget(budget), retry.NewCircuitBreaker(breaker))
	for _, problems := range [][]string{budget.Check(), breaker.Check()} {
		for _, p := range problems {
			require.ErrorContains(t, err, p)
		}
	}
	defined(t, retry.With(retry.NewBudget(budget)).Named("rates").Run(t.Context(), scripted(nil).run), "rates: budget")

	set := settings(retry.CircuitBreaker, retry.Budget, retry.Sleep, retry.Timeout, retry.AttemptTimeout, retry.MaxAttempts)
	set.Budget, set.Breaker = budget, breaker
	set.Base, set.Timeout, set.AttemptTimeout, set.MaxAttempts = -1, -1, -1, 0
	_, err = retry.Compile(retry.Definition{Settings: set, Shared: new(retry.Shared)})
	defined(t, err, "StripeGateway@Charge: budget", "breaker", "base is", "timeout is", "attemptTimeout is", "maxAttempts is")
}

func TestRejectedAndExhaustedErrorsNameTheMethod(t *testing.T) {
	ref := retry.MethodRef{Class: "StripeGateway", Method: "Charge"}
	require.EqualError(t, &retry.RejectedError{Ref: ref, Reason: retry.ErrCircuitOpen}, "StripeGateway@Charge: rejected: circuit breaker is open")
	require.EqualError(t, &retry.RejectedError{Reason: retry.ErrTimeout}, "rejected: no time left")
	require.EqualError(t, &retry.ExhaustedError{Ref: ref, Limit: "budget", Attempts: 2, Elapsed: time.Second, Err: errBoom},
		"StripeGateway@Charge: exhausted by budget after 2 attempts in 1s: boom")
	require.EqualError(t, &retry.ExhaustedError{Limit: "once", Attempts: 1}, "exhausted by once after 1 attempt in 0s")
}

func TestARejectionTellsWhenToComeBackIfItsReasonKnows(t *testing.T) {
	require.Equal(t, time.Second, (&retry.RejectedError{Reason: fmt.Errorf("full: %w", busy{time.Second})}).RetryAfter())
	require.Zero(t, (&retry.RejectedError{Reason: errFull}).RetryAfter())
	require.ErrorIs(t, &retry.RejectedError{Reason: errFull}, errFull)
	require.Same(t, errBoom, errors.Unwrap(&retry.PanicError{Value: errBoom}))
}
