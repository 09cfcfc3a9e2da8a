package retry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

var late = retry.PolicyFrom("late", func() retry.Policy { return nil })

// A gate or a starter of the user's may take longer than the context lasts. Then there is no attempt, unless the method
// has no error result to say so with: it is called through.
func TestAContextThatEndsBeforeTheFirstAttempt(t *testing.T) {
	for name, policy := range map[string]retry.Policy{
		"in a gate":    gateFuncs{enter: func(context.Context) (uint64, error) { time.Sleep(time.Minute); return 0, nil }},
		"in a starter": starterFunc(func(*retry.Session) { time.Sleep(time.Minute) }),
	} {
		for _, noError := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				d := retry.Definition{
					Settings: settings(retry.MaxAttempts, late), NoError: noError,
					Custom: map[retry.PolicyFactory]retry.Policy{late: policy},
				}
				ctx, cancel := canceledInASecond(t.Context())
				defer cancel()
				op := scripted(nil)
				err := run(ctx, compiled(t, d), op.run)
				if noError {
					require.NoError(t, err, name)
					require.Equal(t, 1, op.calls, name)
				} else {
					require.ErrorIs(t, err, context.Canceled, name)
					require.Zero(t, op.calls, name)
				}
			})
		}
	}
}
