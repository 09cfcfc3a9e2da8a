package microprofile_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// sDoor is a bulkhead as a gate: it is asked once for each session, before the first attempt.
type sDoor struct {
	slots  int64
	inside atomic.Int64
}

func (*sDoor) Kind() string { return "bulkhead" }

// Enter lets in while there is a slot.
func (d *sDoor) Enter(context.Context) (uint64, error) {
	if d.inside.Add(1) > d.slots {
		d.inside.Add(-1)
		return 0, sErrFull
	}
	return 0, nil
}

// Leave frees the slot.
func (d *sDoor) Leave(uint64, *retry.Session) { d.inside.Add(-1) }

var sOneAtATime = retry.PolicyFrom("bulkhead", func() retry.Policy { return &sDoor{slots: 1} })

// A gate is another place for a bulkhead than MicroProfile's: its slot is held through the waits of a session, and whom it
// refuses is rejected and not retried.
func TestSessionBulkheadAsAGate(t *testing.T) {
	door := func(t *testing.T, peer *sPeer, opts ...annotation.Option) sService {
		return sBuild(t, peer, sRetriedEvery(time.Second, append(opts, annotation.AddPolicies(sOneAtATime))...))
	}
	sBubble(t, "mp:X25 a gate's slot is held while a retry waits", func(t *testing.T) {
		peer := sFailsFirst(1, sErrT)
		service := door(t, peer)
		a := sGo(t.Context(), service.ServiceA)
		time.Sleep(100 * time.Millisecond)
		_, err := service.ServiceA(t.Context())
		require.ErrorIs(t, err, sErrFull)
		require.Equal(t, sOutcome{"done", nil, time.Second}, <-a)
		require.Equal(t, 2, peer.execs())
		result, err := service.ServiceA(t.Context())
		require.NoError(t, err)
		require.Equal(t, "done", result)
	})
	for name, opts := range map[string][]annotation.Option{
		"mp:X28 whom a gate refuses is rejected":                     nil,
		"mp:X28 whom a gate refuses is rejected, whatever is listed": {annotation.RetryErrors(retry.Is(sErrFull))},
	} {
		sBubble(t, name, func(t *testing.T) {
			end := make(chan struct{})
			peer := &sPeer{do: func(context.Context, int) (string, error) { <-end; return "done", nil }}
			service := door(t, peer, opts...)
			a := sGo(t.Context(), service.ServiceA)
			outcome := <-sGo(t.Context(), service.ServiceA)
			require.ErrorIs(t, outcome.err, sErrFull)
			require.ErrorAs(t, outcome.err, new(*retry.RejectedError))
			require.Zero(t, outcome.took)
			close(end)
			require.NoError(t, (<-a).err)
			require.Equal(t, 1, peer.execs())
		})
	}
}
