package annotation_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// anyDeclaration draws a declaration of one of several types, near or far, by tag or in code, with settings or without.
var anyDeclaration = rapid.Custom(func(t *rapid.T) annotation.Declaration {
	methods := rapid.SampledFrom([]string{"Charge", "Refund", "Charge,Refund", "Re*", "Ref*", "*", "*,!Charge", "Ready"}).Draw(t, "methods")
	inCode := rapid.Bool().Draw(t, "in code")
	attributes := rapid.SliceOfNDistinct(rapid.SampledFrom([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}), 0, 3, rapid.ID).Draw(t, "attributes")
	n := rapid.IntRange(1, 3).Draw(t, "value")
	text, opts := fmt.Sprintf("method:%q", methods), []annotation.Option(nil)
	for _, a := range attributes {
		x := []struct {
			tag    string
			option annotation.Option
		}{
			{fmt.Sprintf(`maxAttempts:"%d"`, n), annotation.MaxAttempts(n)},
			{fmt.Sprintf(`base:"%dms"`, n), annotation.Base(time.Duration(n) * time.Millisecond)},
			{fmt.Sprintf(`timeout:"%ds"`, n), annotation.Timeout(time.Duration(n) * time.Second)},
			{fmt.Sprintf(`fallback:"Offline%d@Charge"`, n), annotation.Fallback(fmt.Sprintf("Offline%d@Charge", n))},
			{fmt.Sprintf(`retryIfError:"transient%d"`, n), annotation.RetryIfError(fmt.Sprintf("transient%d", n))},
			{fmt.Sprintf(`ignoreErrors:"declined%d"`, n), annotation.IgnoreErrors(retry.Is(errDown))},
			{fmt.Sprintf(`onlyIf:"open%d"`, n), annotation.OnlyIf(fmt.Sprintf("open%d", n))},
			{`retryIfResult:"falsy"`, annotation.RetryIfResult(retry.Falsy)},
			{`policies:"maxAttempts,sleep"`, annotation.AddPolicies(retry.MaxAttempts, quota)},
		}[a]
		text, opts = text+" "+x.tag, append(opts, x.option)
	}
	return rapid.SampledFrom([]func() annotation.Declaration{
		func() annotation.Declaration { return either[aliases.Retry](inCode, methods, text, opts) },
		func() annotation.Declaration { return either[aliases.RetryFalsy](inCode, methods, text, opts) },
		func() annotation.Declaration {
			return either[aliases.BackoffRetryThrowable](inCode, methods, text, opts)
		},
		func() annotation.Declaration { return either[aliases.CircuitBreaker](inCode, methods, text, opts) },
		func() annotation.Declaration { return either[patient](inCode, methods, text, opts) },
		func() annotation.Declaration { return either[third](inCode, methods, text, opts) },
	}).Draw(t, "annotation")()
})

func either[A any](inCode bool, methods, text string, opts []annotation.Option) annotation.Declaration {
	if inCode {
		return at[A](methods, opts...)
	}
	return tag[A](text)
}

// What holds for a method, and what is wrong, does not depend on the order in which things were declared.
func TestOrderOfDeclarationsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		declarations := rapid.SliceOfN(anyDeclaration, 1, 5).Draw(t, "declarations")
		shuffled := rapid.Permutation(declarations).Draw(t, "shuffled")
		require.Equal(t, outcome(declarations), outcome(shuffled))
	})
}

// A conflict is told once, by those who are in it, whatever else holds for one of the methods where it is met.
func TestAConflictIsToldOnceWhereverItIsMet(t *testing.T) {
	bystander := annotation.Declare[aliases.Retry]("Charge", "shop/main.go:1")
	one := annotation.Declare[aliases.Retry]("Charge,Refund", "shop/main.go:2", annotation.Timeout(time.Second))
	other := annotation.Declare[aliases.Retry]("Charge,Refund", "shop/main.go:3", annotation.Timeout(2*time.Second))
	for _, declarations := range [][]annotation.Declaration{{bystander, one, other}, {one, bystander, other}, {other, one, bystander}} {
		require.Equal(t, []string{
			"backstay: plain@Charge: aliases.Retry: timeout is 1s (aliases.Retry, registration shop/main.go:2) and 2s (aliases.Retry, " +
				"registration shop/main.go:3), of equal rank; keep one of the two (shop/main.go:2)",
		}, problems(asGateway[plain](), declarations))
	}
}

// outcome is everything that Resolve decides, in a form that compares: definitions, or problems.
func outcome(declarations []annotation.Declaration) []string {
	defs, errs := annotation.Resolve(asGateway[plain](), declarations, []annotation.Option{annotation.MaxDelay(time.Second)}, "shop/main.go:5")
	var all []string
	for _, err := range errs {
		all = append(all, err.Error())
	}
	slices.Sort(all)
	if len(errs) > 0 {
		return slices.Compact(all)
	}
	for _, d := range defs {
		entries := inShort(d.Entries)
		slices.Sort(entries)
		strategy := strategyName(d)
		d.Settings.SleepStrategy = nil
		all = append(all, fmt.Sprintf("%v: %v %v %+v %v %v %v %v %v %v %v", d.Ref, entries, strategy, d.Settings, d.Fallback,
			sorted(d.RetryIfError), sorted(d.RetryIfResult), sorted(d.OnlyIf), sorted(d.IgnoreErrorRefs), d.Origins, d.BudgetWritten))
	}
	return all
}

// sorted is references of which no order is promised.
func sorted(refs []annotation.Reference) []string {
	t := texts(refs)
	slices.Sort(t)
	return t
}
