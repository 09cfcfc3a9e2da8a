package annotation_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/annotation/testdata/malformed"
	"github.com/backstay/backstay/retry"
)

// said is what a declaration of a plain gateway's is told, without the place and the annotation: "problem; remedy".
func said(declarations ...annotation.Declaration) []string {
	_, errs := annotation.Resolve(asGateway[plain](), declarations, nil, "")
	told := []string{}
	for _, err := range errs {
		d := err.(*annotation.DefinitionError)
		told = append(told, d.Problem+"; "+d.Remedy)
	}
	return told
}

func TestMistakesAtRegistrations(t *testing.T) {
	const expression = `write the method expression, such as Gateway.Charge, or the method's name, such as "Charge"`
	for _, x := range []struct {
		name string
		d    annotation.Declaration
		want string
	}{
		// options
		{"no attempts", at[aliases.Retry]("Charge", annotation.MaxAttempts(0)), `MaxAttempts(0): attempts are counted from 1, the first call included; write 1 or more, or retry.Unlimited ("unlimited" in a tag)`},
		{"fewer than unlimited", at[aliases.Retry]("Charge", annotation.MaxAttempts(-2)), `MaxAttempts(-2): attempts are counted from 1, the first call included; write 1 or more, or retry.Unlimited ("unlimited" in a tag)`},
		{"100 ns", at[aliases.Retry]("Charge", annotation.Base(100)), "Base(100ns): 100 is 100ns; write 100*time.Millisecond"},
		{"999 ns", at[aliases.Retry]("Charge", annotation.MaxDelay(999)), "MaxDelay(999ns): 999 is 999ns; write 999*time.Millisecond"},
		{"negative", at[aliases.Retry]("Charge", annotation.Timeout(-time.Second)), "Timeout(-1s): it is below zero; write 0 or more"},
		{"no time", at[aliases.Retry]("Charge", annotation.AttemptTimeout(0)), "AttemptTimeout(0s): there is no time at all; write how long it may take, or leave it out"},
		{"less than no time", at[aliases.Retry]("Charge", annotation.AttemptTimeout(-time.Second)), "AttemptTimeout(-1s): it is below zero; write how long it may take, or leave it out"},
		{"short slow call", at[aliases.Retry]("Charge", annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Second, Window: 5, SlowCall: 5, SlowRatio: .5})), "Breaker(SlowCall: 5ns): 5 is 5ns; write 5*time.Millisecond"},
		{"short window", at[aliases.Retry]("Charge", annotation.Breaker(retry.BreakerSettings{ResetTimeout: time.Second, WindowTime: 5, SlowCall: 5 * time.Second, SlowRatio: .5})), "Breaker(WindowTime: 5ns): 5 is 5ns; write 5*time.Millisecond"},
		{"short budget", at[aliases.Retry]("Charge", annotation.Budget(retry.BudgetSettings{TTL: 10})), "Budget(TTL: 10ns): 10 is 10ns; write 10*time.Millisecond"},
		{"strategy of a wrong type", at[aliases.Retry]("Charge", annotation.SleepStrategy(3)), "SleepStrategy(int): int is no sleep strategy; write retry.Flat, retry.Backoff, retry.DecorrelatedJitter, a retry.SleepStrategy of your own, or the name or class of a service that is one"},
		{"strategy that cannot be a name", at[aliases.Retry]("Charge", annotation.SleepStrategy("no name")), `SleepStrategy("no name"): "no name" is no sleep strategy; write flat, backoff, decorrelatedJitter, or the name or class of a service that is a strategy`},
		{"no strategy", at[aliases.Retry]("Charge", annotation.SleepStrategy(nil)), "SleepStrategy(<nil>): <nil> is no sleep strategy; write retry.Flat, retry.Backoff, retry.DecorrelatedJitter, a retry.SleepStrategy of your own, or the name or class of a service that is one"},
		{"no matcher", at[aliases.Retry]("Charge", annotation.RetryErrors()), "RetryErrors(): it lists no matcher; write retry.NoError for none, or retry.AnyError for any"},
		{"a nil matcher", at[aliases.Retry]("Charge", annotation.IgnoreErrors(retry.AnyError, nil)), "IgnoreErrors(...): matcher 2 is nil; write retry.Is, retry.As, retry.MatchFunc or a matcher of your own"},
		{"a matcher of no error", at[aliases.Retry]("Charge", annotation.RetryErrors(retry.Is(nil))), "RetryErrors(...): retry.Is(nil) matches no error; write a matcher that can match, such as retry.Is(io.EOF)"},
		{"a matcher without a func", at[aliases.Retry]("Charge", annotation.IgnoreErrors(retry.Is(errDown), retry.MatchFunc("busy", nil))), `IgnoreErrors(...): the func of matcher "busy" is nil; write a matcher that can match, such as retry.Is(io.EOF)`},
		{"a matcher of a type without a func", at[aliases.Retry]("Charge", annotation.RetryErrors(retry.AsWhere[*annotation.DefinitionError](nil))), `RetryErrors(...): the func of matcher "as(*retry.DefinitionError) where" is nil; write a matcher that can match, such as retry.Is(io.EOF)`},
		{"a matcher that checks itself", at[aliases.Retry]("Charge", annotation.RetryErrors(codes{})), "RetryErrors(...): it lists no code; write a matcher that can match, such as retry.Is(io.EOF)"},
		{"none beside a matcher", at[aliases.Retry]("Charge", annotation.RetryErrors(retry.NoError, retry.Is(errDown))), "RetryErrors(none, is(down)): none stands beside what is retried; write none alone, or leave it out"},
		{"every error ignored", at[aliases.Retry]("Charge", annotation.IgnoreErrors(retry.AnyError)), "IgnoreErrors(any): any ignores every error, so none is retried; write the errors to ignore, or maxAttempts 1 for no retry at all"},
		{"no name of a breaker", at[aliases.Retry]("Charge", annotation.BreakerName("")), `BreakerName(""): without a name nothing is shared; write a name, or leave it out`},
		{"no name of a budget", at[aliases.Retry]("Charge", annotation.BudgetName("")), `BudgetName(""): without a name nothing is shared; write a name, or leave it out`},
		{"a built-in strategy in another case", at[aliases.Retry]("Charge", annotation.SleepStrategy("BackOff")), `SleepStrategy("BackOff"): "BackOff" is none of the built-in strategies, did you mean backoff?; write backoff, or give what you have supplied another name`},
		{"no function", at[aliases.Retry]("Charge", annotation.Fallback(nil)), `Fallback(<nil>): <nil> is no function; write a func, a method expression, "Class@Method", or a name`},
		{"a nil func", at[aliases.Retry]("Charge", annotation.OnlyIf((func() bool)(nil))), `OnlyIf(func() bool): func() bool is no function; write a func, a method expression, "Class@Method", or a name`},
		{"a number for a function", at[aliases.Retry]("Charge", annotation.Discard(3)), `Discard(int): int is no function; write a func, a method expression, "Class@Method", or a name`},
		{"a malformed reference", at[aliases.Retry]("Charge", annotation.RetryIfResult("Judge@")), `RetryIfResult("Judge@"): "" is no method; write Class@Method, Class#name@Method, or a name that a function is supplied under`},
		{"no policy", at[aliases.Retry]("Charge", annotation.Policies()), "Policies(): it lists no policy; write at least one, such as retry.MaxAttempts"},
		{"a zero policy", at[aliases.Retry]("Charge", annotation.AddPolicies(retry.PolicyFactory{})), "a policy factory is the zero value; write one of retry.MaxAttempts, retry.Sleep ..., or what retry.PolicyFrom has returned"},
		{"a zero option", at[aliases.Retry]("Charge", annotation.Option{}), "an option is the zero value; write one that a func of package annotation makes, such as annotation.MaxAttempts(3)"},

		// own fields
		{"no func", at[tenantRetry]("Charge", annotation.Set[tenantRetry](nil)), "Set[annotation_test.tenantRetry](nil): the func is nil; write a func that sets fields"},
		{"another annotation's", at[aliases.Retry]("Charge", annotation.Set(func(*tenantRetry) {})), "annotation.Set[annotation_test.tenantRetry] sets no field of it; write annotation.Set[aliases.Retry]"},
		{"a func that panics", at[tenantRetry]("Charge", annotation.Set(func(*tenantRetry) { panic("no") })), "annotation.Set[annotation_test.tenantRetry] panics: no; let the func set fields and do nothing else"},
		{"a mark for an annotation", at[annotation.On[aliases.Retry]]("Charge", annotation.MaxAttempts(3)), "it marks a field, and is no annotation; write Annotate[aliases.Retry] at a registration, or annotation.On[aliases.Retry] in a struct"},
		{"an attribute of another kind", at[audited]("Charge", annotation.MaxAttempts(3)), "this is no retry annotation, and has no attributes; embed annotation.AbstractRetry, or write annotation.Set alone"},
		{"policies of another kind", at[audited]("Charge", annotation.Policies(retry.Sleep)), "this is no retry annotation, and has no attributes; embed annotation.AbstractRetry, or write annotation.Set alone"},

		// methods
		{"a method value", at[aliases.Retry](plain{}.Charge), "annotation_test.methods.Charge is a method value, bound to its receiver; " + expression},
		{"a method value of an interface", at[aliases.Retry](gateway(plain{}).Charge), "annotation_test.gateway.Charge is a method value, bound to its receiver; " + expression},
		{"a func", at[aliases.Retry](rewind), "annotation_test.rewind is a func, and no method; " + expression},
		{"a func of a method's name", at[aliases.Retry](Charge), "annotation_test.Charge is a func, and no method; " + expression},
		{"a generic func", at[aliases.Retry](genericCharge[gateway]), "annotation_test.genericCharge[...] is a func, and no method; " + expression},
		{"nil", at[aliases.Retry](nil), "nil is no method; " + expression},
		{"a nil func for a method", at[aliases.Retry]((func(gateway))(nil)), "a nil func(annotation_test.gateway) is no method; " + expression},
		{"a number", at[aliases.Retry](3), "a value of type int is no method; " + expression},
		{"a method of another interface", at[aliases.Retry](error.Error), "error.Error is a method of another type than plain; write a method expression of annotation_test.gateway, or the method's name"},
		{"a method of another type", at[aliases.Retry]((*offline).Charge), "(*annotation_test.offline).Charge is a method of another type than plain; write a method expression of annotation_test.gateway, or the method's name"},
		{"a method of an interface that it is not provided as", at[aliases.Retry](closer.Close), "Close is not in an interface that plain is provided as; provide it as annotation_test.closer, by container.As"},
		{"a method of its type that no interface has", at[aliases.Retry](plain.Close), "Close is not in an interface that plain is provided as; provide it as one that has the method, by container.As"},
		{"a name that no interface has", at[aliases.Retry]("Close"), "Close is not in an interface that plain is provided as; provide it as one that has the method, by container.As"},
		{"a near miss", at[aliases.Retry]("Chrage"), "there is no method Chrage; write Charge"},
		{"a near miss of another case", at[aliases.Retry]("charge"), "there is no method charge; write Charge"},
		{"a far miss", at[aliases.Retry]("Cancel"), "there is no method Cancel; write one of Charge, Ping, Ready, Refund"},
		{"a near miss among those taken out", at[aliases.Retry]("*,!Reedy"), "there is no method Reedy; write Ready"},
		{"a glob that meets nothing", at[aliases.Retry]("Get*,Set*"), "Get*,Set* meets no method; write one of Charge, Ping, Ready, Refund"},
		{"a list that takes all out", at[aliases.Retry]("Re*,!Re*"), "Re*,!Re* meets no method; write one of Charge, Ping, Ready, Refund"},
	} {
		t.Run(x.name, func(t *testing.T) {
			require.Equal(t, []string{x.want}, said(x.d))
		})
	}
}

