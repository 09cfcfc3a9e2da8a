package eventlog

import (
	"log/slog"

	"github.com/backstay/backstay/retry"
)

// kind is a kind of record: what has a usual level and is sampled by itself. An event that asks for different levels by what
// is in it has several.
type kind uint8

const (
	unknown kind = iota // an event that is younger than this package
	attemptFailed
	retryScheduled
	succeededAtOnce
	succeeded
	failed
	canceled
	exhausted
	rejected
	aborted
	fallbackSucceeded
	fallbackFailed
	budgetRefused
	breakerChanged
	kinds // how many there are
)

var table = [kinds]struct {
	message string
	usual   slog.Level
}{
	unknown:           {"", Silent},
	attemptFailed:     {"attempt failed", slog.LevelDebug},
	retryScheduled:    {"retry scheduled", slog.LevelDebug},
	succeededAtOnce:   {"call succeeded", Silent},
	succeeded:         {"call succeeded", slog.LevelDebug},
	failed:            {"call failed", slog.LevelDebug},
	canceled:          {"call canceled", slog.LevelDebug},
	exhausted:         {"call exhausted", slog.LevelWarn},
	rejected:          {"call rejected", slog.LevelWarn},
	aborted:           {"call aborted", slog.LevelWarn},
	fallbackSucceeded: {"fallback succeeded", slog.LevelInfo},
	fallbackFailed:    {"fallback failed", slog.LevelWarn},
	budgetRefused:     {"budget refused a retry", slog.LevelDebug},
	breakerChanged:    {"breaker changed", slog.LevelInfo},
}

func kindOf(e retry.Event) kind {
	switch e := e.(type) {
	case retry.AttemptFailed:
		return attemptFailed
	case retry.RetryScheduled:
		return retryScheduled
	case retry.Succeeded:
		if e.Attempts == 1 {
			return succeededAtOnce
		}
		return succeeded
	case retry.Failed:
		if e.Canceled {
			return canceled
		}
		return failed
	case retry.Exhausted:
		return exhausted
	case retry.Rejected:
		return rejected
	case retry.Aborted:
		return aborted
	case retry.FallbackSucceeded:
		return fallbackSucceeded
	case retry.FallbackFailed:
		return fallbackFailed
	case retry.BudgetRefused:
		return budgetRefused
	case retry.BreakerChanged:
		return breakerChanged
	}
	return unknown
}

func (k kind) message() string { return table[k].message }

// usual is the level of e, which is of kind k, where no option decides otherwise.
func (k kind) usual(e retry.Event) slog.Level {
	if change, ok := e.(retry.BreakerChanged); ok {
		return usualOfChange(change.From, change.To)
	}
	return table[k].usual
}

// usualOfChange is the usual level of a breaker's change. An outage is one error, however often a probe finds that it lasts.
func usualOfChange(from, to retry.BreakerState) slog.Level {
	switch to {
	case retry.BreakerOpen:
		if from == retry.BreakerHalfOpen {
			return slog.LevelWarn
		}
		return slog.LevelError
	case retry.BreakerForceOpen, retry.BreakerForceClosed, retry.BreakerMetricsOnly:
		return slog.LevelWarn // calls are refused, or go unprotected, until somebody thinks of Reset
	}
	return table[breakerChanged].usual
}
