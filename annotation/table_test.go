package annotation_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

func TestDefaultsAreThoseOfTheTable(t *testing.T) {
	d := registered(t, at[aliases.Retry]("Charge"))["Charge"]
	require.True(t, d.Retry)

	require.Equal(t, "flat", strategyName(d))
	d.Settings.SleepStrategy = nil

	require.Equal(t, retry.Settings{
		Ref:         retry.MethodRef{Class: "plain", Method: "Charge"},
		Policies:    []retry.PolicyFactory{retry.Fallback, retry.Classifier, retry.Budget, retry.MaxAttempts, retry.Sleep},
		MaxAttempts: 10,
		MaxDelay:    60 * time.Second,
		RetryErrors: []retry.Matcher{retry.AnyError},
		Budget:      retry.BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1, Percent: 0.2, Deposit: retry.DepositCall},
		Breaker:     retry.BreakerSettings{ResetTimeout: 10 * time.Second},
	}, d.Settings)
	require.Nil(t, d.Fallback)
	require.Nil(t, d.WaitHint)
	require.Nil(t, d.BeforeRetry)
	require.Nil(t, d.Discard)
	require.Nil(t, d.SleepStrategyRef)
	require.Empty(t, d.RetryIfError)
	require.Empty(t, d.RetryIfResult)
	require.Empty(t, d.OnlyIf)
	require.False(t, d.BudgetWritten)
	require.False(t, d.BreakerWritten)
	require.Empty(t, d.Origins)
	require.Equal(t, "table", d.Origins["maxAttempts"].String())
}