// codes is a user's matcher that checks itself.
type codes []int

func (codes) Match(error) bool { return false }
func (codes) String() string   { return "codes" }
func (c codes) Check() []string {
	if len(c) == 0 {
		return []string{"it lists no code; list one"}
	}
	return nil
}

// audited is an annotation of another kind.
type audited struct{ Topic string }

type closer interface{ Close() error }

// Charge is no method.
func Charge(gateway, context.Context, int) (string, error) { return "", nil }

func genericCharge[G gateway](G, context.Context, int) (string, error) { return "", nil }

func TestMistakesAcrossDeclarations(t *testing.T) {
	for name, x := range map[string]struct {
		declarations []annotation.Declaration
		want         []string
	}{
		"two settings of equal rank": {
			[]annotation.Declaration{tag[aliases.Retry](`method:"Charge" maxAttempts:"3"`), tag[aliases.CircuitBreaker](`method:"Charge,Refund" maxAttempts:"5"`)},
			[]string{`maxAttempts is 5 (aliases.CircuitBreaker, tag struct._ method:"Charge,Refund") and 3 (aliases.Retry, tag struct._ method:"Charge"), of equal rank; keep one of the two`},
		},
		"two Defaults of equal rank": {
			[]annotation.Declaration{at[fast]("Charge"), at[slow]("Charge")},
			[]string{"base is 1ms (defaults of annotation_test.fast) and 1s (defaults of annotation_test.slow), of equal rank; keep one of the two"},
		},
		"once for all methods": {
			[]annotation.Declaration{at[fast]("*"), at[slow]("*")},
			[]string{"base is 1ms (defaults of annotation_test.fast) and 1s (defaults of annotation_test.slow), of equal rank; keep one of the two"},
		},
		"two references of equal rank": {
			[]annotation.Declaration{at[aliases.Retry]("Charge", annotation.Fallback("A@B")), at[bare]("Charge", annotation.Fallback("A@C"))},
			[]string{`fallback is "A@B" (aliases.Retry, registration shop/main.go:12) and "A@C" (annotation_test.bare, registration shop/main.go:12), of equal rank; keep one of the two`},
		},
		"settings of one group": {
			[]annotation.Declaration{tag[aliases.Retry](`method:"Charge" budget:"percent=0.1"`), tag[bare](`method:"Charge" budget:"percent=0.5,ttl=2s"`)},
			[]string{`budget.percent is 0.1 (aliases.Retry, tag struct._ method:"Charge") and 0.5 (annotation_test.bare, tag struct._ method:"Charge"), of equal rank; keep one of the two`},
		},
		"two own fields of equal rank": {
			[]annotation.Declaration{tag[tenantRetry](`method:"Charge" tenant:"acme"`), tag[tenantRetry](`method:"Charge" tenant:"globex"`)},
			[]string{`tenant is acme (annotation_test.tenantRetry, tag struct._ method:"Charge") and globex (annotation_test.tenantRetry, tag struct._ method:"Charge"), of equal rank; keep one of the two`},
		},
		"a ratio without a window": {
			[]annotation.Declaration{tag[aliases.CircuitBreaker](`method:"Charge" breaker:"failureRatio=0.5"`)},
			[]string{"breaker failureRatio 0.5 has no window; write window too, such as 50 or 10s"},
		},
		"a budget out of range": {
			[]annotation.Declaration{tag[aliases.Retry](`method:"Charge" budget:"percent=20"`)},
			[]string{"budget percent 20 is out of range; write retries per session, 0 to 10: 0.2 for 20 %"},
		},
		"a timeout without a time": {
			[]annotation.Declaration{at[aliases.Retry]("Charge", annotation.AddPolicies(retry.Timeout, retry.AttemptTimeout))},
			[]string{
				"timeout is in the list of policies, and nobody says how long it is; write annotation.Timeout, or leave the policy out",
				"attemptTimeout is in the list of policies, and nobody says how long it is; write annotation.AttemptTimeout, or leave the policy out",
			},
		},
		"a breaker that nobody is told of": {
			[]annotation.Declaration{at[aliases.CircuitBreaker]("Ready", annotation.RetryIfResult(retry.Falsy))},
			[]string{"circuitBreaker may reject a call, and Ready returns no error to say so; let its last result be an error, or write annotation.Fallback, or leave the policy out"},
		},
		"a gate that nobody is told of": {
			[]annotation.Declaration{at[aliases.RetryFalsy]("Ready", annotation.AddPolicies(gatekeep))},
			[]string{"gate may reject a call, and Ready returns no error to say so; let its last result be an error, or write annotation.Fallback, or leave the policy out"},
		},
		"no time that nobody is told of": {
			[]annotation.Declaration{at[aliases.RetryFalsy]("Ready", annotation.Timeout(0))},
			[]string{"timeout may reject a call, and Ready returns no error to say so; let its last result be an error, or write annotation.Fallback, or leave the policy out"},
		},
		"a gate with a fallback": {
			[]annotation.Declaration{at[aliases.RetryFalsy]("Ready", annotation.AddPolicies(gatekeep), annotation.Fallback("notReady"))},
			[]string{},
		},
		"time that may be over": {
			[]annotation.Declaration{at[aliases.RetryFalsy]("Ready", annotation.Timeout(time.Second))},
			[]string{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, declarations := range permutations(x.declarations) {
				require.Equal(t, x.want, said(declarations...))
			}
		})
	}
}

