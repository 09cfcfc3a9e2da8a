package retry

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// stampede runs f in so many goroutines that all begin at once, and waits for them.
func stampede(goroutines int, f func(i int)) {
	var ready, done sync.WaitGroup
	gate := make(chan struct{})
	ready.Add(goroutines)
	for i := range goroutines {
		done.Go(func() {
			ready.Done()
			<-gate
			f(i)
		})
	}
	ready.Wait()
	close(gate)
	done.Wait()
}

func TestBudgetTokensAreTakenExactlyOnce(t *testing.T) {
	for _, c := range []struct {
		name     string
		settings BudgetSettings
		sessions int
		want     int
	}{
		{"budget:i ten of sessions", BudgetSettings{TTL: 10 * time.Second, Percent: 0.2}, 50, 10},
		{"budget:i ten of the reserve", BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1}, 0, 10},
		{"budget:i ten of both", BudgetSettings{TTL: 10 * time.Second, MinPerSec: 0.55, Percent: 0.3}, 15, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 10 {
				b := newBudget("", c.settings)
				depositTimes(b, 0, c.sessions)
				var granted atomic.Int64
				stampede(1000, func(int) {
					if _, ok := b.take(1); ok {
						granted.Add(1)
					}
				})
				require.EqualValues(t, c.want, granted.Load())
			}
		})
	}
}

func TestBudgetGivenBackTokensAreNeitherLostNorDoubled(t *testing.T) {
	b := newBudget("", BudgetSettings{TTL: 10 * time.Second, MinPerSec: 0.55, Percent: 0.3})
	depositTimes(b, 0, 15)
	stampede(200, func(int) {
		for range 50 {
			k, _ := b.take(1)
			b.giveBack(k)
		}
	})
	// What the reserve paid while sessions could not is with the reserve again, so the sum is as it was.
	require.Equal(t, 10, balance(b, 1))
}

func TestDepositsOfManyAreCountedExactly(t *testing.T) {
	const goroutines, each = 64, 10_000
	b := newBudget("", BudgetSettings{TTL: 10 * time.Second, Percent: 1})
	var clock atomic.Int64 // runs through eight slices meanwhile, so slices begin under contention
	stampede(goroutines, func(int) {
		for range each {
			b.deposit(clock.Add(8 * int64(time.Second) / (goroutines * each)))
		}
	})
	at := clock.Load()
	sum := b.deposits.sum(instant(at)/b.deposits.width, b.clock.leap)
	require.EqualValues(t, goroutines*each, sum)
}

func TestBudgetUnderContentionStaysWithinItsBound(t *testing.T) {
	const goroutines, each = 32, 500
	b := newBudget("", BudgetSettings{TTL: 10 * time.Second, Percent: 0.3})
	var taken atomic.Int64
	stampede(goroutines, func(i int) {
		for j := range each {
			at := int64(j) * int64(time.Millisecond)
			b.deposit(at)
			if k, ok := b.take(at); ok {
				if (i+j)%3 == 0 {
					b.giveBack(k)
				} else {
					taken.Add(1)
				}
			}
		}
	})
	left := drain(b, int64(each)*int64(time.Millisecond))
	require.EqualValues(t, goroutines*each*3/10, taken.Load()+int64(left))
}