// Each attribute is written in both forms, and means the same.
func TestEachAttributeIsSetByTagAndByOption(t *testing.T) {
	type definition = annotation.MethodDefinition
	breaker := retry.BreakerSettings{ResetTimeout: 10 * time.Second}
	for _, x := range []struct {
		key    string
		tag    string
		option annotation.Option
		get    func(d definition) any
		want   any
		brings retry.PolicyFactory
	}{
		{"maxAttempts", `maxAttempts:"3"`, annotation.MaxAttempts(3), func(d definition) any { return d.Settings.MaxAttempts }, 3, retry.MaxAttempts},
		{"maxAttempts", `maxAttempts:"unlimited"`, annotation.MaxAttempts(retry.Unlimited), func(d definition) any { return d.Settings.MaxAttempts }, retry.Unlimited, retry.MaxAttempts},
		{"base", `base:"100ms"`, annotation.Base(100 * time.Millisecond), func(d definition) any { return d.Settings.Base }, 100 * time.Millisecond, retry.Sleep},
		{"base", `base:"0"`, annotation.Base(0), func(d definition) any { return d.Settings.Base }, time.Duration(0), retry.Sleep},
		{"sleepStrategy", `sleepStrategy:"backoff"`, annotation.SleepStrategy(retry.Backoff), strategyName, "backoff", retry.Sleep},
		{"sleepStrategy", `sleepStrategy:"decorrelatedJitter"`, annotation.SleepStrategy(retry.DecorrelatedJitter), strategyName, "decorrelatedJitter", retry.Sleep},
		{"sleepStrategy", `sleepStrategy:"flat"`, annotation.SleepStrategy("flat"), strategyName, "flat", retry.Sleep},
		{"sleepStrategy", `sleepStrategy:"FairSleep#eu"`, annotation.SleepStrategy("FairSleep#eu"), func(d definition) any { return *d.SleepStrategyRef }, annotation.Reference{Attribute: "sleepStrategy", Name: "FairSleep#eu"}, retry.Sleep},
		{"maxDelay", `maxDelay:"2s"`, annotation.MaxDelay(2 * time.Second), func(d definition) any { return d.Settings.MaxDelay }, 2 * time.Second, retry.Sleep},
		{"budget.ttl", `budget:"ttl=5s,minPerSec=2,percent=0.3,deposit=success"`,
			annotation.Budget(retry.BudgetSettings{TTL: 5 * time.Second, MinPerSec: 2, Percent: 0.3, Deposit: retry.DepositSuccess}), func(d definition) any { return d.Settings.Budget },
			retry.BudgetSettings{TTL: 5 * time.Second, MinPerSec: 2, Percent: 0.3, Deposit: retry.DepositSuccess}, retry.Budget},
		{"budgetName", `budgetName:"db"`, annotation.BudgetName("db"), func(d definition) any { return d.Settings.BudgetName }, "db", retry.Budget},
		{"retryErrors", `retryErrors:"none"`, annotation.RetryErrors(retry.NoError), func(d definition) any { return d.Settings.RetryErrors }, []retry.Matcher{retry.NoError}, retry.Classifier},
		{"ignoreErrors", `ignoreErrors:"none"`, annotation.IgnoreErrors(retry.NoError), func(d definition) any { return d.Settings.IgnoreErrors }, []retry.Matcher{retry.NoError}, retry.Classifier},
		{"retryIfError", `retryIfError:"transient"`, annotation.RetryIfError("transient"), func(d definition) any { return d.RetryIfError }, []annotation.Reference{{Attribute: "retryIfError", Name: "transient"}}, retry.Classifier},
		{"retryIfResult", `retryIfResult:"Judge@Empty"`, annotation.RetryIfResult("Judge@Empty"), func(d definition) any { return d.RetryIfResult }, []annotation.Reference{{Attribute: "retryIfResult", Class: "Judge", Method: "Empty"}}, retry.Classifier},
		{"retryIfResult", `retryIfResult:"falsy"`, annotation.RetryIfResult(retry.Falsy), func(d definition) any { return d.RetryIfResult[0].String() }, "retry.Falsy", retry.Classifier},
		{"onlyIf", `onlyIf:"isOpen"`, annotation.OnlyIf("isOpen"), func(d definition) any { return d.OnlyIf }, []annotation.Reference{{Attribute: "onlyIf", Name: "isOpen"}}, retry.PolicyFactory{}},
		{"fallback", `fallback:"Offline#eu@Charge"`, annotation.Fallback("Offline#eu@Charge"), func(d definition) any { return *d.Fallback }, annotation.Reference{Attribute: "fallback", Class: "Offline", Service: "eu", Method: "Charge"}, retry.Fallback},
		{"timeout", `timeout:"3s"`, annotation.Timeout(3 * time.Second), func(d definition) any { return d.Settings.Timeout }, 3 * time.Second, retry.Timeout},
		{"attemptTimeout", `attemptTimeout:"1s"`, annotation.AttemptTimeout(time.Second), func(d definition) any { return d.Settings.AttemptTimeout }, time.Second, retry.AttemptTimeout},
		{"breaker.window", `breaker:"window=50,failureRatio=0.5,minCalls=20,probes=2,resetTimeout=3s"`,
			annotation.Breaker(retry.BreakerSettings{ResetTimeout: 3 * time.Second, Window: 50, MinCalls: 20, FailureRatio: 0.5, Probes: 2}), func(d definition) any { return d.Settings.Breaker },
			retry.BreakerSettings{ResetTimeout: 3 * time.Second, Window: 50, MinCalls: 20, FailureRatio: 0.5, Probes: 2}, retry.CircuitBreaker},
		{"breaker.window", `breaker:"window=10s,slowCall=2s,slowRatio=0.4,consecutive=5"`,
			annotation.Breaker(retry.BreakerSettings{ResetTimeout: 10 * time.Second, WindowTime: 10 * time.Second, SlowCall: 2 * time.Second, SlowRatio: 0.4, Consecutive: 5}), func(d definition) any { return d.Settings.Breaker },
			retry.BreakerSettings{ResetTimeout: 10 * time.Second, WindowTime: 10 * time.Second, SlowCall: 2 * time.Second, SlowRatio: 0.4, Consecutive: 5}, retry.CircuitBreaker},
		{"breakerName", `breakerName:"db"`, annotation.BreakerName("db"), func(d definition) any { return []any{d.Settings.BreakerName, d.Settings.Breaker} }, []any{"db", breaker}, retry.CircuitBreaker},
		{"waitHint", `waitHint:"hint"`, annotation.WaitHint("hint"), func(d definition) any { return *d.WaitHint }, annotation.Reference{Attribute: "waitHint", Name: "hint"}, retry.Sleep},
		{"beforeRetry", `beforeRetry:"rewind"`, annotation.BeforeRetry("rewind"), func(d definition) any { return *d.BeforeRetry }, annotation.Reference{Attribute: "beforeRetry", Name: "rewind"}, retry.PolicyFactory{}},
		{"discard", `discard:"closeBody"`, annotation.Discard("closeBody"), func(d definition) any { return *d.Discard }, annotation.Reference{Attribute: "discard", Name: "closeBody"}, retry.PolicyFactory{}},
		{"retryPanics", `retryPanics:"true"`, annotation.RetryPanics(true), func(d definition) any { return d.Settings.RetryPanics }, true, retry.PolicyFactory{}},
		{"retryPanics", `retryPanics:"false"`, annotation.RetryPanics(false), func(d definition) any { return d.Settings.RetryPanics }, false, retry.PolicyFactory{}},
		{"retryNested", `retryNested:"true"`, annotation.RetryNested(true), func(d definition) any { return d.Settings.RetryNested }, true, retry.PolicyFactory{}},
		{"wrapExhausted", `wrapExhausted:"true"`, annotation.WrapExhausted(true), func(d definition) any { return d.Settings.WrapExhausted }, true, retry.PolicyFactory{}},
	} {
		t.Run(x.tag, func(t *testing.T) {
			for _, d := range []annotation.Declaration{
				tag[noPolicies](`method:"Charge" ` + x.tag),
				at[noPolicies]("Charge", x.option),
			} {
				got := registered(t, d)["Charge"]
				require.Equal(t, x.want, withoutWriter(x.get(got)))
				layer := annotation.LayerRegistration
				if d.FromTag() {
					layer = annotation.LayerTag
				}
				require.Equal(t, annotation.Origin{Layer: layer, Annotation: "annotation_test.noPolicies", Place: d.Place()}, got.Origins[x.key])
				want := []retry.PolicyFactory{quota}
				if x.brings != (retry.PolicyFactory{}) {
					want = []retry.PolicyFactory{x.brings, quota}
				}
				require.Equal(t, want, got.Settings.Policies, "the policy that the attribute brings in")
			}
		})
	}
}

