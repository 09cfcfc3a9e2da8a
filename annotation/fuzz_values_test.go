package annotation_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// valued are the attributes whose values are read, not looked up.
var valued = []string{
	"maxAttempts", "base", "maxDelay", "sleepStrategy", "budget", "budgetName", "retryErrors", "ignoreErrors",
	"timeout", "attemptTimeout", "breaker", "breakerName", "retryPanics", "retryNested", "wrapExhausted", "policies",
}

// What a tag is allowed to say makes sense, and a session under it ends.
func FuzzAttributeValue(f *testing.F) {
	for key, values := range map[string][]string{
		"maxAttempts":   {"0", "1", "-1", "unlimited", "9223372036854775807", "9223372036854775808", "1e3", "0x10", " 3", "+3", "٣"},
		"base":          {"0", "-1s", "1ns", "999ns", "1us", "9223372036854775807ns", "2562048h", "1e3s", "NaN", "Inf", "100", "1µs", ".5s"},
		"maxDelay":      {"0", "0s", "-0s", "1ms", "2562047h47m16.854775807s"},
		"sleepStrategy": {"flat", "backoff", "decorrelatedJitter", "Backoff", "", "[", "A#b"},
		"budget": {
			"ttl=10s,minPerSec=1,percent=0.2", "percent=NaN", "percent=-0.1", "percent=1e400", "percent=5e-324", "ttl=0", "ttl=1h,minPerSec=1e6", "deposit=never",
			"ttl=1ms,minPerSec=0.001,percent=0", "minPerSec=-0", "percent=0,minPerSec=0", "ttl=10s,ttl=20s", "ttl", "=", ",", "percent=0x1p-3",
		},
		"breaker": {
			"window=50,failureRatio=0.5", "window=-1", "window=9223372036854775807,failureRatio=1", "window=1ns,failureRatio=0.5", "failureRatio=0.5", "consecutive=-3",
			"window=10,failureRatio=NaN", "slowCall=1s", "slowRatio=2", "probes=-1", "probes=9223372036854775807", "resetTimeout=0", "window=10,minCalls=11,failureRatio=1",
		},
		"budgetName": {"", " ", "payments"}, "timeout": {"0", "1us", "-1h"}, "attemptTimeout": {"0", "1us", "9223372036854775807ns"},
		"retryPanics": {"true", "1", "TRUE", ""}, "retryErrors": {"any", "none", "any,none", "any,any", "Any", ""}, "policies": {"sleep", "", "sleep,sleep", "Sleep"},
	} {
		for _, v := range values {
			f.Add(uint8(slices.Index(valued, key)), v)
		}
	}
	f.Fuzz(func(t *testing.T, key uint8, value string) {
		k := valued[int(key)%len(valued)]
		for _, a := range []annotation.Declaration{
			tag[everyPolicy](`method:"Refund" ` + k + ":" + strconv.Quote(value)),
			tag[plainRetry](`method:"Refund" ` + k + ":" + strconv.Quote(value)),
		} {
			defs, errs := annotation.Resolve(asGateway[plain](), []annotation.Declaration{a}, nil, "")
			for _, err := range errs {
				require.NotContains(t, err.Error(), "\n")
			}
			if len(errs) == 0 {
				require.Len(t, defs, 1)
				holds(t, defs[0])
			}
		}
	})
}

