package microprofile_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// The switches. MicroProfile has one annotation for each policy, and a property that switches each of them off for a method,
// a class, or everything; so have these.
type (
	switchRetry    struct{ annotation.AbstractRetry }
	switchFallback struct{ annotation.AbstractRetry }
	switchBreaker  struct{ annotation.AbstractRetry }
	switchTimeout  struct{ annotation.AbstractRetry }
)

func switchPolicies(policies ...retry.PolicyFactory) []annotation.Option {
	return []annotation.Option{annotation.Policies(append(policies, retry.Classifier, retry.MaxAttempts)...), annotation.MaxAttempts(1)}
}

func (switchRetry) Defaults() []annotation.Option    { return switchPolicies() }
func (switchFallback) Defaults() []annotation.Option { return switchPolicies(retry.Fallback) }
func (switchBreaker) Defaults() []annotation.Option  { return switchPolicies(retry.CircuitBreaker) }
func (switchTimeout) Defaults() []annotation.Option  { return switchPolicies(retry.AttemptTimeout) }

// switchProbe has one method for each policy, and counts the executions of the first two.
type switchProbe interface {
	Retried(ctx context.Context) error
	FallsBack(ctx context.Context) (string, error)
	Guarded(ctx context.Context) error
	Timed(ctx context.Context) error
}

type switchBean struct {
	_     annotation.On[switchRetry]    `method:"Retried,FallsBack" maxAttempts:"2"`
	_     annotation.On[switchFallback] `method:"FallsBack" fallback:"switchBean@Instead"`
	_     annotation.On[switchBreaker]  `method:"Guarded" breaker:"consecutive=1,resetTimeout=50s"`
	_     annotation.On[switchTimeout]  `method:"Timed" attemptTimeout:"500ms"`
	execs int
}

func (b *switchBean) Retried(context.Context) error { b.execs++; return errDeclared }

func (b *switchBean) FallsBack(context.Context) (string, error) { b.execs++; return "", errDeclared }

func (b *switchBean) Instead(context.Context) (string, error) { return "instead", nil }

func (b *switchBean) Guarded(context.Context) error { return errDeclared }

func (b *switchBean) Timed(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(2 * time.Second):
		return errDeclared
	}
}

// switches configures, in order: what says off is off, and what says on is on.
type switches func(c *container.Container)

func switchAll(methods string, on bool) switches {
	return func(c *container.Container) { c.Configure(methods, annotation.Enabled[annotation.AbstractRetry](on)) }
}

func switchEach(class string, on bool) switches {
	return func(c *container.Container) {
		c.Configure(class+"@Retried", annotation.Enabled[switchRetry](on))
		c.Configure(class+"@FallsBack", annotation.Enabled[switchFallback](on))
		c.Configure(class+"@Guarded", annotation.Enabled[switchBreaker](on))
		c.Configure(class+"@Timed", annotation.Enabled[switchTimeout](on))
	}
}

// switchPoliciesOff is MicroProfile's switch of everything but fallbacks.
func switchPoliciesOff(c *container.Container) {
	c.Configure("*@*", annotation.Enabled[switchRetry](false), annotation.Enabled[switchBreaker](false), annotation.Enabled[switchTimeout](false))
}

func TestSwitchesOfPolicies(t *testing.T) {
	const class = "switchBean"
	type outcome struct {
		retried     int
		falls       string // what FallsBack returns; empty: its error
		fallsExecs  int
		second      error // of Guarded
		deadlineHit bool  // of Timed
	}
	allOff := outcome{1, "", 1, errDeclared, false}
	allOn := outcome{2, "instead", 2, retry.ErrCircuitOpen, true}
	for name, x := range map[string]struct {
		say  []switches
		want outcome
	}{
		"mp:E1 all off":                                           {[]switches{switchAll("*@*", false)}, allOff},
		"mp:E2 all off, the class on":                             {[]switches{switchAll("*@*", false), switchAll(class+"@*", true)}, allOn},
		"mp:E3 all off, on each method its policy on":             {[]switches{switchAll("*@*", false), switchEach(class, true)}, outcome{2, "instead", 1, retry.ErrCircuitOpen, true}},
		"mp:E4 the class off, on each method its policy on":       {[]switches{switchAll(class+"@*", false), switchEach(class, true)}, outcome{2, "instead", 1, retry.ErrCircuitOpen, true}},
		"mp:E5 the class off":                                     {[]switches{switchAll(class+"@*", false)}, allOff},
		"mp:E6 on each method its policy off":                     {[]switches{switchEach(class, false)}, outcome{1, "", 2, errDeclared, false}},
		"mp:E7 all off, the class on, on each method its own off": {[]switches{switchAll("*@*", false), switchAll(class+"@*", true), switchEach(class, false)}, outcome{1, "", 2, errDeclared, false}},
		"mp:E8 all but fallbacks off, and all on again":           {[]switches{switchPoliciesOff, switchAll("*@*", true)}, allOn},
		"mp:E9 all but fallbacks off, the class on":               {[]switches{switchPoliciesOff, switchAll(class+"@*", true)}, allOn},
		"mp:E10 all but fallbacks off":                            {[]switches{switchPoliciesOff}, outcome{1, "instead", 1, errDeclared, false}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, bean := container.New(), &switchBean{}
				c.Supply(bean, container.As[switchProbe]())
				for _, say := range x.say {
					say(c)
				}
				probe := declaredGet[switchProbe](t, c)
				var got outcome
				require.ErrorIs(t, probe.Retried(t.Context()), errDeclared)
				got.retried, bean.execs = bean.execs, 0
				var err error
				if got.falls, err = probe.FallsBack(t.Context()); err != nil {
					require.ErrorIs(t, err, errDeclared)
				}
				got.fallsExecs = bean.execs
				require.ErrorIs(t, probe.Guarded(t.Context()), errDeclared)
				got.second = probe.Guarded(t.Context())
				if errors.Is(got.second, retry.ErrCircuitOpen) {
					got.second = retry.ErrCircuitOpen
				}
				got.deadlineHit = errors.Is(probe.Timed(t.Context()), context.DeadlineExceeded)
				require.Equal(t, x.want, got)
			})
		})
	}
}
