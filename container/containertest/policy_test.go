package containertest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/container/containertest"
)

// tuned has two gateways of which one differs.
func tuned(c *container.Container) {
	c.Provide(func() *Stripe { return &Stripe{} }, container.As[Gateway](), container.Annotate[aliases.Retry](Gateway.Charge, annotation.Base(time.Second)))
	c.Provide(func() *Stripe { return &Stripe{} }, container.As[Gateway](), container.Name("eu"))
	c.Configure("Stripe#eu@Charge", annotation.MaxAttempts(2))
	c.Provide(func() *oneway { return &oneway{} }, container.As[charger]())
}

func TestPolicyTellsWhatHoldsForAMethod(t *testing.T) {
	c, _ := containertest.New(t, tuned)
	const policies = "policies: fallback, classifier, budget, maxAttempts, sleep\n"
	for name, test := range map[string]struct {
		method any
		opts   []containertest.PolicyOption
		want   string
	}{
		"of a mark":                {"Stripe#eu@Refund", nil, policies + "maxAttempts: 3"},
		"of a configuration":       {"Stripe#eu@Charge", nil, policies + "maxAttempts: 2"},
		"of two that are the same": {Gateway.Refund, nil, policies + "maxAttempts: 3"},
		"of two that differ": {Gateway.Charge, nil,
			"Stripe@Charge\n" + policies + "base: 1s\nStripe#eu@Charge\n" + policies + "maxAttempts: 2"},
		"with the origins": {"Stripe#eu@Charge", []containertest.PolicyOption{nil, containertest.WithOrigins()},
			policies + "maxAttempts: 2 (configuration HERE)"},
		"with the origin of a mark": {(*Stripe).Refund, []containertest.PolicyOption{containertest.WithOrigins()},
			policies + "maxAttempts: 3 (aliases.Retry, tag Stripe._)"},
		"of a method that is none": {"Stripe@Chagre", nil,
			"Stripe@Chagre: the container has no such method with a retry annotation; did you mean Stripe@Charge?"},
		"of what is no method": {7, nil, `7: backstay: a value of type int is no method; write the method expression, such as Gateway.Charge, or the method's name, such as "Charge"`},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, here(containertest.Policy(c, test.method, test.opts...)))
		})
	}
}

func TestAssertPolicyShowsWhatDiffers(t *testing.T) {
	c, _ := containertest.New(t, tuned)
	containertest.AssertPolicy(t, c, "Stripe#eu@Charge", `

		policies: fallback, classifier, budget, maxAttempts, sleep
			maxAttempts: 2

	`)
	s := &spy{}
	containertest.AssertPolicy(s, c, (*Stripe).Refund, `
		policies: fallback, classifier, maxAttempts, sleep
		maxAttempts: 3
		base: 1s
	`)
	containertest.AssertPolicy(s, c, "Stripe@Chagre", "maxAttempts: 3")
	containertest.AssertPolicy(s, c, charger.Charge, "maxAttempts: 3")
	require.Equal(t, []string{
		`containertest: the policy of Stripe@Refund is another (- wanted, + is)
- policies: fallback, classifier, maxAttempts, sleep
+ policies: fallback, classifier, budget, maxAttempts, sleep
  maxAttempts: 3
- base: 1s`,
		"containertest: AssertPolicy(Stripe@Chagre): the container has no such method with a retry annotation; did you mean Stripe@Charge?",
		"containertest: AssertPolicy(charger@Charge): the container has no such method with a retry annotation; it has Stripe@Charge, Stripe@Refund, Stripe#eu@Charge, Stripe#eu@Refund",
	}, s.failed)
}

func TestWhatIsDeclaredCanBeKept(t *testing.T) {
	c, _ := containertest.New(t, tuned)
	containertest.Golden(t, "testdata/policies.txt", containertest.Policy(c, Gateway.Charge)+"\n")
}
