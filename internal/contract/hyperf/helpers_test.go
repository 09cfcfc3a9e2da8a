package hyperf_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
)

// The ancestor's own tests of annotations, aspects and its container, by their names. Where our outcome is another, a
// comment says what the ancestor's is and why. What is about the loop alone is tested with it.

// The ancestor's exceptions; the derived match what they derive from.
var (
	errException = errors.New("exception")
	errRuntime   = fmt.Errorf("runtime %w", errException)
	errInvalid   = fmt.Errorf("invalid argument %w", errException)
	errOK        = &thrown{"ok", errRuntime}
)

// thrown is an exception of a class, with a message.
type thrown struct {
	message string
	class   error
}

func (e *thrown) Error() string { return e.message }
func (e *thrown) Unwrap() error { return e.class }

// Work is what the services of these tests are provided as.
type Work interface {
	Process(ctx context.Context, s string) (any, error)
}

// played is a call of Process that plays its errors and results one after the other; the last one stays.
type played struct {
	plays []any
	calls int
	then  func(call int) // what happens during a call
}

func (p *played) process() (any, error) {
	play := p.plays[min(p.calls, len(p.plays)-1)]
	p.calls++
	if p.then != nil {
		p.then(p.calls)
	}
	if err, ok := play.(error); ok {
		return nil, err
	}
	return play, nil
}

// Worker is a Work that declares nothing.
type Worker struct{ played }

func (w *Worker) Process(context.Context, string) (any, error) { return w.process() }

// Foo is the ancestor's stub.
type Foo struct{}

func (*Foo) Fallback() (any, error) { return 10, nil }

func (*Foo) FallbackWithThrowable(_ context.Context, s string, cause error) (any, error) {
	return fmt.Sprintf("%s:%v", s, cause), nil
}

func staticCall() (any, error) { return 10, nil }

// built is the T of a container that must be right.
func built[T any](t *testing.T, c *container.Container) T {
	t.Helper()
	v, err := container.Get[T](c)
	require.NoError(t, err)
	return v
}

// woven is a worker that is provided with the options, beside a Foo.
func woven(t *testing.T, worker *Worker, opts ...container.ProvideOption) (Work, *container.Container) {
	t.Helper()
	c := container.New()
	c.Provide(func() *Worker { return worker }, append(opts, container.As[Work]())...)
	c.Provide(func() *Foo { return &Foo{} })
	return built[Work](t, c), c
}
