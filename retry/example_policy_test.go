package retry_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/backstay/backstay/retry"
)

// Bulkhead is a policy of one's own: a Gate. No more than so many calls run at once.
type Bulkhead struct {
	places  int64
	running atomic.Int64
}

var errBulkheadFull = errors.New("bulkhead is full")

func (*Bulkhead) Kind() string { return "bulkhead" }

func (b *Bulkhead) Enter(context.Context) (ticket uint64, err error) {
	if b.running.Add(1) > b.places {
		b.running.Add(-1)
		return 0, errBulkheadFull
	}
	return 0, nil
}

func (b *Bulkhead) Leave(uint64, *retry.Session) { b.running.Add(-1) }

// Maintenance is a Judge: a peer that says it is closed is not asked again.
type Maintenance struct{}

var errClosed = errors.New("closed for maintenance")

func (Maintenance) Kind() string { return "maintenance" }

func (Maintenance) Judge(s *retry.Session) retry.Verdict {
	if errors.Is(s.Failure(), errClosed) {
		return retry.Never
	}
	return retry.Abstain
}

// KillSwitch is a Limiter: an operator turns retries off.
type KillSwitch struct{ off *atomic.Bool }

func (KillSwitch) Kind() string { return "killSwitch" }

func (k KillSwitch) Limit(*retry.Session) error {
	if k.off.Load() {
		return errors.New("retries are switched off")
	}
	return nil
}

// Quota is a Taker: the retries of a whole process have one purse.
type Quota struct{ left atomic.Int64 }

func (*Quota) Kind() string { return "quota" }

func (q *Quota) Take(*retry.Session) error {
	if q.left.Add(-1) < 0 {
		q.left.Add(1)
		return errors.New("quota is spent")
	}
	return nil
}

func (q *Quota) GiveBack(*retry.Session) { q.left.Add(1) }

// A policy is any value with a kind and a phase. It is used beside the built-in ones.
func ExamplePolicy() {
	var off atomic.Bool
	quota := new(Quota)
	quota.left.Store(3)
	bulkhead := &Bulkhead{places: 1}
	chain := retry.With(bulkhead, Maintenance{}, KillSwitch{&off}, quota).WhenThrows().WrapExhausted()
	call := func(name string, f func(context.Context) error) {
		ctx, report := retry.WithReport(context.Background())
		err := chain.Run(ctx, f)
		fmt.Printf("%s: %d attempts, %s %s: %v\n", name, report.Attempts, report.Ended, report.Limit, errors.Is(err, errUnavailable))
	}
	down := func(context.Context) error { return errUnavailable }

	call("quota", down)

	quota.left.Store(3)
	off.Store(true)
	call("switch", down)

	off.Store(false)
	call("maintenance", func(context.Context) error { return errClosed })

	call("bulkhead", func(context.Context) error {
		return chain.Run(context.Background(), down) // a second call while the first is under way
	})
	// Output:
	// quota: 4 attempts, exhausted quota: true
	// switch: 1 attempts, exhausted killSwitch: true
	// maintenance: 1 attempts, failed : false
	// bulkhead: 4 attempts, exhausted quota: false
}

// PolicyFrom makes a policy known to annotations: the constructor is given what it asks for, once for each method. Outside
// of a container Make gives it by hand.
func ExamplePolicyFrom() {
	factory := retry.PolicyFrom("bulkhead", func() *Bulkhead { return &Bulkhead{places: 8} })

	policy, err := factory.Make(nil)
	fmt.Println(factory, factory.Check(), factory.Rejects(), policy.Kind(), err)

	chain := retry.With(policy).Max(2)
	fmt.Println(chain.Run(context.Background(), (&flaky{failures: 1}).Ping))
	// Output:
	// bulkhead <nil> true bulkhead <nil>
	// <nil>
}
