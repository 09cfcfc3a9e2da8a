package gopeers_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

var (
	errBoom  = errors.New("boom")
	errOther = errors.New("other")
	errCause = errors.New("the shop closes")
)

// operation is what is protected.
type operation = func(context.Context) error

// Peer is the service of the annotated form. It runs the operation that it is given.
type Peer interface {
	Do(ctx context.Context, op operation) error
}

// LocalPeer is the Peer.
type LocalPeer struct{}

func (*LocalPeer) Do(ctx context.Context, op operation) error { return op(ctx) }

// Bare retries up to the limit that a case sets, without a budget.
type Bare struct{ annotation.AbstractRetry }

// Defaults are the policies that cases start from.
func (Bare) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Policies(retry.Fallback, retry.Classifier, retry.MaxAttempts, retry.Sleep)}
}

// form is a protected operation, in one of the two forms in which users write it.
type form struct {
	run     func(ctx context.Context, op operation) error
	breaker *retry.Breaker // nil where the case has none
	events  *journal
}

// inBothForms runs a case in a bubble of its own for the fluent form and for the annotated form: what one of them does, the
// other has to do. Chains and options are made inside the bubble.
func inBothForms(t *testing.T, chain func() retry.ErrorChain, opts func() []annotation.Option, f func(t *testing.T, p *form)) {
	t.Helper()
	t.Run("fluent", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { f(t, fluent(t, chain())) })
	})
	t.Run("annotated", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) { f(t, annotated(t, opts()...)) })
	})
}

func fluent(t *testing.T, chain retry.ErrorChain) *form {
	t.Helper()
	p := &form{events: new(journal)}
	chain = chain.Listen(p.events)
	h, err := chain.Policy()
	require.NoError(t, err)
	for _, policy := range h.Policies() {
		if b := retry.BreakerOf(policy); b != nil {
			p.breaker = b
		}
	}
	p.run = chain.Run
	return p
}

func annotated(t *testing.T, opts ...annotation.Option) *form {
	t.Helper()
	return annotatedBy[Bare](t, opts...)
}

// annotatedBy is the annotated form by another annotation than Bare.
func annotatedBy[A any](t *testing.T, opts ...annotation.Option) *form {
	t.Helper()
	p := &form{events: new(journal)}
	c := container.New(container.WithListener(p.events))
	c.Provide(func() *LocalPeer { return &LocalPeer{} }, container.As[Peer](), container.Annotate[A](Peer.Do, opts...))
	peer, err := container.Get[Peer](c)
	require.NoError(t, err)
	p.run = peer.Do
	if len(c.Breakers()) > 0 {
		p.breaker, err = c.Breaker(Peer.Do)
		require.NoError(t, err)
	}
	return p
}

// options are the options of the annotated form.
func options(opts ...annotation.Option) func() []annotation.Option {
	return func() []annotation.Option { return opts }
}

// script is an operation that returns its errors in turn, the last one for ever, and counts its calls.
type script struct {
	mu    sync.Mutex
	errs  []error
	calls int
}

func scripted(errs ...error) *script { return &script{errs: errs} }

func (s *script) run(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.errs[min(s.calls, len(s.errs)-1)]
	s.calls++
	return err
}

// journal is a listener that keeps what it was told. It is safe for concurrent use.
type journal struct {
	then func(context.Context, retry.Event) // set before the first call: what else the listener does

	mu     sync.Mutex
	events []retry.Event
}

func (j *journal) On(ctx context.Context, e retry.Event) {
	j.mu.Lock()
	j.events = append(j.events, e)
	j.mu.Unlock()
	if j.then != nil {
		j.then(ctx, e)
	}
}

// count is how many events of type E were told.
func count[E retry.Event](j *journal) (n int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, e := range j.events {
		if _, ok := e.(E); ok {
			n++
		}
	}
	return n
}

// reported runs op under p and returns the account of the call beside its error.
func reported(ctx context.Context, p *form, op operation) (*retry.Report, error) {
	ctx, report := retry.WithReport(ctx)
	err := p.run(ctx, op)
	return report, err
}

// exhaustedBy requires that err says that a limit ended the session after so many attempts.
func exhaustedBy(t testing.TB, err error, limit string, attempts int) {
	t.Helper()
	var e *retry.ExhaustedError
	require.ErrorAs(t, err, &e)
	require.Equal(t, limit, e.Limit)
	require.Equal(t, attempts, e.Attempts)
}

// refused requires that err is, or holds, a definition error that says all of the words.
func refused(t testing.TB, err error, words ...string) {
	t.Helper()
	var d *retry.DefinitionError
	require.ErrorAs(t, err, &d)
	for _, w := range words {
		require.ErrorContains(t, err, w)
	}
}

// ending is how an operation leaves: a panic's value, or that the goroutine has ended.
type ending struct {
	err    error
	panics any
	exited bool
}

// inGoroutine runs f in a goroutine of its own, to its end, and tells how it left.
func inGoroutine(f func() error) (e ending) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.exited = true
		defer func() {
			if e.panics = recover(); e.panics != nil {
				e.exited = false
			}
		}()
		e.err = f()
		e.exited = false
	}()
	<-done
	return e
}

// goexit is an operation that ends its goroutine, as t.FailNow does.
func goexit(context.Context) error {
	runtime.Goexit()
	return nil
}

// panics is an operation that panics with v.
func panics(v any) operation { return func(context.Context) error { panic(v) } }

// goroutines is how many there are in bubbles, counted while the world stands still.
func goroutines() int {
	stacks := make([]byte, 1<<20)
	return bytes.Count(stacks[:runtime.Stack(stacks, true)], []byte("synctest bubble"))
}

// within is the time that f takes.
func within(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

// waits are the waits of a report, as text for messages that a reader can compare at a glance.
func waits(r *retry.Report) string { return fmt.Sprint(r.Waits) }
