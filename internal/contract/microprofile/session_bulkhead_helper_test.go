package microprofile_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

var sErrFull = errors.New("bulkhead is full")

// sBulkhead is MicroProfile's Bulkhead, as a user makes it: an annotation and an aspect that stands inside the retry, so
// that each attempt asks anew.
type sBulkhead struct{ Slots, Queue int }

// Validate says what deployment refuses.
func (b sBulkhead) Validate() error {
	if b.Slots < 1 || b.Queue < 0 {
		return fmt.Errorf("%d slots and a queue of %d; there must be a slot, and no less than none in the queue", b.Slots, b.Queue)
	}
	return nil
}

// sBulkheads is the aspect: it has one room for each method.
type sBulkheads struct {
	mu    sync.Mutex
	rooms map[retry.MethodRef]*sRoom
}

// Process lets the call in, or fails it.
func (b *sBulkheads) Process(jp aspect.JoinPoint) error {
	room := b.room(jp)
	if err := room.enter(jp.Context()); err != nil {
		return err
	}
	defer room.leave()
	return jp.Proceed()
}

func (b *sBulkheads) room(jp aspect.JoinPoint) *sRoom {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.rooms == nil {
		b.rooms = map[retry.MethodRef]*sRoom{}
	}
	room := b.rooms[jp.Ref()]
	if room == nil {
		size, _ := aspect.AnnotationOf[sBulkhead](jp)
		room = &sRoom{size: size}
		b.rooms[jp.Ref()] = room
	}
	return room
}

// sBulkheadAspect provides the aspect.
func sBulkheadAspect(c *container.Container) {
	c.Provide(func() *sBulkheads { return &sBulkheads{} }, container.AsAspect(aspect.Annotated[sBulkhead](), aspect.RetryPriority-1))
}

// sRoom has slots, and a queue that is served in order.
type sRoom struct {
	size    sBulkhead
	mu      sync.Mutex
	running int
	queue   []chan struct{} // one for each that waits, closed when it has the slot
}

func (r *sRoom) enter(ctx context.Context) error {
	r.mu.Lock()
	if r.running < r.size.Slots {
		r.running++
		r.mu.Unlock()
		return nil
	}
	if len(r.queue) >= r.size.Queue {
		r.mu.Unlock()
		return sErrFull
	}
	turn := make(chan struct{})
	r.queue = append(r.queue, turn)
	r.mu.Unlock()

	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.Index(r.queue, turn); i >= 0 {
		r.queue = slices.Delete(r.queue, i, i+1)
	} else {
		r.pass() // the slot came too late
	}
	return ctx.Err()
}

func (r *sRoom) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pass()
}

// pass gives a slot to the first that waits. The lock is held.
func (r *sRoom) pass() {
	if len(r.queue) == 0 {
		r.running--
		return
	}
	close(r.queue[0])
	r.queue = r.queue[1:]
}

// sCallerKey finds the name of a caller in its context.
type sCallerKey struct{}

// sCrowd is a service behind a bulkhead, many callers, and bodies that end when they are told.
type sCrowd struct {
	t       *testing.T
	service sService
	ctx     context.Context

	mu      sync.Mutex
	entered []string              // whose bodies have started, in order
	ends    map[string]chan error // of the body of a caller that runs
}

// sNewCrowd weaves a service with the bulkhead and the options. Its bodies heed their context unless they are deaf to it.
func sNewCrowd(t *testing.T, size sBulkhead, deaf bool, opts ...container.ProvideOption) *sCrowd {
	t.Helper()
	crowd := &sCrowd{t: t, ctx: t.Context(), ends: map[string]chan error{}}
	peer := &sPeer{do: func(ctx context.Context, _ int) (string, error) {
		caller, _ := ctx.Value(sCallerKey{}).(string)
		end := make(chan error, 1)
		crowd.mu.Lock()
		crowd.entered, crowd.ends[caller] = append(crowd.entered, caller), end
		crowd.mu.Unlock()
		done := ctx.Done()
		if deaf {
			done = nil
		}
		select {
		case err := <-end:
			return caller, err
		case <-done:
			return "", ctx.Err()
		}
	}}
	c := container.New()
	sBulkheadAspect(c)
	crowd.service = sBuildIn(t, c, peer, append(opts, sSized(size))...)
	return crowd
}

// call begins the call of a caller.
func (c *sCrowd) call(caller string) <-chan sOutcome { return c.callUnder(c.ctx, caller) }

func (c *sCrowd) callUnder(ctx context.Context, caller string) <-chan sOutcome {
	return sGo(context.WithValue(ctx, sCallerKey{}, caller), c.service.ServiceA)
}

// end ends the body of a caller.
func (c *sCrowd) end(caller string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ends[caller] <- err
}

// bodies are the callers whose bodies have started, in order, once for each execution.
func (c *sCrowd) bodies() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.entered)
}
