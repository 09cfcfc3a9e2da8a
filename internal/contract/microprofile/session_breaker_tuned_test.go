package microprofile_test

import (
	"context"
	"testing"
	"time"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// What MicroProfile's properties tune, a deployment tunes at the registration. A settings struct in code is complete: it
// takes the place of all keys of the tag.
type (
	sBrokenIn4 struct {
		_ annotation.On[aliases.CircuitBreaker] `method:"ServiceA" maxAttempts:"1" breaker:"window=4,failureRatio=0.75,resetTimeout=1s"`
		*sPeer
	}
	sBrokenIn4Else struct {
		_ annotation.On[aliases.CircuitBreaker] `method:"ServiceA" maxAttempts:"1" breaker:"window=4,failureRatio=0.75"`
		*sPeer
	}
	sBrokenIn2OnB struct {
		_ annotation.On[aliases.CircuitBreaker] `method:"ServiceA" maxAttempts:"1" retryErrors:"B" breaker:"window=2,failureRatio=1"`
		*sPeer
	}
	sBrokenIn2 struct {
		_ annotation.On[aliases.CircuitBreaker] `method:"ServiceA" maxAttempts:"1" breaker:"window=2,failureRatio=1"`
		*sPeer
	}
	sBrokenForMicros struct {
		_ annotation.On[aliases.CircuitBreaker] `method:"ServiceA" maxAttempts:"1" breaker:"window=2,failureRatio=1,resetTimeout=20us"`
		*sPeer
	}
	sBrokenIn10 struct {
		_ annotation.On[aliases.CircuitBreaker] `method:"ServiceA" maxAttempts:"1" breaker:"window=10,failureRatio=1"`
		*sPeer
	}
	sProbedByFour struct {
		_ annotation.On[aliases.CircuitBreaker] `method:"ServiceA" maxAttempts:"1" breaker:"window=10,failureRatio=0.5,resetTimeout=1s,probes=4"`
		*sPeer
	}
)

func TestSessionBreakerOfADeployment(t *testing.T) {
	const (
		s  = time.Second
		ms = time.Millisecond
	)
	type weave = func(*sPeer) func(context.Context) (string, error)
	tune := func(opts ...annotation.Option) container.ProvideOption {
		return container.Annotate[aliases.CircuitBreaker]("ServiceA", opts...)
	}
	breaker := func(settings retry.BreakerSettings) container.ProvideOption {
		return tune(annotation.Breaker(settings))
	}
	delay200 := container.Defaults(annotation.Breaker(retry.BreakerSettings{ResetTimeout: 200 * ms}))

	for _, c := range []struct {
		name   string
		script string
		wait   time.Duration
		err    error
		weave  func(t *testing.T) weave
	}{
		{"mp:C12 the delay for all services", "FFFFOwSFFFFO", 500 * ms, sErrT, func(t *testing.T) weave {
			return func(p *sPeer) func(context.Context) (string, error) {
				return sBuildIn(t, container.New(delay200), &sBrokenIn4Else{sPeer: p}).ServiceA
			}
		}},
		// MicroProfile's global property beats what the author wrote; our Defaults are for what nobody has written.
		{"mp:C12 the delay for all services, where the author has written one", "FFFFOwOwSFFFFO", 500 * ms, sErrT, func(t *testing.T) weave {
			return func(p *sPeer) func(context.Context) (string, error) {
				return sBuildIn(t, container.New(delay200), &sBrokenIn4{sPeer: p}).ServiceA
			}
		}},
		{"mp:C13 the delay of the method", "FFFFOwSFFFFO", 500 * ms, sErrT, func(t *testing.T) weave {
			return func(p *sPeer) func(context.Context) (string, error) {
				return sBuild(t, &sBrokenIn4{sPeer: p}, breaker(retry.BreakerSettings{Window: 4, FailureRatio: 0.75, ResetTimeout: 200 * ms})).ServiceA
			}
		}},
		{"mp:C14 failOn as written", "FFFF", 0, sErrA, func(t *testing.T) weave {
			return func(p *sPeer) func(context.Context) (string, error) {
				return sBuild(t, &sBrokenIn2OnB{sPeer: p}).ServiceA
			}
		}},
		{"mp:C14 failOn tuned", "FFO", 0, sErrA, func(t *testing.T) weave {
			return func(p *sPeer) func(context.Context) (string, error) {
				return sBuild(t, &sBrokenIn2OnB{sPeer: p}, tune(annotation.RetryErrors(retry.Is(sErrA)))).ServiceA
			}
		}},
		{"mp:C15 skipOn tuned", "FFF", 0, sErrA, func(t *testing.T) weave {
			return func(p *sPeer) func(context.Context) (string, error) {
				return sBuild(t, &sBrokenIn2{sPeer: p}, tune(annotation.IgnoreErrors(retry.Is(sErrA)))).ServiceA
			}
		}},
		{"mp:C15 skipOn tuned, another error", "FFO", 0, sErrB, func(t *testing.T) weave {
			return func(p *sPeer) func(context.Context) (string, error) {
				return sBuild(t, &sBrokenIn2{sPeer: p}, tune(annotation.IgnoreErrors(retry.Is(sErrA)))).ServiceA
			}
		}},
		{"mp:C16 skipOn for all services", "FFF", 0, sErrA, func(t *testing.T) weave {
			return func(p *sPeer) func(context.Context) (string, error) {
				return sBuildIn(t, container.New(container.Defaults(annotation.IgnoreErrors(retry.Is(sErrA)))), &sBrokenIn2{sPeer: p}).ServiceA
			}
		}},
		{"mp:C17 the delay in another unit", "FFOwOwS", 500 * ms, sErrT, func(t *testing.T) weave {
			return func(p *sPeer) func(context.Context) (string, error) {
				return sBuild(t, &sBrokenForMicros{sPeer: p}, breaker(retry.BreakerSettings{Window: 2, FailureRatio: 1, ResetTimeout: 1000 * ms})).ServiceA
			}
		}},
		{"mp:C18 the window tuned", "FFFFO", 0, sErrT, func(t *testing.T) weave {
			return func(p *sPeer) func(context.Context) (string, error) {
				return sBuild(t, &sBrokenIn2{sPeer: p}, breaker(retry.BreakerSettings{Window: 4, FailureRatio: 1, ResetTimeout: s})).ServiceA
			}
		}},
		{"mp:C19 the ratio tuned", "FFSFFFSFFFO", 0, sErrT, func(t *testing.T) weave {
			return func(p *sPeer) func(context.Context) (string, error) {
				return sBuild(t, &sBrokenIn10{sPeer: p}, breaker(retry.BreakerSettings{Window: 10, FailureRatio: 0.8, ResetTimeout: s})).ServiceA
			}
		}},
		{"mp:C20 the probes tuned", "FFFFFFFFFFOwSSFFFFFFFFFFOwSFO", 2 * s, sErrT, func(t *testing.T) weave {
			return func(p *sPeer) func(context.Context) (string, error) {
				return sBuild(t, &sProbedByFour{sPeer: p}, breaker(retry.BreakerSettings{Window: 10, FailureRatio: 0.5, ResetTimeout: s, Probes: 2})).ServiceA
			}
		}},
	} {
		sBubble(t, c.name, func(t *testing.T) { sPlay(t, c.script, c.wait, c.err, c.weave(t)) })
	}
}
