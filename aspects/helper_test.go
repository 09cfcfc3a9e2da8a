package aspects_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// Load is a service that is a func: its method is called Call.
type Load func(ctx context.Context, id string) (string, error)

// Users is a service with methods of several shapes.
type Users interface {
	Get(ctx context.Context, id string) (string, error)
	Save(ctx context.Context, id string) error
	Count() int
	Touch()
}

// PgUsers calls what a test gives it.
type PgUsers struct {
	get   func(ctx context.Context, id string) (string, error)
	save  func(ctx context.Context, id string) error
	count func() int
}

func (u *PgUsers) Get(ctx context.Context, id string) (string, error) { return u.get(ctx, id) }
func (u *PgUsers) Save(ctx context.Context, id string) error          { return u.save(ctx, id) }
func (u *PgUsers) Count() int                                         { return u.count() }
func (u *PgUsers) Touch()                                             {}

var errDown = errors.New("down")

// around weaves target, all of whose methods a meets.
func around[I any](t testing.TB, a aspect.Aspect, target I, opts ...aspect.WrapOption) I {
	t.Helper()
	return wrapped(t, aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 1, a)), target, opts...)
}

func wrapped[I any](t testing.TB, w *aspect.Weaver, target I, opts ...aspect.WrapOption) I {
	t.Helper()
	woven, err := aspect.Wrap(w, target, opts...)
	require.NoError(t, err)
	return woven
}

// where is wrapped by a weaver whose one aspect meets the methods that are annotated with an A.
func where[A, I any](t testing.TB, a aspect.Aspect, target I, opts ...aspect.WrapOption) I {
	t.Helper()
	return wrapped(t, aspect.NewWeaver(aspect.WithAspect(aspect.Annotated[A](), 1, a)), target, opts...)
}

// unasked is an aspect that does what a does, and hides that there is somebody to ask about methods.
func unasked(a aspect.Aspect) aspect.Aspect { return aspect.Func(a.Process) }

// annotated sets the fields of an annotation of all methods.
func annotated[A any](set func(*A)) aspect.WrapOption {
	return aspect.Annotate[A]("*", annotation.Set(set))
}

// ended is how a call has ended that may have panicked.
type ended struct {
	result   string
	err      error
	panicked any
	returned bool
}

// endOf runs f in a goroutine of its own, so that it may also end it, and waits for it.
func endOf(f func() (string, error)) (e ended) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { e.panicked = recover() }()
		e.result, e.err = f()
		e.returned = true
	}()
	<-done
	return e
}