func TestMistakesInContainerDefaults(t *testing.T) {
	got := problems(asGateway[plain](), []annotation.Declaration{at[aliases.Retry]("*")},
		annotation.Base(100), annotation.Set(func(*tenantRetry) {}), annotation.Option{})
	require.Equal(t, []string{
		"backstay: Base(100ns): 100 is 100ns; write 100*time.Millisecond (shop/main.go:5)",
		"backstay: an option is the zero value; write one that a func of package annotation makes, such as annotation.MaxAttempts(3) (shop/main.go:5)",
		"backstay: annotation.Set is no default of all services; set own fields in the Defaults of their annotation (shop/main.go:5)",
	}, got)
	require.Empty(t, problems(asGateway[plain](), nil, annotation.Base(100)), "nothing is declared")

	defaults := []annotation.Option{annotation.MaxAttempts(0), annotation.Set(func(*tenantRetry) {})}
	_, errs := annotation.Resolve(asGateway[plain](), []annotation.Declaration{at[aliases.Retry]("Charge")}, defaults, "shop/main.go:5")
	require.Len(t, errs, 2)
	require.Equal(t, errs, annotation.CheckDefaults(defaults, "shop/main.go:5"))
	require.Empty(t, annotation.CheckDefaults([]annotation.Option{annotation.MaxAttempts(1)}, "shop/main.go:5"))
}

