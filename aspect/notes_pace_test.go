package aspect_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// bare is a retry annotation whose list a test writes.
type bare struct{ annotation.AbstractRetry }

// everySecond is a user's strategy.
type everySecond struct{}

func (everySecond) Wait(*retry.Session) time.Duration { return time.Second }

// patience is a user's policy that stops after a while.
type patience struct{}

func (patience) Kind() string               { return "patience" }
func (patience) Limit(*retry.Session) error { return nil }

func TestRetriesThatNothingPacesAreNoted(t *testing.T) {
	policies, custom := annotation.Policies, retry.PolicyFrom("patience", func() patience { return patience{} })
	unlimited, timeout := annotation.MaxAttempts(retry.Unlimited), annotation.Timeout(3*time.Second)
	for name, c := range map[string]struct {
		opts  []annotation.Option
		paced bool
	}{
		"the default list":                  {nil, true},
		"a timeout alone":                   {[]annotation.Option{policies(retry.Classifier), timeout}, false},
		"a timeout and attempts":            {[]annotation.Option{policies(retry.Classifier, retry.MaxAttempts), timeout}, true},
		"nothing, which is ten attempts":    {[]annotation.Option{policies(retry.Classifier)}, true},
		"unlimited attempts":                {[]annotation.Option{policies(retry.Classifier), unlimited}, false},
		"unlimited attempts and a budget":   {[]annotation.Option{policies(retry.Classifier, retry.Budget), unlimited}, true},
		"unlimited attempts and a wait":     {[]annotation.Option{policies(retry.Classifier, retry.Sleep), unlimited, annotation.Base(time.Second)}, true},
		"a strategy without a base":         {[]annotation.Option{policies(retry.Classifier, retry.Sleep), unlimited, annotation.SleepStrategy(retry.Backoff)}, false},
		"a strategy of the user's":          {[]annotation.Option{policies(retry.Classifier, retry.Sleep), unlimited, annotation.SleepStrategy(everySecond{})}, true},
		"a hint":                            {[]annotation.Option{policies(retry.Classifier), unlimited, annotation.WaitHint(func(string, error) time.Duration { return 1 })}, true},
		"a policy of the user's":            {[]annotation.Option{policies(retry.Classifier, custom), timeout}, true},
		"a breaker that opens when it ends": {[]annotation.Option{policies(retry.Classifier, retry.CircuitBreaker), unlimited}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := aspect.Service{
				Ref: retry.MethodRef{Class: "Stripe"}, Impl: reflect.TypeFor[*Stripe](), Interfaces: []reflect.Type{reflect.TypeFor[Gateway]()},
				Declarations: []annotation.Declaration{annotation.Declare[bare]("Charge", "shop/main.go:12", c.opts...)}, Place: "shop/main.go:10",
			}
			notes := planned(t, aspect.NewWeaver(), s, services{}).Notes()
			if c.paced {
				require.Empty(t, notes)
				return
			}
			require.Equal(t, []string{"Stripe@Charge: nothing paces its retries: attempts are not counted, and there is neither a budget nor a wait, so a callee that fails at once is called as fast as it can be; set maxAttempts, budget or base"}, notes)
		})
	}
}
