package container_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
)

// journal is what happened, in order. It is safe for concurrent use.
type journal struct {
	mu    sync.Mutex
	lines []string
}

func (j *journal) add(line string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, line)
}

func (j *journal) all() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.lines)
}

// at is where a line stands in the journal; -1: nowhere.
func (j *journal) at(line string) int { return slices.Index(j.all(), line) }

// unit is a service with a life. K tells units apart.
type unit[K any] struct {
	*journal
	name        string
	start, stop func(ctx context.Context) error // nil: at once
}

func (u *unit[K]) Start(ctx context.Context) error { return u.do(ctx, "start "+u.name, u.start) }
func (u *unit[K]) Stop(ctx context.Context) error  { return u.do(ctx, "stop "+u.name, u.stop) }

func (u *unit[K]) do(ctx context.Context, what string, f func(context.Context) error) error {
	u.add(what)
	if f == nil {
		return nil
	}
	err := f(ctx)
	u.add(what + " is over")
	return err
}

// Kinds of units.
type (
	one   struct{}
	two   struct{}
	three struct{}
	four  struct{}
)

// quiet is a unit that does what it does at once.
func quiet[K any](j *journal, name string) *unit[K] { return &unit[K]{journal: j, name: name} }

// sleeps takes so long, or until its context is done.
func sleeps(d time.Duration) func(context.Context) error {
	return func(ctx context.Context) error {
		select {
		case <-time.After(d):
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// stubborn takes so long, whatever its context says.
func stubborn(d time.Duration) func(context.Context) error {
	return func(context.Context) error { time.Sleep(d); return nil }
}

var errBroken = errors.New("broken")

func fails(err error) func(context.Context) error {
	return func(context.Context) error { return err }
}

// texts are the messages of joined errors.
func texts(t *testing.T, err error) (all []string) {
	t.Helper()
	joined, ok := err.(interface{ Unwrap() []error })
	require.True(t, ok, "the errors are joined: %v", err)
	for _, err := range joined.Unwrap() {
		all = append(all, text(err))
	}
	return all
}

// chainOf provides three units, each of which needs the one before.
func chainOf(c *container.Container, first *unit[one], second *unit[two], third *unit[three], opts ...container.ProvideOption) {
	c.Provide(func(*unit[two]) *unit[three] { return third }, opts...)
	c.Provide(func(*unit[one]) *unit[two] { return second }, opts...)
	c.Provide(func() *unit[one] { return first }, opts...)
}
