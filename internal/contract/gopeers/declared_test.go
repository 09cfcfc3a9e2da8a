package gopeers_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// HastyPeer is a Peer whose mark has a wait below zero.
type HastyPeer struct {
	_ annotation.On[aliases.Retry] `method:"Do" base:"-1s"`
}

func (*HastyPeer) Do(ctx context.Context, op operation) error { return op(ctx) }

// MisspeltPeer is a Peer whose mark names a method that it has not.
type MisspeltPeer struct {
	_ annotation.On[aliases.Retry] `method:"Does"`
}

func (*MisspeltPeer) Do(ctx context.Context, op operation) error { return op(ctx) }

// provided is a container with a Peer that is annotated so, beside a service that has nothing wrong.
func provided(opts ...container.ProvideOption) *container.Container {
	c := container.New()
	c.Provide(func() *LocalPeer { return &LocalPeer{} }, append(opts, container.As[Peer]())...)
	c.Supply(&http.Client{})
	return c
}

// go:P1. One attempt is a policy here: a breaker, a timeout or a fallback without a retry.
func TestABadPolicyIsRefusedWholeAndNamesItsMethod(t *testing.T) {
	hasty := container.New()
	hasty.Provide(func() *HastyPeer { return &HastyPeer{} }, container.As[Peer]())
	hasty.Supply(&http.Client{})
	for name, c := range map[string]struct {
		of    *container.Container
		words []string
	}{
		"no attempts":                {provided(container.Annotate[aliases.Retry](Peer.Do, annotation.MaxAttempts(0))), []string{"LocalPeer@Do", "MaxAttempts"}},
		"no errors":                  {provided(container.Annotate[aliases.Retry](Peer.Do, annotation.RetryErrors())), []string{"LocalPeer@Do", "RetryErrors"}},
		"none of the errors":         {provided(container.Annotate[aliases.Retry](Peer.Do, annotation.RetryErrors(retry.NoError))), []string{"LocalPeer@Do", "nothing is ever retried"}},
		"a wait below zero":          {provided(container.Annotate[aliases.Retry](Peer.Do, annotation.Base(-time.Second))), []string{"LocalPeer@Do", "Base", "below zero"}},
		"a wait below zero, in tags": {hasty, []string{"HastyPeer@Do", "base", "below zero"}},
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, c.of.Verify(), c.words...)
			_, err := container.Get[Peer](c.of)
			refused(t, err, c.words...)
			_, err = container.Get[*http.Client](c.of)
			refused(t, err, c.words...) // and nothing else is used without it
		})
	}
	all := provided(container.Annotate[aliases.Retry](Peer.Do, annotation.MaxAttempts(0), annotation.Base(-time.Second)))
	refused(t, all.Verify(), "MaxAttempts", "Base") // at once
}

// TirelessPeer is a Peer whose mark allows many attempts.
type TirelessPeer struct {
	_ annotation.On[Bare] `method:"Do" maxAttempts:"1000"`
}

func (*TirelessPeer) Do(ctx context.Context, op operation) error { return op(ctx) }

// go:P2
func TestNoSettingIsClampedSilently(t *testing.T) {
	for _, attempts := range []int{8, 1000} {
		t.Run(fmt.Sprint(attempts, " attempts"), func(t *testing.T) {
			limited(t, attempts, func(t *testing.T, p *form) {
				op := scripted(errBoom)
				require.Equal(t, errBoom, p.run(t.Context(), op.run))
				require.Equal(t, attempts, op.calls)
			})
		})
	}
	c := container.New()
	c.Provide(func() *TirelessPeer { return &TirelessPeer{} }, container.As[Peer]())
	peer, err := container.Get[Peer](c)
	require.NoError(t, err)
	op := scripted(errBoom)
	require.Equal(t, errBoom, peer.Do(t.Context(), op.run))
	require.Equal(t, 1000, op.calls)

	// go:P2, what is bounded is refused beyond its bound.
	refused(t, provided(container.Annotate[aliases.CircuitBreaker](Peer.Do,
		annotation.Breaker(retry.BreakerSettings{ResetTimeout: reset, Consecutive: 1, Probes: 1001}))).Verify(), "1001", "1000")
	refused(t, retry.With(retry.NewBudget(retry.BudgetSettings{TTL: 2 * time.Hour, MinPerSec: 1})).Run(t.Context(), op.run), "2h", "1h")
}

// go:P3
func TestANameThatMatchesNothingIsReported(t *testing.T) {
	misspelt := container.New()
	misspelt.Provide(func() *MisspeltPeer { return &MisspeltPeer{} }, container.As[Peer]())
	for name, c := range map[string]struct {
		of    *container.Container
		words []string
	}{
		"a method":            {provided(container.Annotate[Bare]("Does")), []string{"LocalPeer", "no method Does", "write Do"}},
		"a method, in a tag":  {misspelt, []string{"MisspeltPeer", "no method Does", "write Do"}},
		"a glob":              {provided(container.Annotate[Bare]("Get*")), []string{"LocalPeer", "Get*"}},
		"a fallback's class":  {provided(container.Annotate[Bare](Peer.Do, annotation.Fallback("LocalPeerClient@Do"))), []string{"LocalPeer@Do", "LocalPeerClient"}},
		"a fallback's method": {provided(container.Annotate[Bare](Peer.Do, annotation.Fallback("LocalPeer@Does"))), []string{"LocalPeer@Do", "Does"}},
		"a matcher":           {matcherTag(), []string{"MatchedPeer@Do", "outage"}},
	} {
		t.Run(name, func(t *testing.T) { refused(t, c.of.Verify(), c.words...) })
	}
	t.Run("a pointcut", func(t *testing.T) {
		c := provided(container.Annotate[Bare](Peer.Do))
		c.Provide(func() aspect.Func { return func(jp aspect.JoinPoint) error { return jp.Proceed() } },
			container.AsAspect(aspect.Class("LocalPeerClient"), aspect.RetryPriority+1))
		refused(t, c.Verify(), "LocalPeerClient")
	})
}

// MatchedPeer is a Peer whose mark names a matcher.
type MatchedPeer struct {
	_ annotation.On[Bare] `method:"Do" retryErrors:"outage"`
}

func (*MatchedPeer) Do(ctx context.Context, op operation) error { return op(ctx) }

func matcherTag() *container.Container {
	c := container.New()
	c.Supply(retry.Is(errBoom), container.Name("outages"))
	c.Provide(func() *MatchedPeer { return &MatchedPeer{} }, container.As[Peer]())
	return c
}