// noPolicies has a list without a built-in policy, so that one sees what is brought in.
type noPolicies struct{ annotation.AbstractRetry }

func (noPolicies) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Policies(quota)}
}

func strategyName(d annotation.MethodDefinition) any {
	return d.Settings.SleepStrategy.(interface{ String() string }).String()
}

// withoutWriter leaves out of references for whom and where they were written.
func withoutWriter(v any) any {
	switch v := v.(type) {
	case annotation.Reference:
		v.Annotation, v.Place = "", ""
		return v
	case []annotation.Reference:
		for i := range v {
			v[i].Annotation, v[i].Place = "", ""
		}
	}
	return v
}

func TestReferencesKnowForWhomTheyWereWritten(t *testing.T) {
	d := registered(t, at[aliases.Retry]("Charge", annotation.Fallback("Offline@Charge")))["Charge"]
	require.Equal(t, &annotation.Reference{
		Attribute: "fallback", Class: "Offline", Method: "Charge", Annotation: "aliases.Retry", Place: "shop/main.go:12",
	}, d.Fallback)
}

func TestTagPoliciesAreBuiltInKinds(t *testing.T) {
	d := registered(t, tag[aliases.Retry](`method:"Charge" policies:"maxAttempts, classifier"`))["Charge"]
	require.Equal(t, []retry.PolicyFactory{retry.Classifier, retry.MaxAttempts}, d.Settings.Policies)
	require.Equal(t, "aliases.Retry, tag struct._", d.Origins["policies"].String())
}

func TestTagMatchersByNameAreReferences(t *testing.T) {
	d := registered(t, tag[aliases.Retry](`method:"Charge" retryErrors:"transient, busy,transient" ignoreErrors:"declined"`))["Charge"]
	require.Empty(t, d.Settings.RetryErrors)
	require.Equal(t, []annotation.Reference{
		{Attribute: "retryErrors", Name: "transient", Annotation: "aliases.Retry", Place: "struct._"},
		{Attribute: "retryErrors", Name: "busy", Annotation: "aliases.Retry", Place: "struct._"},
	}, d.RetryErrorRefs)
	require.Equal(t, []annotation.Reference{
		{Attribute: "ignoreErrors", Name: "declined", Annotation: "aliases.Retry", Place: "struct._"},
	}, d.IgnoreErrorRefs)
}

func TestTagSetsSingleSettingsOfAGroupAndCodeAllOfThem(t *testing.T) {
	byTag := registered(t, tag[aliases.Retry](`method:"Charge" budget:"percent=0.5"`))["Charge"]
	require.Equal(t, retry.BudgetSettings{TTL: 10 * time.Second, MinPerSec: 1, Percent: 0.5, Deposit: retry.DepositCall}, byTag.Settings.Budget)
	require.True(t, byTag.BudgetWritten)
	require.False(t, byTag.BreakerWritten)

	inCode := registered(t, at[aliases.Retry]("Charge", annotation.Budget(retry.BudgetSettings{TTL: time.Second, Percent: 0.5})))["Charge"]
	require.Equal(t, retry.BudgetSettings{TTL: time.Second, Percent: 0.5}, inCode.Settings.Budget, "a zero is a zero")
	require.True(t, inCode.BudgetWritten)
}

