// Package containertest helps tests of wiring and of what is declared.
//
// # Test the wiring
//
// The functions that wire a program are tested as they are, without running a constructor:
//
//	func TestWiring(t *testing.T) {
//		c := container.New()
//		shop.Wire(c)
//		containertest.RequireVerify(t, c)
//	}
//
// [Golden] keeps a picture of the wiring beside the code, and fails when it has changed.
//
// # Test what is declared
//
// [AssertPolicy] tells what comes of the annotations of a method, and shows what has changed.
//
// [New] wires a container with something overridden, and records what its sessions do. In a synctest bubble the waits
// take no time:
//
//	func TestChargeSurvivesThreeFailures(t *testing.T) {
//		synctest.Test(t, func(t *testing.T) {
//			c, rec := containertest.New(t, shop.Wire, containertest.Override[PaymentGateway](&fakeGateway{fail: 3}))
//			gateway, err := container.Get[PaymentGateway](c)
//			require.NoError(t, err)
//			_, err = gateway.Charge(t.Context(), order)
//			require.NoError(t, err)
//			require.Equal(t, 4, rec.Attempts("StripeGateway@Charge"))
//		})
//	}
//
// The fake stands under the weave: the marks, the class and the references of the service that it replaces stay, so the
// test proves what is declared for that one.
package containertest

import (
	"context"
	"testing"

	"github.com/backstay/backstay/container"
)

// New returns a container with the wiring, verified, and a recorder that listens to it. What follows the first func is the
// test's own, such as what [Override] returns. Definition errors fail t at once, as [RequireVerify] does. When t ends the
// container is stopped, which closes what it has built; an error of that fails t.
//
// In a synctest bubble t has to be the bubble's, so that the container stops inside it.
func New(t testing.TB, wire ...func(*container.Container)) (*container.Container, *Recorder) {
	t.Helper()
	rec := &Recorder{t: t}
	c := container.New(container.WithListener(rec))
	for _, w := range wire {
		w(c)
	}
	RequireVerify(t, c)
	rec.registry = c.Registry()
	t.Cleanup(func() {
		t.Helper()
		if err := c.Stop(context.Background()); err != nil { // the test's own context is done by then
			t.Errorf("containertest: stop the container: %v", err)
		}
	})
	return c, rec
}

// RequireVerify fails t at once if the container has definition errors, and shows them as a tree: of each service, with the
// file and line where it was registered, what is wrong and what to write instead. It freezes the container's plan.
func RequireVerify(t testing.TB, c *container.Container) {
	t.Helper()
	if err := c.Verify(); err != nil {
		t.Fatalf("%+v", err)
	}
}

// Verify is [RequireVerify] by a shorter name.
func Verify(t testing.TB, c *container.Container) {
	t.Helper()
	RequireVerify(t, c)
}
