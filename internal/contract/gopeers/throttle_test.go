package gopeers_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

var errThrottled = errors.New("too many failures")

// throttle is gRPC's retry throttling, as a user writes it: a failure worth a retry costs a token, a success gives a part of
// one back, and no retry starts while half of the tokens or fewer are left. Tokens are counted in thousandths.
type throttle struct {
	most, ratio int

	mu     sync.Mutex
	tokens int
}

func newThrottle(maxTokens, ratio float64) (*throttle, error) {
	if maxTokens <= 0 || maxTokens > 1000 {
		return nil, fmt.Errorf("maxTokens is %v; write more than 0 and at most 1000", maxTokens)
	}
	most := int(math.Round(maxTokens * 1000))
	return &throttle{most: most, ratio: int(math.Round(ratio * 1000)), tokens: most}, nil
}

func (*throttle) Kind() string { return "retryThrottle" }

// Limit is asked of failures that are worth a retry, before MaxAttempts since it stands before it in the list.
func (p *throttle) Limit(*retry.Session) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tokens = max(p.tokens-1000, 0)
	if p.tokens <= p.most/2 {
		return errThrottled
	}
	return nil
}

func (p *throttle) End(s *retry.Session) {
	if s.Failure() == nil && s.Attempt() > 0 {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.tokens = min(p.tokens+p.ratio, p.most)
	}
}

// Throttled is the annotation that brings the policy.
type Throttled struct {
	Bare
	MaxTokens, TokenRatio float64
}

// Throttle is made for each method from its annotation.
var Throttle = retry.PolicyFrom("retryThrottle", func(a Throttled) (*throttle, error) { return newThrottle(a.MaxTokens, a.TokenRatio) })

func (Throttled) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Policies(retry.Classifier, Throttle, retry.MaxAttempts), annotation.MaxAttempts(retry.Unlimited)}
}

// Validate lets Verify say what is wrong before anything runs.
func (a Throttled) Validate() error {
	_, err := newThrottle(a.MaxTokens, a.TokenRatio)
	return err
}

// ThrottledPeer is a Peer whose author has thought of a bad hour.
type ThrottledPeer struct {
	_ annotation.On[Throttled] `method:"Do" maxTokens:"10" tokenRatio:"0.1" retryErrors:"boom" wrapExhausted:"true"`
}

func (*ThrottledPeer) Do(ctx context.Context, op operation) error { return op(ctx) }

// go:G7
func TestAUsersPolicyThrottlesRetriesAsGRPCDoes(t *testing.T) {
	fluent := func(t *testing.T) func(context.Context, operation) error {
		p, err := newThrottle(10, 0.1)
		require.NoError(t, err)
		return retry.With(p).WhenThrows(retry.Is(errBoom)).Max(retry.Unlimited).WrapExhausted().Run
	}
	annotated := func(t *testing.T) func(context.Context, operation) error {
		c := container.New()
		c.Supply(retry.Is(errBoom), container.Name("boom"))
		c.Provide(func() *ThrottledPeer { return &ThrottledPeer{} }, container.As[Peer]())
		peer, err := container.Get[Peer](c)
		require.NoError(t, err)
		return peer.Do
	}
	for name, protect := range map[string]func(*testing.T) func(context.Context, operation) error{"fluent": fluent, "annotated": annotated} {
		t.Run(name, func(t *testing.T) {
			run := protect(t)
			boom := scripted(errBoom)
			err := run(t.Context(), boom.run)
			exhaustedBy(t, err, "retryThrottle", 5)
			require.ErrorIs(t, err, errBoom)
			require.ErrorIs(t, err, errThrottled)
			require.Equal(t, 5, boom.calls, "failures 1 to 4 may be retried, the 5th leaves half of the tokens")

			succeed := func(n int) {
				for range n {
					require.NoError(t, run(t.Context(), scripted(nil).run))
				}
			}
			succeed(10) // 6 tokens
			exhaustedBy(t, run(t.Context(), boom.run), "retryThrottle", 1)
			for range 3 {
				require.Equal(t, errOther, run(t.Context(), scripted(errOther).run), "not worth a retry, and free")
			}
			succeed(11) // 6.1
			exhaustedBy(t, run(t.Context(), boom.run), "retryThrottle", 2)
			succeed(1000)
			exhaustedBy(t, run(t.Context(), boom.run), "retryThrottle", 5) // never more than 10
		})
	}
	for _, c := range []struct {
		most  float64
		valid bool
	}{{1000, true}, {1, true}, {0, false}, {1001, false}} {
		t.Run(fmt.Sprint(c.most, " tokens"), func(t *testing.T) {
			built := container.New()
			built.Provide(func() *LocalPeer { return &LocalPeer{} }, container.As[Peer](),
				container.Annotate[Throttled](Peer.Do, annotation.Set(func(a *Throttled) { a.MaxTokens, a.TokenRatio = c.most, 0.1 })))
			_, err := newThrottle(c.most, 0.1)
			if c.valid {
				require.NoError(t, err)
				require.NoError(t, built.Verify())
				return
			}
			require.Error(t, err)
			refused(t, built.Verify(), "LocalPeer@Do", "at most 1000")
		})
	}
}