// One whole line of each kind of place.
func TestMistakesNameServiceAnnotationAndPlace(t *testing.T) {
	require.Equal(t, []string{
		"backstay: Spaced: aliases.Retry: the tag `method: \"Charge\"` is malformed: there is a space after method:; " +
			`write key:"value" pairs with a space between them, such as method:"Charge" maxAttempts:"3" (Spaced._)`,
	}, problems(service[malformed.Spaced](reflect.TypeFor[gateway]()), annotation.Marks(reflect.TypeFor[*malformed.Spaced]())))

	named := asGateway[plain]()
	named.Ref.Name = "eu"
	require.Equal(t, []string{
		"backstay: plain#eu@Charge: aliases.Retry: Base(100ns): 100 is 100ns; write 100*time.Millisecond (shop/main.go:12)",
		"backstay: plain#eu: aliases.CircuitBreaker: MaxDelay(5ns): 5 is 5ns; write 5*time.Millisecond (shop/main.go:12)",
	}, problems(named, []annotation.Declaration{
		at[aliases.Retry]("Charge", annotation.Base(100)), at[aliases.CircuitBreaker]("Re*", annotation.MaxDelay(5)),
	}))

	var d *annotation.DefinitionError
	_, errs := annotation.Resolve(named, []annotation.Declaration{tag[aliases.Retry](`method:"Ping"`)}, nil, "")
	require.ErrorAs(t, errs[0], &d)
	require.Equal(t, annotation.DefinitionError{
		Ref:        retry.MethodRef{Class: "plain", Name: "eu", Method: "Ping"},
		Annotation: "aliases.Retry", Place: "struct._",
		Problem: "Ping returns no error, so it can never be retried",
		Remedy:  "let its last result be an error, or say by annotation.RetryIfResult which results are retried",
	}, *d)
}

