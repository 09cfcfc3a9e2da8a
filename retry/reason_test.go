package retry_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/retry"
)

// refusing is a user's limit that says why.
type refusing struct{ reason error }

func (refusing) Kind() string                 { return "refusing" }
func (r refusing) Limit(*retry.Session) error { return r.reason }

func TestWhatAUsersPolicySaidIsTold(t *testing.T) {
	spent := errors.New("quota of acme is spent")
	for _, c := range []struct {
		name  string
		chain retry.ErrorChain
		limit string
		want  error
	}{
		{"a user's limit", retry.With(refusing{spent}), "refusing", spent},
		{"a built-in limit says all by its name", retry.With().Max(1), "maxAttempts", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var told error
			chain := c.chain.WrapExhausted().Listen(retry.ListenerFunc(func(_ context.Context, e retry.Event) {
				if e, ok := e.(retry.Exhausted); ok {
					told = e.Reason
				}
			}))
			ctx, report := retry.WithReport(t.Context())
			err := chain.Run(ctx, func(context.Context) error { return errBoom })
			var exhausted *retry.ExhaustedError
			require.ErrorAs(t, err, &exhausted)
			require.Equal(t, c.limit, exhausted.Limit)
			require.Equal(t, c.want, exhausted.Reason)
			require.Equal(t, c.want, told)
			require.Equal(t, c.want, report.Reason)
			if c.want != nil {
				require.ErrorIs(t, err, c.want)
				require.ErrorContains(t, err, "exhausted by refusing (quota of acme is spent) after 1 attempt")
			}
		})
	}
}

func TestASessionThatMayAttemptOnceSaysNothingToThoseInside(t *testing.T) {
	chain := retry.WhenThrows().Max(3)
	policy, err := chain.Policy()
	require.NoError(t, err)
	inside, outside := 0, 0
	s := new(retry.Session)
	s.AttemptOnce()
	ctx, report := retry.WithReport(t.Context())
	err = policy.Run(ctx, s, &frame{}, func(ctx context.Context) error {
		outside++
		a, _ := retry.FromContext(ctx)
		require.Equal(t, 1, a.Limit)
		return retry.WhenThrows().Max(3).Run(ctx, func(context.Context) error { inside++; return errBoom })
	})
	require.ErrorIs(t, err, errBoom)
	require.Equal(t, 1, outside)
	require.Equal(t, 3, inside)
	require.Equal(t, "once", report.Limit)
}

func TestASessionThatMayAttemptOnceDoesSoWithNothingAroundIt(t *testing.T) {
	policy, err := retry.WhenThrows().Max(3).WrapExhausted().Policy()
	require.NoError(t, err)
	attempts := 0
	s := new(retry.Session)
	s.AttemptOnce()
	err = policy.Run(t.Context(), s, &frame{}, func(context.Context) error { attempts++; return errBoom })
	require.ErrorContains(t, err, "exhausted by once after 1 attempt")
	require.Equal(t, 1, attempts)
}

type nameless struct{}

func (nameless) Kind() string               { return "" }
func (nameless) Limit(*retry.Session) error { return nil }

func TestPoliciesThatAreNilOrHaveNoKindAreRefused(t *testing.T) {
	for want, p := range map[string]retry.Policy{
		"a policy is nil; leave it out": (*pointerPolicy)(nil),
		"a retry_test.nameless has no kind; let Kind return a name in lower camel case": nameless{},
	} {
		require.ErrorContains(t, retry.With(p).Run(t.Context(), func(context.Context) error { return nil }), want)
	}
	require.ErrorContains(t, retry.PolicyFrom("", func() retry.Policy { return nameless{} }).Check(), "its kind is empty")
}

type pointerPolicy struct{ kind string }

func (p *pointerPolicy) Kind() string               { return p.kind }
func (p *pointerPolicy) Limit(*retry.Session) error { return nil }
