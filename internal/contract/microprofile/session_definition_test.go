package microprofile_test

import (
	"context"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

var sPlaceHere = regexp.MustCompile(`^microprofile/session_\w+_test\.go:\d+$`)

// sRefused wants err to be definition errors, one for each problem, that name the class, the method where there is one, a
// place, and what to write instead.
func sRefused(t *testing.T, err error, place *regexp.Regexp, problems ...string) {
	t.Helper()
	require.Error(t, err)
	all := []error{err}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		all = several.Unwrap()
	}
	require.Len(t, all, len(problems), "%v", err)
	for i, err := range all {
		var d *annotation.DefinitionError
		require.ErrorAs(t, err, &d)
		require.Contains(t, d.Problem+"; "+d.Remedy, problems[i])
		require.NotEmpty(t, d.Remedy)
		require.NotEmpty(t, d.Ref.Class)
		require.Regexp(t, place, d.Place)
		require.NotContains(t, err.Error(), "\n")
	}
}

// sRefusedEverywhere wants an annotation at a registration to be refused by Verify and by Wrap alike.
func sRefusedEverywhere[A any](t *testing.T, method any, opts []annotation.Option, problems ...string) {
	t.Helper()
	c := container.New()
	c.Provide(func() *sPeer { t.Error("Verify builds nothing"); return nil }, container.As[sService](), container.Annotate[A](method, opts...))
	sRefused(t, c.Verify(), sPlaceHere, problems...)
	_, err := container.Get[sService](c)
	sRefused(t, err, sPlaceHere, problems...)

	_, err = aspect.Wrap[sService](aspect.NewWeaver(), sFails(sErrT), aspect.Annotate[A](method, opts...))
	sRefused(t, err, sPlaceHere, problems...)
}

// sMarkRefused wants a mark to be refused, at the field that it is.
func sMarkRefused[C any](t *testing.T, problems ...string) {
	t.Helper()
	c := container.New()
	c.Provide(func() *C { t.Error("Verify builds nothing"); return nil }, container.As[sService]())
	sRefused(t, c.Verify(), regexp.MustCompile(`\w+\._$`), problems...)
}

// sChainRefused wants a chain to be refused when it is made and when it runs, and to call nothing.
func sChainRefused(t *testing.T, policy retry.Policy, problem string) {
	t.Helper()
	_, err := retry.With(policy).Policy()
	var d *retry.DefinitionError
	require.ErrorAs(t, err, &d)
	require.Contains(t, d.Problem+"; "+d.Remedy, problem)
	require.NotEmpty(t, d.Remedy)
	err = retry.With(policy).Run(t.Context(), func(context.Context) error { t.Error("called"); return nil })
	require.ErrorAs(t, err, &d)
}

