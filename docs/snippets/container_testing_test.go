package snippets_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/container/containertest"
	"github.com/backstay/backstay/retry"
)

func TestWiring(t *testing.T) {
	c := container.New()
	Wire(c)
	containertest.RequireVerify(t, c)

	containertest.AssertPolicy(t, c, "StripeGateway@Charge", `
		policies: fallback, classifier, budget, maxAttempts, sleep
		maxAttempts: 3
	`)
	containertest.AssertPolicy(t, c, "Checkout@Pay", "") // not retried
	containertest.Golden(t, "testdata/container_wiring.dot", c.Explain().DOT())
}

// pauses is a deployment in which retries wait: by the default strategy, flat, as long each time.
func pauses(c *container.Container) {
	c.Configure("StripeGateway@Charge", annotation.Base(time.Minute))
}

func TestAChargeSurvivesTwoFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the waits take no time
		c, rec := containertest.New(t, Wire, pauses, containertest.Override[Gateway](&fakeGateway{fail: 2}))
		shop, err := container.Get[*Checkout](c)
		require.NoError(t, err)

		require.NoError(t, shop.Pay(t.Context(), 1999))

		require.Equal(t, 3, rec.Attempts("StripeGateway@Charge"))
		require.Equal(t, []time.Duration{time.Minute, time.Minute}, rec.Waits("StripeGateway@Charge"))
		require.Equal(t, retry.EndSucceeded, rec.Sessions("StripeGateway@Charge")[0].End)
	})
}
