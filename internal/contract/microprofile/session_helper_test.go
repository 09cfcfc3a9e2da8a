package microprofile_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// What methods fail with: T is MicroProfile's TestException, and Child is a Parent.
var (
	sErrT       = errors.New("T")
	sErrA       = errors.New("A")
	sErrB       = errors.New("B")
	sErrIO      = errors.New("IO")
	sErrRuntime = errors.New("runtime")
	sErrParent  = errors.New("parent")
	sErrChild   = fmt.Errorf("child of %w", sErrParent)
)

// sService is what the services of these tests are provided as.
type sService interface {
	ServiceA(ctx context.Context) (string, error)
	ServiceB(ctx context.Context) (string, error)
}

// sPeer is a sService whose methods do what a test says, given the number of the execution, counted from 1 for each method.
type sPeer struct {
	do   func(ctx context.Context, exec int) (string, error)
	a, b atomic.Int64
}

func (p *sPeer) ServiceA(ctx context.Context) (string, error) { return p.do(ctx, int(p.a.Add(1))) }
func (p *sPeer) ServiceB(ctx context.Context) (string, error) { return p.do(ctx, int(p.b.Add(1))) }

// execs is how many times ServiceA ran.
func (p *sPeer) execs() int { return int(p.a.Load()) }

// sFails is a peer that always fails.
func sFails(err error) *sPeer { return sFailsFirst(1<<30, err) }

// sFailsFirst is a peer whose first n executions fail.
func sFailsFirst(n int, err error) *sPeer {
	return &sPeer{do: func(_ context.Context, exec int) (string, error) {
		if exec <= n {
			return "", err
		}
		return "done", nil
	}}
}

// sWorks is a peer that heeds its context: it works for so long, then fails.
func sWorks(d time.Duration, err error) *sPeer {
	return &sPeer{do: func(ctx context.Context, _ int) (string, error) { return "", sWork(ctx, d, err) }}
}

// sWork works for so long, unless the context ends first.
func sWork(ctx context.Context, d time.Duration, err error) error {
	work := time.NewTimer(d)
	defer work.Stop()
	select {
	case <-work.C:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// sBuild is target, woven as the marks of its type and the options say.
func sBuild[C any](t testing.TB, target *C, opts ...container.ProvideOption) sService {
	t.Helper()
	return sBuildIn(t, container.New(), target, opts...)
}

// sBuildIn is sBuild in a container that has something more. Tags may name the errors of these tests.
func sBuildIn[C any](t testing.TB, c *container.Container, target *C, opts ...container.ProvideOption) sService {
	t.Helper()
	for name, err := range map[string]error{"T": sErrT, "A": sErrA, "B": sErrB, "runtime": sErrRuntime} {
		c.Supply(retry.Is(err), container.Name(name))
	}
	c.Provide(func() *C { return target }, append(opts, container.As[sService]())...)
	service, err := container.Get[sService](c)
	require.NoError(t, err)
	return service
}

// sTimed is what a call returned, and how long it took.
func sTimed(ctx context.Context, call func(context.Context) (string, error)) (took time.Duration, result string, err error) {
	begin := time.Now()
	result, err = call(ctx)
	return time.Since(begin), result, err
}

// sOutcome is what a call returned.
type sOutcome struct {
	result string
	err    error
	took   time.Duration
}

// sGo makes a call in a goroutine of its own, as an asynchronous method does, and waits until it has ended or blocks.
func sGo(ctx context.Context, call func(context.Context) (string, error)) <-chan sOutcome {
	outcome := make(chan sOutcome, 1)
	go func() {
		took, result, err := sTimed(ctx, call)
		outcome <- sOutcome{result, err, took}
	}()
	synctest.Wait()
	return outcome
}

// sPending reports whether a call that sGo has made is still under way.
func sPending(outcome <-chan sOutcome) bool {
	synctest.Wait()
	return len(outcome) == 0
}

// sBubble is a subtest in a bubble.
func sBubble(t *testing.T, name string, test func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

// sRetry is MicroProfile's Retry, as a user makes it: four attempts within three minutes, and a delay of its own with a
// jitter of 200 ms to both sides.
type sRetry struct {
	annotation.AbstractRetry
	Delay, Jitter time.Duration
}

// Defaults are MicroProfile's.
func (sRetry) Defaults() []annotation.Option {
	return []annotation.Option{
		annotation.Policies(retry.Fallback, retry.Classifier, retry.Timeout, retry.MaxAttempts, sDelay),
		annotation.MaxAttempts(4),
		annotation.Timeout(3 * time.Minute),
		annotation.Set(func(a *sRetry) { a.Jitter = 200 * time.Millisecond }),
	}
}

// Validate says what deployment refuses.
func (a sRetry) Validate() error {
	if a.Delay < 0 || a.Jitter < 0 {
		return fmt.Errorf("delay %v and jitter %v must not be below zero", a.Delay, a.Jitter)
	}
	return nil
}

var sDelay = retry.PolicyFrom("delay", func(a sRetry) retry.Policy { return sNewJitter(a.Delay, a.Jitter) })

// sJittered waits the delay, give or take the jitter, never below zero. Its random numbers are the same in each run.
type sJittered struct {
	delay, jitter time.Duration
	mu            sync.Mutex
	random        *rand.Rand
}

func sNewJitter(delay, jitter time.Duration) *sJittered {
	return &sJittered{delay: delay, jitter: jitter, random: rand.New(rand.NewPCG(1, 2))}
}

func (*sJittered) Kind() string { return "delay" }

// Wait is the delay with its jitter.
func (j *sJittered) Wait(*retry.Session) time.Duration {
	j.mu.Lock()
	defer j.mu.Unlock()
	return max(0, j.delay-j.jitter+time.Duration(j.random.Int64N(int64(2*j.jitter)+1)))
}