func TestSessionValuesOutOfRange(t *testing.T) {
	type (
		attempts struct {
			_ annotation.On[aliases.Retry] `method:"ServiceA" maxAttempts:"-2"`
			*sPeer
		}
		base struct {
			_ annotation.On[aliases.Retry] `method:"ServiceA" base:"-1ms"`
			*sPeer
		}
		jitter struct {
			_ annotation.On[sRetry] `method:"ServiceA" jitter:"-1ms"`
			*sPeer
		}
		within struct {
			_ annotation.On[aliases.Retry] `method:"ServiceA" attemptTimeout:"-1ms"`
			*sPeer
		}
		slots struct {
			_ annotation.On[sBulkhead] `method:"ServiceA" slots:"-1"`
			*sPeer
		}
		queue struct {
			_ annotation.On[sBulkhead] `method:"ServiceA" slots:"1" queue:"-1"`
			*sPeer
		}
		ratio struct {
			_ annotation.On[aliases.CircuitBreaker] `method:"ServiceA" breaker:"window=4,failureRatio=-0.1"`
			*sPeer
		}
	)
	breaker := func(settings retry.BreakerSettings) annotation.Option {
		if settings.ResetTimeout == 0 {
			settings.ResetTimeout = time.Second
		}
		return annotation.Breaker(settings)
	}
	circuit := func(settings retry.BreakerSettings) retry.Policy {
		settings.ResetTimeout = time.Second
		return retry.NewCircuitBreaker(settings)
	}
	t.Run("mp:D1 maxRetries below -1", func(t *testing.T) {
		for _, n := range []int{-3, -2, 0} {
			sRefusedEverywhere[aliases.Retry](t, sService.ServiceA, []annotation.Option{annotation.MaxAttempts(n)}, "counted from 1")
			sChainRefused(t, retry.NewMaxAttempts(n), "maxAttempts")
		}
		sMarkRefused[attempts](t, "counted from 1")
	})
	t.Run("mp:D2 delay below zero", func(t *testing.T) {
		sRefusedEverywhere[aliases.Retry](t, sService.ServiceA, []annotation.Option{annotation.Base(-1)}, "below zero")
		sChainRefused(t, retry.NewSleep(retry.Flat, -1), "below zero")
		sMarkRefused[base](t, "below zero")
	})
	// A jitter is a user's own attribute here; what is wrong with it says the annotation's Validate.
	t.Run("mp:D3 jitter below zero", func(t *testing.T) {
		sRefusedEverywhere[sRetry](t, sService.ServiceA, []annotation.Option{annotation.Set(func(a *sRetry) { a.Jitter = -1 })}, "must not be below zero")
		sMarkRefused[jitter](t, "must not be below zero")
	})
	t.Run("mp:D5 timeout below zero", func(t *testing.T) {
		sRefusedEverywhere[aliases.Retry](t, sService.ServiceA, []annotation.Option{annotation.AttemptTimeout(-1)}, "it is below zero; write how long it may take, or leave it out")
		sRefusedEverywhere[aliases.Retry](t, sService.ServiceA, []annotation.Option{annotation.Timeout(-1)}, "it is below zero; write 0 or more")
		sChainRefused(t, retry.NewAttemptTimeout(-1), "attemptTimeout is -1ns; write how long it may take, or leave it out")
		sChainRefused(t, retry.NewTimeout(-1), "timeout is -1ns; write a duration that is not below zero")
		sMarkRefused[within](t, "below zero")
	})
	// A bulkhead is a user's own annotation here.
	t.Run("mp:D6 bulkhead below zero", func(t *testing.T) {
		sMarkRefused[slots](t, "there must be a slot")
		sRefusedEverywhere[sBulkhead](t, sService.ServiceA, []annotation.Option{annotation.Set(func(b *sBulkhead) { b.Slots = -1 })}, "there must be a slot")
		sRefusedEverywhere[sBulkhead](t, sService.ServiceA, nil, "there must be a slot")
	})
	t.Run("mp:D7 queue below zero", func(t *testing.T) { sMarkRefused[queue](t, "no less than none in the queue") })

	for _, c := range []struct {
		name     string
		settings retry.BreakerSettings
		problem  string
	}{
		{"mp:D8 ratio below zero", retry.BreakerSettings{Window: 4, FailureRatio: -0.1}, "failureRatio -0.1 is not a share"},
		{"mp:D9 ratio above one", retry.BreakerSettings{Window: 4, FailureRatio: 1.1}, "failureRatio 1.1 is not a share"},
		{"mp:D10 requestVolumeThreshold zero", retry.BreakerSettings{Window: 0, FailureRatio: 0.5}, "has no window"},
		{"mp:D11 requestVolumeThreshold below zero", retry.BreakerSettings{Window: -1, FailureRatio: 0.5}, "window -1 is negative"},
		{"mp:D13 successThreshold below zero", retry.BreakerSettings{Window: 4, FailureRatio: 0.5, Probes: -1}, "probes -1 is negative"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sRefusedEverywhere[aliases.CircuitBreaker](t, sService.ServiceA, []annotation.Option{breaker(c.settings)}, c.problem)
			sChainRefused(t, circuit(c.settings), c.problem)
		})
	}
	t.Run("mp:D8 ratio below zero, in a mark", func(t *testing.T) { sMarkRefused[ratio](t, "failureRatio -0.1 is not a share") })
	t.Run("mp:D14 delay of a breaker below zero", func(t *testing.T) {
		settings := retry.BreakerSettings{Window: 4, FailureRatio: 0.5, ResetTimeout: -1}
		sRefusedEverywhere[aliases.CircuitBreaker](t, sService.ServiceA, []annotation.Option{breaker(settings)}, "it is below zero; write more than 0, such as 10s")
		sChainRefused(t, retry.NewCircuitBreaker(settings), "resetTimeout -1ns is negative")
	})
	// MicroProfile refuses a successThreshold of zero. In our settings a zero is the default, one probe, since they are
	// complete and most have no opinion of it.
	sBubble(t, "mp:D12 successThreshold zero is one", func(t *testing.T) {
		sPlay(t, "FFOwSFFO", time.Second, sErrT, func(peer *sPeer) func(context.Context) (string, error) {
			return sBuild(t, peer, container.Annotate[aliases.CircuitBreaker](sService.ServiceA, annotation.MaxAttempts(1),
				breaker(retry.BreakerSettings{Window: 2, FailureRatio: 1, Probes: 0}))).ServiceA
		})
	})
}

func TestSessionDelayThatLeavesNoTimeForARetry(t *testing.T) {
	type (
		otherUnits struct {
			_ annotation.On[aliases.Retry] `method:"ServiceA" base:"1s" timeout:"500ms"`
			*sPeer
		}
		equal struct {
			_ annotation.On[aliases.Retry] `method:"ServiceA" base:"1000ms" timeout:"1s"`
			*sPeer
		}
		largerNumber struct {
			_ annotation.On[aliases.Retry] `method:"ServiceA" base:"500ms" timeout:"1s"`
			*sPeer
		}
	)
	const problem = "there is never time for a retry"
	t.Run("mp:D4 delay 1000 ms within 500 ms", func(t *testing.T) {
		sRefusedEverywhere[aliases.Retry](t, sService.ServiceA, []annotation.Option{annotation.Base(1000 * time.Millisecond), annotation.Timeout(500 * time.Millisecond)}, problem)
	})
	t.Run("mp:D4 in other units", func(t *testing.T) {
		sMarkRefused[otherUnits](t, problem)
		sMarkRefused[equal](t, problem)
		c := container.New()
		c.Provide(func() *largerNumber { return nil }, container.As[sService]())
		require.NoError(t, c.Verify(), "compared as durations, not as numbers")
	})
}
