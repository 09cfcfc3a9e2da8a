package annotation_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// bounded bounds its attempts.
type bounded struct{ annotation.AbstractRetry }

func (bounded) Defaults() []annotation.Option {
	return []annotation.Option{annotation.AttemptTimeout(2 * time.Second), annotation.RetryErrors(retry.NoError)}
}

func TestSettingsThatUndoEachOther(t *testing.T) {
	const (
		none    = "retryErrors is none, and there is no other condition, so nothing is ever retried; write maxAttempts 1 for no retry, or a condition beside it, such as retryIfResult"
		noPay   = "budget percent 0 and minPerSec 0 pay for no retry; write maxAttempts 1 for no retry, or a percent, such as 0.2"
		long    = "write a shorter base or a longer maxDelay"
		noTime  = "write a shorter base or a longer timeout"
		attempt = "write a shorter attemptTimeout or a longer timeout, or leave one of them out"
	)
	retrying, falsy := tag[aliases.Retry], tag[aliases.RetryFalsy]
	for _, x := range []struct {
		declarations []annotation.Declaration
		want         []string
	}{
		{[]annotation.Declaration{retrying(`method:"Charge" retryErrors:"none"`)}, []string{none}},
		{[]annotation.Declaration{falsy(`method:"Charge" retryErrors:"none"`)}, []string{none}},
		{[]annotation.Declaration{retrying(`method:"Charge" budget:"percent=0,minPerSec=0"`)}, []string{noPay}},
		{[]annotation.Declaration{at[aliases.Retry]("Charge", annotation.Budget(retry.BudgetSettings{TTL: time.Second}))}, []string{noPay}},
		{[]annotation.Declaration{retrying(`method:"Charge" base:"2m"`)}, []string{"base 2m0s is longer than maxDelay 1m0s, which bounds every wait; " + long}},
		{[]annotation.Declaration{retrying(`method:"Charge" base:"2s" maxDelay:"1s" sleepStrategy:"backoff"`)}, []string{"base 2s is longer than maxDelay 1s, which bounds every wait; " + long}},
		{[]annotation.Declaration{retrying(`method:"Charge" attemptTimeout:"2s" timeout:"1s"`)}, []string{"attemptTimeout 2s is longer than timeout 1s, so it never ends an attempt; " + attempt}},
		{[]annotation.Declaration{retrying(`method:"Charge" base:"1s" timeout:"1s"`)}, []string{"each wait is 1s and timeout is 1s, so there is never time for a retry; " + noTime}},
		{[]annotation.Declaration{at[slow]("Charge", annotation.Timeout(time.Second))}, []string{"each wait is 1s and timeout is 1s, so there is never time for a retry; " + noTime}},

		// What makes sense.
		{[]annotation.Declaration{falsy(`method:"Charge"`)}, []string{}},
		{[]annotation.Declaration{at[bounded]("Charge")}, []string{}},
		{[]annotation.Declaration{retrying(`method:"*" retryErrors:"none"`)}, []string{}},
		{[]annotation.Declaration{retrying(`method:"Charge" retryErrors:"none" retryIfResult:"falsy"`)}, []string{}},
		{[]annotation.Declaration{retrying(`method:"Charge" retryErrors:"none" timeout:"1s"`)}, []string{}},
		{[]annotation.Declaration{at[aliases.Retry]("Charge", annotation.RetryErrors(retry.NoError), annotation.AddPolicies(judging))}, []string{}},
		{[]annotation.Declaration{tag[aliases.CircuitBreaker](`method:"Charge" maxAttempts:"1" retryErrors:"none"`)}, []string{}},
		{[]annotation.Declaration{retrying(`method:"Charge" budget:"percent=0"`)}, []string{}},
		{[]annotation.Declaration{retrying(`method:"Charge" budget:"percent=0,minPerSec=0" maxAttempts:"1"`)}, []string{}},
		{[]annotation.Declaration{retrying(`method:"Charge" budget:"percent=0,minPerSec=0" budgetName:"off"`)}, []string{}},
		{[]annotation.Declaration{retrying(`method:"Charge" base:"2m" maxDelay:"2m"`)}, []string{}},
		{[]annotation.Declaration{retrying(`method:"Charge" base:"2m" sleepStrategy:"Fair"`)}, []string{}},
		{[]annotation.Declaration{retrying(`method:"Charge" base:"2s"`), at[aliases.Retry]("Charge", annotation.MaxDelay(time.Second))}, []string{}},
		{[]annotation.Declaration{tag[aliases.BackoffRetryThrowable](`method:"Charge" maxDelay:"50ms"`)}, []string{}},
		{[]annotation.Declaration{at[bounded]("Charge", annotation.Timeout(time.Second), annotation.RetryErrors(retry.AnyError))}, []string{}},
		{[]annotation.Declaration{retrying(`method:"Charge" base:"1s" timeout:"1s" sleepStrategy:"backoff"`)}, []string{}},
		{[]annotation.Declaration{retrying(`method:"Charge" timeout:"0s"`)}, []string{}},
	} {
		t.Run(x.declarations[0].String(), func(t *testing.T) {
			for _, declarations := range permutations(x.declarations) {
				require.Equal(t, x.want, said(declarations...))
			}
		})
	}
}

func TestSettingsThatUndoEachOtherAreReportedWhereTheyAreWritten(t *testing.T) {
	require.Equal(t, []string{
		"backstay: plain@Charge: aliases.Retry: each wait is 2s and timeout is 1s, so there is never time for a retry; write a shorter base or a longer timeout (struct._)",
	}, problems(asGateway[plain](), []annotation.Declaration{
		tag[aliases.Retry](`method:"Charge" base:"2s"`), at[aliases.Retry]("Charge", annotation.Timeout(time.Second)),
	}))
}
