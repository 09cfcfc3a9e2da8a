package eventlog_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/retry"
)

// object is a JSON object.
type object = map[string]any

// example is an event, and what is written of it beside the method and a number for the session.
type example struct {
	name  string
	event retry.Event
	want  object
}

// opened returns a breaker that has just opened, for ten seconds.
func opened(t *testing.T) *retry.Breaker {
	t.Helper()
	policy := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: 10 * time.Second, Consecutive: 1})
	down := func(context.Context) error { return errDown }
	require.ErrorIs(t, retry.With(policy).Max(1).Named("peer").Run(t.Context(), down), errDown)
	return retry.BreakerOf(policy)
}

// examples have every kind of event, with everything in it, and in every other way that is written differently.
func examples(t *testing.T) []example {
	const s = float64(time.Second) // in JSON
	busy := errors.New("busy")
	breaker := opened(t)
	change := func(from, to retry.BreakerState) retry.Event {
		return retry.BreakerChanged{MethodRef: charge, Breaker: breaker, From: from, To: to}
	}
	return []example{
		{"an attempt that failed",
			retry.AttemptFailed{MethodRef: charge, Attempt: 2, Err: errDown, Session: 7},
			object{"level": "DEBUG", "msg": "attempt failed", "attempt": 2., "error": "503"}},
		{"an attempt whose result was not a success",
			retry.AttemptFailed{MethodRef: charge, Attempt: 1, Session: 7},
			object{"level": "DEBUG", "msg": "attempt failed", "attempt": 1.}},
		{"a retry",
			retry.RetryScheduled{MethodRef: charge, Attempt: 3, Wait: time.Second, Err: errDown, Session: 7},
			object{"level": "DEBUG", "msg": "retry scheduled", "attempt": 3., "wait": s, "error": "503"}},
		{"a success after a retry",
			retry.Succeeded{MethodRef: charge, Attempts: 2, Elapsed: time.Second, Session: 7},
			object{"level": "DEBUG", "msg": "call succeeded", "attempts": 2., "elapsed": s}},
		{"a failure that is not worth a retry",
			retry.Failed{MethodRef: charge, Attempts: 1, Elapsed: time.Second, Err: errDown, Session: 7},
			object{"level": "DEBUG", "msg": "call failed", "attempts": 1., "elapsed": s, "error": "503"}},
		{"a call that its context ended",
			retry.Failed{MethodRef: charge, Attempts: 1, Elapsed: time.Second, Err: context.Canceled, Canceled: true, Session: 7},
			object{"level": "DEBUG", "msg": "call canceled", "attempts": 1., "elapsed": s, "error": "context canceled"}},
		{"a call that was given up",
			retry.Exhausted{MethodRef: charge, Limit: "quota", Attempts: 3, Elapsed: time.Second, Err: errDown, Reason: busy, Session: 7},
			object{"level": "WARN", "msg": "call exhausted", "attempts": 3., "elapsed": s, "limit": "quota", "reason": "busy", "error": "503"}},
		{"a call that was given up for its result, by a limit that needs no words",
			retry.Exhausted{MethodRef: charge, Limit: "maxAttempts", Attempts: 3, Elapsed: time.Second, Session: 7},
			object{"level": "WARN", "msg": "call exhausted", "attempts": 3., "elapsed": s, "limit": "maxAttempts"}},
		{"a call that a gate refused",
			retry.Rejected{MethodRef: charge, Reason: retry.ErrCircuitOpen, Gate: "circuitBreaker", Session: 7},
			object{"level": "WARN", "msg": "call rejected", "gate": "circuitBreaker", "reason": "circuit breaker is open"}},
		{"a call that a panic ended",
			retry.Aborted{MethodRef: charge, Attempts: 1, Elapsed: time.Second, Session: 7},
			object{"level": "WARN", "msg": "call aborted", "attempts": 1., "elapsed": s}},
		{"a fallback that succeeded",
			retry.FallbackSucceeded{MethodRef: charge, Cause: errDown, Session: 7},
			object{"level": "INFO", "msg": "fallback succeeded", "cause": "503"}},
		{"a fallback that failed",
			retry.FallbackFailed{MethodRef: charge, Cause: errDown, Err: busy, Session: 7},
			object{"level": "WARN", "msg": "fallback failed", "cause": "503", "error": "busy"}},
		{"a retry that a shared budget refused",
			retry.BudgetRefused{MethodRef: charge, Budget: "payments", Session: 7},
			object{"level": "DEBUG", "msg": "budget refused a retry", "budget": "payments"}},
		{"a retry that the method's own budget refused",
			retry.BudgetRefused{MethodRef: charge, Session: 7},
			object{"level": "DEBUG", "msg": "budget refused a retry"}},
		{"a breaker that opens", change(retry.BreakerClosed, retry.BreakerOpen),
			object{"level": "ERROR", "msg": "breaker changed", "breaker": "peer", "from": "closed", "to": "open", "retryAfter": 10 * s}},
		{"a breaker that a probe opens again", change(retry.BreakerHalfOpen, retry.BreakerOpen),
			object{"level": "WARN", "msg": "breaker changed", "breaker": "peer", "from": "half-open", "to": "open", "retryAfter": 10 * s}},
		{"a breaker that admits probes", change(retry.BreakerOpen, retry.BreakerHalfOpen),
			object{"level": "INFO", "msg": "breaker changed", "breaker": "peer", "from": "open", "to": "half-open"}},
		{"a breaker that closes", change(retry.BreakerHalfOpen, retry.BreakerClosed),
			object{"level": "INFO", "msg": "breaker changed", "breaker": "peer", "from": "half-open", "to": "closed"}},
		{"a breaker that is forced open", change(retry.BreakerClosed, retry.BreakerForceOpen),
			object{"level": "WARN", "msg": "breaker changed", "breaker": "peer", "from": "closed", "to": "force-open"}},
		{"a breaker that is forced closed", change(retry.BreakerOpen, retry.BreakerForceClosed),
			object{"level": "WARN", "msg": "breaker changed", "breaker": "peer", "from": "open", "to": "force-closed"}},
		{"a breaker that shall only count", change(retry.BreakerOpen, retry.BreakerMetricsOnly),
			object{"level": "WARN", "msg": "breaker changed", "breaker": "peer", "from": "open", "to": "metrics-only"}},
		{"a breaker that is forced no more", change(retry.BreakerForceOpen, retry.BreakerClosed),
			object{"level": "INFO", "msg": "breaker changed", "breaker": "peer", "from": "force-open", "to": "closed"}},
		{"a breaker that has been closed since it opened",
			retry.BreakerChanged{MethodRef: charge, Breaker: new(retry.Breaker), From: retry.BreakerClosed, To: retry.BreakerOpen},
			object{"level": "ERROR", "msg": "breaker changed", "from": "closed", "to": "open"}},
		{"a change whose breaker nobody has given",
			retry.BreakerChanged{MethodRef: charge, From: retry.BreakerClosed, To: retry.BreakerOpen},
			object{"level": "ERROR", "msg": "breaker changed", "from": "closed", "to": "open"}},
	}
}
