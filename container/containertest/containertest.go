// Package containertest helps tests of wiring and of what is declared.
//
// # Test the wiring
//
// The functions that wire a program are tested as they are, without running a constructor:
//
//	func TestWiring(t *testing.T) {
//		c := container.New()
//		shop.Wire(c)
//		containertest.Verify(t, c)
//	}
//
// # Test what is declared
//
// [New] wires a container with something overridden, and records what its sessions do. In a synctest bubble the waits
// take no time:
//
//	func TestChargeSurvivesThreeFailures(t *testing.T) {
//		synctest.Test(t, func(t *testing.T) {
//			c, rec := containertest.New(t, shop.Wire, func(c *container.Container) {
//				c.Override(func() PaymentGateway { return &fakeGateway{fail: 3} })
//			})
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
	"strings"
	"testing"

	"github.com/backstay/backstay/container"
)

// New returns a container with the wiring, verified, and a recorder that listens to it. Definition errors fail t at once,
// with one line for each.
func New(t testing.TB, wire ...func(*container.Container)) (*container.Container, *Recorder) {
	t.Helper()
	rec := &Recorder{t: t}
	c := container.New(container.WithListener(rec))
	for _, w := range wire {
		w(c)
	}
	Verify(t, c)
	rec.registry = c.Registry()
	return c, rec
}

// Verify fails t at once if the container has definition errors, with one line for each. It freezes the container's plan.
func Verify(t testing.TB, c *container.Container) {
	t.Helper()
	err := c.Verify()
	if err == nil {
		return
	}
	lines := []string{"the container has definition errors:"}
	for _, err := range err.(interface{ Unwrap() []error }).Unwrap() {
		lines = append(lines, err.Error())
	}
	t.Fatal(strings.Join(lines, "\n\t"))
}
