package faults_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// RetryPanics makes throwables of the panics of attempts, and of nobody else's; Goexit stays what it is.
func TestUnderRetryPanicsOnlyAttemptsAreForgiven(t *testing.T) {
	inAttempts := []string{"target", "inside", "inside, after"}
	for name, d := range deeds {
		t.Run(name, func(t *testing.T) {
			eachFault(t, func(t *testing.T, f fault, s *subject, ctx context.Context, report *retry.Report) {
				if s.c == nil {
					return // the fluent form does not have it
				}
				forgiven := name != "ends its goroutine" && slices.Contains(inAttempts, f.place)
				var x receipt
				var err error
				f.arm(s, d.do)
				got := watched(func() { x, err = s.call(ctx) })
				require.True(t, s.struck(f.place), "the place was not reached")
				if !forgiven {
					require.False(t, got.returned)
					d.seen(t, got)
					s.isSettled(t, f.after, report)
					return
				}
				require.True(t, got.returned)
				require.NoError(t, err)
				if f.course == never && !f.probe {
					require.Equal(t, 1, x.no, "of the second attempt")
					require.Equal(t, 2, report.Attempts)
					f.after = retry.BreakerClosed
				} else {
					require.Equal(t, 99, x.no, "of the fallback")
					require.True(t, report.Fallback)
				}
				var p *retry.PanicError
				require.ErrorAs(t, report.Errors[len(report.Errors)-1], &p)
				d.seen(t, seen{value: p.Value, stack: string(p.Stack)})
				s.isSettled(t, f.after, report)
			}, annotation.RetryPanics(true))
		})
	}
}

// Without a fallback the last panic is raised again. Its own stack is that of the second raise; the first is in the error.
func TestAPanicThatIsRaisedAgainIsTheUsersValue(t *testing.T) {
	for name, d := range deeds {
		if name == "ends its goroutine" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			var told []error
			listener := retry.ListenerFunc(func(_ context.Context, e retry.Event) {
				if e, ok := e.(retry.AttemptFailed); ok {
					told = append(told, e.Err)
				}
			})
			set := retry.Settings{
				Policies:    []retry.PolicyFactory{retry.Classifier, retry.MaxAttempts},
				MaxAttempts: 2, RetryPanics: true, RetryErrors: []retry.Matcher{retry.AnyError}, MaxDelay: time.Second,
			}
			h, err := retry.Compile(retry.Definition{Settings: set, Listener: listener})
			require.NoError(t, err)
			got := watched(func() {
				_ = h.Run(t.Context(), new(retry.Session), nil, func(context.Context) error { d.do(); return nil })
			})
			require.False(t, got.returned)
			require.Len(t, told, 2)
			var p *retry.PanicError
			require.ErrorAs(t, told[1], &p)
			d.seen(t, seen{value: got.value, stack: string(p.Stack)})
		})
	}
}
