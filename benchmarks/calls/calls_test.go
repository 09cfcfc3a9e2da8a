package calls_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/backstay/backstay/benchmarks/calls"
)

// Two peers keep goroutines that nobody can end: an open breaker of eapache/go-resiliency has one that sleeps until it is
// to be half-open, and every breaker of slok/goresilience one that moves its window.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/eapache/go-resiliency/breaker.(*Breaker).timer"),
		goleak.IgnoreAnyFunction("github.com/slok/goresilience/circuitbreaker.(*bucketWindow).windowSlider"))
}

func TestEveryContenderDoesItsWork(t *testing.T) {
	for _, w := range calls.Works() {
		t.Run(w.Name, func(t *testing.T) {
			names := map[string]bool{}
			for _, c := range w.Contenders {
				require.False(t, names[c.Name], "two contenders are called %s", c.Name)
				names[c.Name] = true
				t.Run(c.Name, func(t *testing.T) { require.NoError(t, w.Check(c)) })
			}
			require.True(t, names[w.Reference], "%s is not among the contenders", w.Reference)
		})
	}
}

func TestTheTimedLoopIsCheckedAgainstTheCallsOfThePeer(t *testing.T) {
	for _, w := range calls.Works() {
		for _, c := range w.Contenders {
			t.Run(w.Name+"/"+c.Name, func(t *testing.T) {
				op, err := w.Op(c)
				require.NoError(t, err)
				done := make(chan error)
				for worker := range 2 {
					go func() { done <- op.Run(worker, 50) }()
				}
				require.NoError(t, errors.Join(<-done, <-done))
				require.NoError(t, op.Done(100))
			})
		}
	}
}

func TestAContenderThatDoesItsWorkWrongIsFound(t *testing.T) {
	work := &calls.Work{Failures: 2, Want: calls.Outcome{Calls: 3}}
	once := calls.Contender{Name: "no retry", Wrap: func(target calls.Service) calls.Service { return target }}
	require.ErrorContains(t, work.Check(once), "error the peer failed, want none")

	work = &calls.Work{Want: calls.Outcome{Calls: 1}}
	twice := calls.Contender{Name: "calls twice", Wrap: func(target calls.Service) calls.Service {
		return calls.ServiceFunc(func(ctx context.Context, key string) (string, error) {
			_, _ = target.Get(ctx, key)
			return target.Get(ctx, key)
		})
	}}
	require.ErrorContains(t, work.Check(twice), "2 attempts, want 1")
	op, err := work.Op(twice)
	require.NoError(t, err)
	require.NoError(t, op.Run(0, 3))
	require.EqualError(t, op.Done(3), "3 calls made 6 attempts, want 3")

	work = &calls.Work{Failures: 1, Opens: true, Want: calls.Outcome{Err: true}}
	require.ErrorContains(t, work.Check(once), "want a rejection")
}

func BenchmarkCalls(b *testing.B) {
	for _, w := range calls.Works() {
		b.Run(w.Name, func(b *testing.B) {
			for _, c := range w.Contenders {
				b.Run(c.Name, func(b *testing.B) {
					op, err := w.Op(c)
					require.NoError(b, err)
					b.ReportAllocs()
					b.ResetTimer()
					require.NoError(b, op.Run(0, b.N))
					b.StopTimer()
					require.NoError(b, op.Done(b.N))
				})
			}
		})
	}
}
