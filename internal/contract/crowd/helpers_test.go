package crowd_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// What a thousand goroutines do to one service, one breaker and one budget is counted, and the counts are exact.

const crowd = 1000

var errBoom = errors.New("boom")

// together runs f in n goroutines that begin at once, and waits for them.
func together(n int, f func(i int)) {
	var ready, done sync.WaitGroup
	gate := make(chan struct{})
	ready.Add(n)
	for i := range n {
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

// barrier holds everybody who comes until n have come.
type barrier struct {
	left atomic.Int64
	open chan struct{}
}

func newBarrier(n int) *barrier {
	b := &barrier{open: make(chan struct{})}
	b.left.Store(int64(n))
	return b
}

func (b *barrier) wait() {
	if b.left.Add(-1) == 0 {
		close(b.open)
	}
	<-b.open
}

// Peer is what the services of these tests are provided as.
type Peer interface {
	Call(ctx context.Context, n int) (int, error)
	Other(ctx context.Context, n int) (int, error)
}

// Remote does what a test says, and counts.
type Remote struct {
	do    func(ctx context.Context, attempt, n int) (int, error)
	calls atomic.Int64
}

func (r *Remote) Call(ctx context.Context, n int) (int, error) {
	r.calls.Add(1)
	a, _ := retry.FromContext(ctx)
	return r.do(ctx, a.Number, n)
}

func (r *Remote) Other(ctx context.Context, n int) (int, error) { return r.Call(ctx, n) }

// Spare is a second service of the kind.
type Spare struct{ Remote }

func boom(context.Context, int, int) (int, error) { return 0, errBoom }

func fine(_ context.Context, _, n int) (int, error) { return n, nil }

// tally counts events by type, changes of breakers by the state that they lead to, and limits by name. It is safe for
// concurrent use.
type tally struct {
	mu     sync.Mutex
	counts map[string]int
}

func (l *tally) On(_ context.Context, e retry.Event) {
	what := fmt.Sprintf("%T", e)[len("retry."):]
	switch e := e.(type) {
	case retry.BreakerChanged:
		what = "to " + string(e.To)
	case retry.Exhausted:
		what = "exhausted by " + e.Limit
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.counts == nil {
		l.counts = map[string]int{}
	}
	l.counts[what]++
}

// take returns the counts since the last time.
func (l *tally) take() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	counts := l.counts
	l.counts = nil
	return counts
}

// peer is the one service of a container that is wired with options.
func peer(t *testing.T, r *Remote, l retry.Listener, opts ...container.ProvideOption) (Peer, *container.Container) {
	t.Helper()
	c := container.New(container.WithListener(l))
	c.Provide(func() *Remote { return r }, append(opts, container.As[Peer]())...)
	p, err := container.Get[Peer](c)
	require.NoError(t, err)
	return p, c
}

const (
	reset = 10 * time.Second
	hour  = time.Hour
)
