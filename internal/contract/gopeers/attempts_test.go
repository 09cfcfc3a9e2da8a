package gopeers_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// limited runs a case in both forms with so many attempts and a wait of a second before each retry.
func limited(t *testing.T, attempts int, f func(t *testing.T, p *form)) {
	t.Helper()
	inBothForms(t,
		func() retry.ErrorChain { return retry.WhenThrows().Max(attempts).Sleep(time.Second) },
		options(annotation.MaxAttempts(attempts), annotation.Base(time.Second)), f)
}

// go:A1
func TestMaxAttemptsIsATotal(t *testing.T) {
	limited(t, 3, func(t *testing.T, p *form) {
		op := scripted(errBoom)
		require.Equal(t, 2*time.Second, within(func() {
			report, err := reported(t.Context(), p, op.run)
			require.Equal(t, errBoom, err)
			require.Equal(t, "[1s 1s]", waits(report))
		}))
		require.Equal(t, 3, op.calls)
	})
}

// go:A2
func TestOneAttemptIsNoRetry(t *testing.T) {
	limited(t, 1, func(t *testing.T, p *form) {
		op := scripted(errBoom)
		require.Zero(t, within(func() { require.True(t, p.run(t.Context(), op.run) == errBoom) }))
		require.Equal(t, 1, op.calls)
		require.Zero(t, count[retry.RetryScheduled](p.events))
	})
	synctest.Test(t, func(t *testing.T) {
		p := annotated(t, annotation.MaxAttempts(1), annotation.BeforeRetry(func(context.Context, operation) error {
			t.Error("there is no retry")
			return nil
		}))
		require.Equal(t, errBoom, p.run(t.Context(), scripted(errBoom).run))
	})
}

// BoundlessPeer is a Peer whose mark allows no attempt at all.
type BoundlessPeer struct {
	_ annotation.On[aliases.Retry] `method:"Do" maxAttempts:"0"`
}

func (*BoundlessPeer) Do(ctx context.Context, op operation) error { return op(ctx) }

// go:A3
func TestZeroAttemptsAreRefusedAndNotForEver(t *testing.T) {
	for _, n := range []int{0, -2} {
		op := scripted(errBoom)
		refused(t, retry.WhenThrows().Max(n).Run(t.Context(), op.run), "maxAttempts", "retry.Unlimited")
		require.Zero(t, op.calls)

		c := container.New()
		c.Provide(func() *LocalPeer { return &LocalPeer{} }, container.As[Peer](), container.Annotate[aliases.Retry](Peer.Do, annotation.MaxAttempts(n)))
		refused(t, c.Verify(), "MaxAttempts", "LocalPeer@Do", "attempts_test.go")
	}
	c := container.New()
	c.Provide(func() *BoundlessPeer { return &BoundlessPeer{} }, container.As[Peer]())
	refused(t, c.Verify(), "maxAttempts", "BoundlessPeer@Do")

	limited(t, 1, func(t *testing.T, p *form) { // no retries, which is one attempt
		op := scripted(errBoom)
		require.Equal(t, errBoom, p.run(t.Context(), op.run))
		require.Equal(t, 1, op.calls)
	})
}

// perError is a user's policy: so many attempts of one session may fail by an error.
type perError struct {
	of   error
	most int

	mu     sync.Mutex
	failed map[*retry.Session]int
}

func newPerError(of error, most int) *perError {
	return &perError{of: of, most: most, failed: map[*retry.Session]int{}}
}

func (*perError) Kind() string { return "perError" }

func (p *perError) Limit(s *retry.Session) error {
	if !retry.Is(p.of).Match(s.Failure()) {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failed[s]++; p.failed[s] >= p.most {
		return fmt.Errorf("%d attempts have failed by: %w", p.most, p.of)
	}
	return nil
}

func (p *perError) End(s *retry.Session) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.failed, s)
}

// limitedPerError runs a case in both forms with the policy for errBoom.
func limitedPerError(t *testing.T, attempts, most int, f func(t *testing.T, p *form)) {
	t.Helper()
	factory := retry.PolicyFrom("perError", func() *perError { return newPerError(errBoom, most) })
	inBothForms(t,
		func() retry.ErrorChain { return retry.WhenThrows().With(newPerError(errBoom, most)).Max(attempts) },
		options(annotation.MaxAttempts(attempts), annotation.AddPolicies(factory)), f)
}

// go:A4
func TestUnlimitedAttemptsObeyEveryOtherRule(t *testing.T) {
	limited(t, retry.Unlimited, func(t *testing.T, p *form) {
		permanent := scripted(errOther, retry.Permanent(errBoom))
		require.Equal(t, errBoom, p.run(t.Context(), permanent.run))
		require.Equal(t, 2, permanent.calls)

		canceled := scripted(errBoom)
		err := p.run(cancelIn(1500*time.Millisecond), canceled.run)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, errBoom)
		require.Equal(t, 2, canceled.calls)

		patient := scripted(append(slices.Repeat([]error{errBoom}, 100), nil)...)
		require.NoError(t, p.run(t.Context(), patient.run))
		require.Equal(t, 101, patient.calls)
	})
	limitedPerError(t, retry.Unlimited, 2, func(t *testing.T, p *form) {
		op := scripted(errBoom)
		require.Equal(t, errBoom, p.run(t.Context(), op.run))
		require.Equal(t, 2, op.calls)
	})
	inBothForms(t,
		func() retry.ErrorChain {
			return retry.ErrorChain{}.When(func(err error) bool { return err == errBoom }).Max(retry.Unlimited)
		},
		options(annotation.MaxAttempts(retry.Unlimited), annotation.RetryIfError(func(err error) bool { return err == errBoom })),
		func(t *testing.T, p *form) {
			op := scripted(errBoom, errOther)
			require.Equal(t, errOther, p.run(t.Context(), op.run))
			require.Equal(t, 2, op.calls)
		})
}

// go:A5. A limit per error is a user's policy: ours count attempts alone.
func TestAUsersPolicyLimitsTheAttemptsOfOneError(t *testing.T) {
	limitedPerError(t, 10, 3, func(t *testing.T, p *form) {
		for range 2 { // each session counts for itself
			op := scripted(errBoom)
			report, err := reported(t.Context(), p, op.run)
			require.Equal(t, errBoom, err)
			require.Equal(t, 3, op.calls)
			require.Equal(t, "perError", report.Limit)
			require.ErrorIs(t, report.Reason, errBoom)
		}
		op := scripted(errBoom, errOther, errBoom, errOther, errBoom, errOther)
		report, err := reported(t.Context(), p, op.run)
		require.Equal(t, errBoom, err)
		require.Equal(t, []error{errBoom, errOther, errBoom, errOther, errBoom}, report.Errors)
	})
}

// go:A7
func TestAPolicyThatIsUsedAgainStartsAfresh(t *testing.T) {
	limited(t, 4, func(t *testing.T, p *form) {
		for range 2 {
			op := scripted(errBoom)
			report, err := reported(t.Context(), p, op.run)
			require.Equal(t, errBoom, err)
			require.Equal(t, 4, op.calls)
			require.Equal(t, "[1s 1s 1s]", waits(report))
		}
		ops := make([]*script, 8)
		var wg sync.WaitGroup
		for i := range ops {
			ops[i] = scripted(errBoom)
			wg.Go(func() { _ = p.run(t.Context(), ops[i].run) })
		}
		wg.Wait()
		for _, op := range ops {
			require.Equal(t, 4, op.calls)
		}
	})
}