// What is given in code makes as much sense as what a tag says.
func FuzzAttributeOptions(f *testing.F) {
	f.Add(3, int64(time.Second), int64(time.Minute), 0.2, 1.0, 50)
	f.Add(math.MaxInt, int64(math.MaxInt64), int64(math.MaxInt64), math.MaxFloat64, math.Inf(1), math.MaxInt)
	f.Add(math.MinInt, int64(math.MinInt64), int64(-1), -1.0, math.Inf(-1), math.MinInt)
	f.Add(0, int64(0), int64(0), 0.0, math.Copysign(0, -1), 0)
	f.Add(-1, int64(1), int64(999), math.NaN(), math.NaN(), -1)
	f.Add(1, int64(1000), int64(1000), math.SmallestNonzeroFloat64, 0.0005, 1)
	f.Fuzz(func(t *testing.T, n int, d, e int64, x, y float64, m int) {
		for _, o := range []annotation.Option{
			annotation.MaxAttempts(n), annotation.Base(time.Duration(d)), annotation.MaxDelay(time.Duration(e)),
			annotation.Timeout(time.Duration(d)), annotation.AttemptTimeout(time.Duration(e)),
			annotation.SleepStrategy(retry.Backoff),
			annotation.Budget(retry.BudgetSettings{TTL: time.Duration(d), MinPerSec: x, Percent: y}),
			annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Duration(d), Window: n, FailureRatio: x, Consecutive: m, Probes: m}),
			annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Duration(d), WindowTime: time.Duration(e), MinCalls: m, SlowCall: time.Duration(d), SlowRatio: y}),
		} {
			defs, errs := annotation.Resolve(asGateway[plain](), []annotation.Declaration{at[plainRetry]("Refund", o, annotation.SleepStrategy(retry.Backoff))}, nil, "")
			for _, err := range errs {
				require.NotContains(t, err.Error(), "\n")
			}
			if len(errs) == 0 {
				holds(t, defs[0])
			}
		}
	})
}

// plainRetry has the table's policies, everyPolicy has all.
type (
	plainRetry  struct{ annotation.AbstractRetry }
	everyPolicy struct{ annotation.AbstractRetry }
)

// Defaults lists every policy.
func (everyPolicy) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Policies(retry.BuiltinPolicies()...), annotation.AttemptTimeout(time.Second), annotation.Timeout(time.Minute)}
}

// holds requires that what was accepted makes sense, and that a session of it ends.
func holds(t *testing.T, d annotation.MethodDefinition) {
	t.Helper()
	s := d.Settings
	require.True(t, s.MaxAttempts >= 1 || s.MaxAttempts == retry.Unlimited, "%d attempts", s.MaxAttempts)
	for _, wait := range []time.Duration{s.Base, s.MaxDelay, s.Timeout, s.AttemptTimeout, s.Breaker.ResetTimeout, s.Breaker.SlowCall, s.Breaker.WindowTime} {
		require.True(t, wait == 0 || wait >= time.Microsecond, "%v", wait)
	}
	require.NotEmpty(t, s.Policies)
	require.True(t, s.BudgetName == "" || strings.TrimSpace(s.BudgetName) != "")
	if slices.Contains(s.Policies, retry.Budget) {
		require.Empty(t, s.Budget.Check())
	}
	if slices.Contains(s.Policies, retry.CircuitBreaker) {
		require.Empty(t, s.Breaker.Check())
	}
	if s.SleepStrategy == nil {
		s.SleepStrategy = retry.Flat // it is a service's, which nobody has provided here
	}
	synctest.Test(t, func(t *testing.T) {
		h, err := retry.Compile(retry.Definition{Settings: s})
		require.NoError(t, err, "what Resolve accepts compiles")
		ctx, cancel := context.WithCancel(t.Context())
		defer time.AfterFunc(time.Hour, cancel).Stop()
		down, calls := errors.New("down"), 0
		err = h.Run(ctx, new(retry.Session), noCall{}, func(context.Context) error {
			if calls++; calls >= 40 {
				return nil
			}
			return down
		})
		rejected := new(retry.RejectedError)
		require.True(t, err == nil || calls < 40 && errors.Is(err, down) || errors.As(err, &rejected), "%d calls: %v", calls, err)
		cancel()
	})
}

// noCall is the call of a method without parameters and results.
type noCall struct{}

func (noCall) Arg(int) any    { return nil }
func (noCall) Result(int) any { return nil }
func (noCall) Judged() any    { return nil }
func (noCall) Clear()         {}
