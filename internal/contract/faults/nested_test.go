package faults_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/retry"
)

// What fails inside an inner session passes through the outer one, to which it is an attempt that did not return. Both are
// free afterwards.
func TestAFaultInsideTwoSessionsFreesBoth(t *testing.T) {
	for _, name := range []string{"panics with an error", "ends its goroutine"} {
		d := deeds[name]
		t.Run(name, func(t *testing.T) {
			eachFault(t, func(t *testing.T, f fault, inner *subject, ctx context.Context, report *retry.Report) {
				if strings.HasPrefix(f.place, "context.") {
					return // the outer session asks it first
				}
				form := "chain"
				if inner.c != nil {
					form = "woven"
				}
				outer := forms[form](t, newRig())
				outer.callee = inner.call
				f.arm(inner, d.do)
				got := watched(func() { _, _ = outer.call(ctx) })
				require.True(t, inner.struck(f.place), "the place was not reached")
				require.False(t, got.returned)
				d.seen(t, got)

				require.Equal(t, 1, report.Attempts, "of the outer one")
				require.Equal(t, retry.EndAborted, report.Ended)
				own := &retry.Report{}
				if len(report.Children) > 0 {
					own = report.Children[0]
				}
				outer.callee = nil
				require.Equal(t, retry.BreakerOpen, outer.breaker.State())
				inner.isSettled(t, f.after, own)
				time.Sleep(resetTimeout)
				outer.isSettled(t, retry.BreakerHalfOpen, report)
			})
		})
	}
}
