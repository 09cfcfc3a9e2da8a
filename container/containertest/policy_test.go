package containertest_test

import (
	"context"
	"net/http"
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

// Patient is as the documentation of Policy says.
type Patient struct {
	_ annotation.On[aliases.BackoffRetryThrowable] `method:"Charge" maxAttempts:"4"`
}

func (*Patient) Charge(context.Context) error { return nil }
func (*Patient) Refund(context.Context) error { return nil }

func TestPolicyListsWhatAnAliasSays(t *testing.T) {
	c := container.New()
	c.Provide(func() *Patient { return &Patient{} }, container.As[Gateway]())
	containertest.AssertPolicy(t, c, Gateway.Charge, `
		policies: fallback, classifier, budget, maxAttempts, sleep
		maxAttempts: 4
		base: 100ms
		sleepStrategy: backoff
		retryErrors: any
	`)
}

// A test may say that a method is not retried: one that charges twice is worse than one that fails.
func TestAssertPolicyOfAMethodThatIsNotRetried(t *testing.T) {
	c := container.New()
	c.Provide(func() *Patient { return &Patient{} }, container.As[Gateway](), container.Name("eu"))
	c.Provide(func() *fake { return &fake{} })
	c.Supply(http.HandlerFunc(serve))
	c.Supply(Plan{"a"})
	for _, method := range []any{
		Gateway.Refund, (*Patient).Refund, (*fake).Charge, "Patient@Refund", "Patient#eu@Refund", "Gateway@Refund", "fake@Charge", "HandlerFunc@Call", "Plan@String",
	} {
		containertest.AssertPolicy(t, c, method, "")
		containertest.AssertPolicy(t, c, method, "\n\t\n")
	}

	s := &spy{}
	containertest.AssertPolicy(s, c, "Patient@Charge", "")
	containertest.AssertPolicy(s, c, "Patient@Refnd", "")
	containertest.AssertPolicy(s, c, "Patient#us@Refund", "")
	containertest.AssertPolicy(s, c, "Refund", "")
	containertest.AssertPolicy(s, c, (*oneway).Charge, "")
	containertest.AssertPolicy(s, c, 7, "")
	containertest.AssertPolicy(s, c, "Patient@Refund", "maxAttempts: 3")
	require.Equal(t, []string{
		`containertest: Patient@Charge is retried, and was wanted not to be (+ is)
+ policies: fallback, classifier, budget, maxAttempts, sleep
+ maxAttempts: 4
+ base: 100ms
+ sleepStrategy: backoff
+ retryErrors: any`,
		"containertest: AssertPolicy(Patient@Refnd): the container has no such method; did you mean Patient@Refund?",
		"containertest: AssertPolicy(Patient#us@Refund): the container has no such method; did you mean Patient#eu@Refund?",
		"containertest: AssertPolicy(Refund): the container has no such method",
		"containertest: AssertPolicy(oneway@Charge): the container has no such method",
		`containertest: AssertPolicy(7): backstay: a value of type int is no method; write the method expression, such as Gateway.Charge, or the method's name, such as "Charge"`,
		"containertest: AssertPolicy(Patient@Refund): the container has no such method with a retry annotation; it has Patient#eu@Charge",
	}, s.failed)
}

// Plan is a service that is no pointer.
type Plan struct{ name string }

func (p Plan) String() string { return p.name }

func serve(http.ResponseWriter, *http.Request) {}