func TestRegistrationReplacesSingleSettingsOfATagsGroup(t *testing.T) {
	d := registered(t,
		tag[aliases.CircuitBreaker](`method:"Charge" breaker:"window=50,failureRatio=0.5"`),
		at[aliases.CircuitBreaker]("Charge", annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Minute})))["Charge"]
	require.Equal(t, retry.BreakerSettings{ResetTimeout: time.Minute}, d.Settings.Breaker)
	require.True(t, d.BreakerWritten)
}

func TestSharedNamesDoNotWriteSettings(t *testing.T) {
	d := registered(t, at[aliases.CircuitBreaker]("Charge", annotation.BreakerName("db"), annotation.BudgetName("db")))["Charge"]
	require.False(t, d.BreakerWritten)
	require.False(t, d.BudgetWritten)
}

func TestLaterOptionReplacesAnEarlierOneOfItsList(t *testing.T) {
	d := registered(t, at[aliases.Retry]("Charge", annotation.MaxAttempts(3), annotation.MaxAttempts(4)))["Charge"]
	require.Equal(t, 4, d.Settings.MaxAttempts)
}

func TestConditionsOfOneListUnite(t *testing.T) {
	d := registered(t, at[aliases.Retry]("Charge",
		annotation.RetryErrors(retry.Is(errDown)), annotation.RetryErrors(retry.Is(errBusy), retry.Is(errDown)),
		annotation.RetryIfError(isBusy), annotation.RetryIfError("transient"), annotation.RetryIfError(isBusy),
		annotation.OnlyIf("a"), annotation.OnlyIf("b")))["Charge"]
	require.Equal(t, []retry.Matcher{retry.Is(errDown), retry.Is(errBusy)}, d.Settings.RetryErrors)
	require.Len(t, d.RetryIfError, 2)
	require.Len(t, d.OnlyIf, 2)
}

func TestOptionPrintsAsItIsWritten(t *testing.T) {
	for _, x := range []struct {
		option annotation.Option
		want   string
	}{
		{annotation.MaxAttempts(3), "MaxAttempts(3)"},
		{annotation.MaxAttempts(retry.Unlimited), "MaxAttempts(unlimited)"},
		{annotation.Base(100 * time.Millisecond), "Base(100ms)"},
		{annotation.SleepStrategy(retry.Backoff), "SleepStrategy(backoff)"},
		{annotation.SleepStrategy(&ownStrategy{}), "SleepStrategy(*annotation_test.ownStrategy)"},
		{annotation.SleepStrategy("FairSleep"), "SleepStrategy(FairSleep)"},
		{annotation.Policies(retry.Classifier, quota), "Policies(classifier, quota)"},
		{annotation.AddPolicies(quota), "AddPolicies(quota)"},
		{annotation.BudgetName("db"), `BudgetName("db")`},
		{annotation.Budget(retry.BudgetSettings{TTL: time.Second, Deposit: "call"}), `Budget(TTL: 1s, MinPerSec: 0, Percent: 0, Deposit: "call")`},
		{annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Second, Window: 5, FailureRatio: .5}), "Breaker(ResetTimeout: 1s, Window: 5, MinCalls: 0, FailureRatio: 0.5, Consecutive: 0, SlowCall: 0s, SlowRatio: 0, Probes: 0)"},
		{annotation.Breaker(retry.BreakerSettings{WindowTime: time.Second, Window: 5}), "Breaker(ResetTimeout: 0s, Window: 5 and 1s, MinCalls: 0, FailureRatio: 0, Consecutive: 0, SlowCall: 0s, SlowRatio: 0, Probes: 0)"},
		{annotation.Fallback(3), "Fallback(int)"},
		{annotation.RetryErrors(retry.AnyError, retry.Is(errDown)), "RetryErrors(any, is(down))"},
		{annotation.IgnoreErrors(), "IgnoreErrors()"},
		{annotation.Fallback("Offline@Charge"), `Fallback("Offline@Charge")`},
		{annotation.Fallback((*offline).Charge), "Fallback((*annotation_test.offline).Charge)"},
		{annotation.Fallback(gateway.Charge), "Fallback(annotation_test.gateway.Charge)"},
		{annotation.RetryIfError(isBusy), "RetryIfError(annotation_test.isBusy)"},
		{annotation.RetryPanics(true), "RetryPanics(true)"},
		{annotation.Set(func(*tenantRetry) {}), "Set[annotation_test.tenantRetry](...)"},
		{annotation.Option{}, "Option{}"},
	} {
		require.Equal(t, x.want, x.option.String())
	}
}