func TestMistakeInAPolicyIsPlacedWhereItWasMade(t *testing.T) {
	got := problems(asGateway[plain](), []annotation.Declaration{at[aliases.Retry]("Charge,Refund", annotation.Policies(noPhase))})
	require.Len(t, got, 1)
	require.Regexp(t, `^backstay: plain: aliases.Retry: policy "nothing": .*retry.Limiter.* \(mistakes_kind_test.go:\d+\)$`, got[0])
}

func TestServiceWithoutAnInterfaceCannotBeWoven(t *testing.T) {
	require.Equal(t, []string{
		"backstay: plain: aliases.Retry: plain is provided as no interface, so its calls cannot be woven; provide it as an interface, by container.As (shop/main.go:12)",
		"backstay: plain: aliases.CircuitBreaker: plain is provided as no interface, so its calls cannot be woven; provide it as an interface, by container.As (struct._)",
	}, problems(service[plain](), []annotation.Declaration{at[aliases.Retry]("Charge"), tag[aliases.CircuitBreaker](`method:"*"`)}))
}

func TestEveryProblemIsReportedAtOnce(t *testing.T) {
	got := said(
		tag[aliases.Retry](`method:"Chrage,Clsoe,Ping" base:"100" maxAttempts:"0" colour:"red"`),
		at[twoKinds]("Nothing", annotation.Base(5)),
	)
	require.Equal(t, []string{
		`tag base:"100": 100 has no unit; write base:"100ms"`,
		`tag maxAttempts:"0": attempts are counted from 1, the first call included; write 1 or more, or retry.Unlimited ("unlimited" in a tag)`,
		`tag colour:"red": there is no attribute or field colour; write an attribute or an own field in lower camel case`,
		"there is no method Chrage; write Charge",
		"there is no method Clsoe; write Close, and provide the service as an interface that has it",
		"it embeds 2 retry annotations, such as aliases.Retry and aliases.CircuitBreaker; embed one of them, and attach the other beside it",
		"Base(5ns): 5 is 5ns; write 5*time.Millisecond",
		"there is no method Nothing; write one of Charge, Ping, Ready, Refund",
		"Ping returns no error, so it can never be retried; let its last result be an error, or say by annotation.RetryIfResult which results are retried",
	}, got)
}

