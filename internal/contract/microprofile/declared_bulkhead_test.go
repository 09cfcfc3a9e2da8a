package microprofile_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

var errDeclaredFull = errors.New("the bulkhead is full")

// declaredBulkhead is a user's own policy: a gate that admits eight calls at a time. Backstay has none of its own, and
// whose state it is does not depend on the policy.
type declaredBulkhead struct{ inside atomic.Int32 }

func newDeclaredBulkhead() retry.Policy { return new(declaredBulkhead) }

var declaredBulkheads = retry.PolicyFrom("bulkhead", newDeclaredBulkhead)

// Kind names the policy.
func (*declaredBulkhead) Kind() string { return "bulkhead" }

// Enter takes a slot.
func (b *declaredBulkhead) Enter(context.Context) (uint64, error) {
	if b.inside.Add(1) > 8 {
		b.inside.Add(-1)
		return 0, errDeclaredFull
	}
	return 0, nil
}

// Leave frees the slot.
func (b *declaredBulkhead) Leave(uint64, *retry.Session) { b.inside.Add(-1) }

// declaredEight is a retry annotation with the bulkhead, and without a retry.
type declaredEight struct{ annotation.AbstractRetry }

// Defaults are those of the annotation.
func (declaredEight) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Policies(retry.Classifier, declaredBulkheads)}
}

// The structs of the bulkhead rows. Their methods wait for the context's end.
type (
	declaredEightClass struct {
		_ annotation.On[declaredEight] `method:"*"`
		declaredWaiting
	}
	declaredEightMethod struct {
		_ annotation.On[declaredEight] `method:"Serve"`
		declaredWaiting
	}
	declaredEightClassKept struct{ declaredEightClass }
	declaredEightClassTwin struct{ declaredEightClass }
	declaredWaiting        struct{}
)

func (*declaredWaiting) Serve(ctx context.Context) error { return declaredWait(ctx) }
func (*declaredWaiting) Other(ctx context.Context) error { return declaredWait(ctx) }

func declaredWait(ctx context.Context) error {
	<-ctx.Done()
	return nil
}

// Twenty calls at once go to the instances in turn, those of each side to its own method. How many of them run?
func TestDeclaredBulkheadsBelongToRegistrationAndMethod(t *testing.T) {
	serve, other := declaredServer.Serve, declaredServer.Other
	method := annotation.Declare[declaredEight](declaredServer.Serve, annotation.Caller(0))
	class := annotation.Declare[declaredEight]("*", annotation.Caller(0))
	for _, c := range []struct {
		name    string
		targets func(t *testing.T) (one, two declaredServer)
		second  func(declaredServer, context.Context) error
		runs    int
	}{
		{"mp:S21 two instances of one class, guarded by the method", func(t *testing.T) (declaredServer, declaredServer) {
			all := declaredOf[declaredEightMethod]()(t)
			return all[0], all[1]
		}, serve, 8},
		{"mp:S21 the same at the registration", func(t *testing.T) (declaredServer, declaredServer) {
			all := declaredOf[declaredWaiting](method)(t)
			return all[0], all[1]
		}, serve, 8},
		{"mp:S22 two instances of one class, guarded by the class", func(t *testing.T) (declaredServer, declaredServer) {
			all := declaredOf[declaredEightClassKept]()(t)
			return all[0], all[1]
		}, serve, 8},
		{"mp:S22 the same at the registration", func(t *testing.T) (declaredServer, declaredServer) {
			all := declaredOf[declaredWaiting](class)(t)
			return all[0], all[1]
		}, serve, 8},
		{"mp:S23 two classes that embed one struct with the mark", func(t *testing.T) (declaredServer, declaredServer) {
			w := aspect.NewWeaver()
			return declaredWeave[declaredEightClassKept](t, declaredPlan[declaredEightClassKept](t, w), 1)[0],
				declaredWeave[declaredEightClassTwin](t, declaredPlan[declaredEightClassTwin](t, w), 1)[0]
		}, serve, 16},
		{"mp:S24 two methods of one class", func(t *testing.T) (declaredServer, declaredServer) {
			all := declaredOf[declaredEightClass]()(t)
			return all[0], all[0]
		}, other, 16},
		{"mp:S25 two classes that have nothing to do with each other", func(t *testing.T) (declaredServer, declaredServer) {
			w := aspect.NewWeaver()
			return declaredWeave[declaredEightMethod](t, declaredPlan[declaredEightMethod](t, w), 1)[0],
				declaredWeave[declaredWaiting](t, declaredPlan[declaredWaiting](t, w, class), 1)[0]
		}, serve, 16},
		// MicroProfile knows no two registrations of one class: its S26 are two injected instances of one bean, as in S21.
		{"mp:S26 two registrations of one class", func(t *testing.T) (declaredServer, declaredServer) {
			c := container.New()
			for _, name := range []string{"one", "two"} {
				c.Provide(func() *declaredEightMethod { return new(declaredEightMethod) }, container.As[declaredServer](), container.Name(name))
			}
			return declaredGet[declaredServer](t, c, container.Name("one")), declaredGet[declaredServer](t, c, container.Name("two"))
		}, serve, 16},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				one, two := c.targets(t)
				ctx, release := context.WithCancel(t.Context())
				defer release()
				var done, rejected atomic.Int32
				call := func(s declaredServer, method func(declaredServer, context.Context) error) {
					if errors.Is(method(s, ctx), errDeclaredFull) {
						rejected.Add(1)
					}
					done.Add(1)
				}
				for range 10 {
					go call(one, serve)
					go call(two, c.second)
				}
				synctest.Wait()
				require.EqualValues(t, 20-c.runs, rejected.Load())
				require.EqualValues(t, 20-c.runs, done.Load(), "the others are inside")
				release()
				synctest.Wait()
				require.EqualValues(t, 20, done.Load())
			})
		})
	}
}