func TestMistakesAreOneLine(t *testing.T) {
	for _, text := range []string{"a\nb", "\x00", "`", `"`} {
		for _, p := range problems(asGateway[plain](), []annotation.Declaration{
			tag[aliases.Retry]("method:" + fmt.Sprintf("%q", text) + " fallback:" + fmt.Sprintf("%q", text)),
			at[aliases.Retry](text, annotation.Fallback(text)),
		}) {
			require.NotContains(t, p, "\n")
		}
	}
}

func TestExtremeValuesDoNotPanic(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, math.SmallestNonzeroFloat64} {
		for _, d := range []time.Duration{math.MaxInt64, math.MinInt64, 0, 1} {
			opts := []annotation.Option{
				annotation.Budget(retry.BudgetSettings{TTL: d, MinPerSec: x, Percent: x, Deposit: "never"}),
				annotation.Breaker(retry.BreakerSettings{ResetTimeout: d, WindowTime: d, SlowCall: d, FailureRatio: x, SlowRatio: x, Window: math.MaxInt, MinCalls: math.MinInt, Probes: math.MaxInt, Consecutive: math.MinInt}),
				annotation.Base(d), annotation.MaxDelay(d), annotation.Timeout(d), annotation.AttemptTimeout(d), annotation.MaxAttempts(math.MinInt),
			}
			require.NotEmpty(t, said(at[aliases.Retry]("Charge", opts...), at[bare]("Charge", opts...)))
		}
	}
}
