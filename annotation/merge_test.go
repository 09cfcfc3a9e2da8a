package annotation_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// fast and slow are annotations of two types that say the same attribute in their Defaults.
type (
	fast struct{ annotation.AbstractRetry }
	slow struct{ annotation.AbstractRetry }
)

func (fast) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Base(time.Millisecond)}
}

func (slow) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Base(time.Second)}
}

// Which of several settings of one attribute holds. The order of the declarations never decides.
func TestRankDecidesAmongSettings(t *testing.T) {
	base := annotation.Base
	for _, x := range []struct {
		name         string
		declarations []annotation.Declaration
		want         time.Duration
	}{
		{"a name beats a glob", []annotation.Declaration{at[fast]("Charge"), at[slow]("Charg*", base(3*time.Second))}, time.Millisecond},
		{"a longer glob beats a shorter one", []annotation.Declaration{at[fast]("Ch*"), at[slow]("*", base(3*time.Second))}, time.Millisecond},
		{"the item that meets the method counts", []annotation.Declaration{at[fast]("Ch*"), at[slow]("*,Refu*", base(3*time.Second))}, time.Millisecond},
		{"a name in a list is a name", []annotation.Declaration{at[fast]("Charg*"), at[slow]("*,Charge")}, time.Second},
		{"a method expression is a name", []annotation.Declaration{at[fast](gateway.Charge), at[slow]("Charg*", base(3*time.Second))}, time.Millisecond},
		{"** is *", []annotation.Declaration{at[fast]("C*"), at[slow]("**", base(3*time.Second))}, time.Millisecond},
		{"by hand beats Defaults", []annotation.Declaration{at[fast]("Charge"), at[aliases.Retry]("Charge", base(2*time.Second))}, 2 * time.Second},
		{"a tag by hand beats Defaults at a registration", []annotation.Declaration{at[fast]("Charge"), tag[aliases.Retry](`method:"Charge" base:"2s"`)}, 2 * time.Second},
		{"registration beats tag", []annotation.Declaration{at[aliases.Retry]("Charge", base(2*time.Second)), tag[slow](`method:"Charge" base:"3s"`)}, 2 * time.Second},
		{"Defaults at a registration beat those of a tag", []annotation.Declaration{tag[fast](`method:"Charge"`), at[slow]("Charge")}, time.Second},
		{"registration beats tag of the same annotation", []annotation.Declaration{at[fast]("Charge", base(2*time.Second)), tag[fast](`method:"Charge" base:"3s"`)}, 2 * time.Second},
		{"a nearer tag beats a farther registration", []annotation.Declaration{at[aliases.Retry]("*", base(2*time.Second)), tag[slow](`method:"Charge"`)}, time.Second},
		{"the table stands last", []annotation.Declaration{at[aliases.Retry]("Charge"), at[slow]("*")}, time.Second},
		{"the same value twice is fine", []annotation.Declaration{at[aliases.Retry]("Charge", base(time.Second)), at[bare]("Charge", base(time.Second))}, time.Second},
		{"a higher rank settles what two lower ones differ in", []annotation.Declaration{at[fast]("Charge"), at[slow]("Charge"), at[bare]("Charge", base(4*time.Second))}, 4 * time.Second},
	} {
		t.Run(x.name, func(t *testing.T) {
			for _, declarations := range permutations(x.declarations) {
				require.Equal(t, x.want, registered(t, declarations...)["Charge"].Settings.Base)
			}
		})
	}
}

func permutations[T any](list []T) [][]T {
	if len(list) < 2 {
		return [][]T{list}
	}
	var all [][]T
	for i := range list {
		rest := append(append([]T{}, list[:i]...), list[i+1:]...)
		for _, p := range permutations(rest) {
			all = append(all, append([]T{list[i]}, p...))
		}
	}
	return all
}

func TestNearerReplacesTheSameAnnotationAsAWhole(t *testing.T) {
	defs := registered(t,
		tag[aliases.Retry](`method:"*" wrapExhausted:"true" base:"1s"`),
		tag[aliases.Retry](`method:"Charge" maxAttempts:"2"`))
	require.Equal(t, 2, defs["Charge"].Settings.MaxAttempts)
	require.False(t, defs["Charge"].Settings.WrapExhausted)
	require.Zero(t, defs["Charge"].Settings.Base)
	require.Len(t, defs["Charge"].Entries, 1)
	require.True(t, defs["Refund"].Settings.WrapExhausted)
	require.Equal(t, 10, defs["Refund"].Settings.MaxAttempts)
}

func TestTagAndRegistrationOfOneAnnotationMerge(t *testing.T) {
	defs := registered(t,
		tag[aliases.Retry](`method:"Charge" wrapExhausted:"true" maxAttempts:"5"`),
		at[aliases.Retry](gateway.Charge, annotation.MaxAttempts(2)))
	d := defs["Charge"]
	require.Equal(t, 2, d.Settings.MaxAttempts)
	require.True(t, d.Settings.WrapExhausted)
	require.Len(t, d.Entries, 1)
	require.Equal(t, "shop/main.go:12", d.Entries[0].Place)
	require.Equal(t, "aliases.Retry, registration shop/main.go:12", d.Origins["maxAttempts"].String())
	require.Equal(t, "aliases.Retry, tag struct._", d.Origins["wrapExhausted"].String())
}

// What is retried, where several annotations have conditions.
func TestConditionsUniteAmongTheHighestRankThatHasAny(t *testing.T) {
	matchers := func(m ...retry.Matcher) []retry.Matcher { return m }
	for _, x := range []struct {
		name         string
		declarations []annotation.Declaration
		container    []annotation.Option
		errors       []retry.Matcher
		ifError      []string
		ifResult     []string
	}{
		{"none: any error", []annotation.Declaration{at[aliases.Retry]("Charge")}, nil, matchers(retry.AnyError), nil, nil},
		{"falsy results", []annotation.Declaration{at[aliases.RetryFalsy]("Charge")}, nil, matchers(retry.NoError), nil, []string{"retry.Falsy"}},
		{"falsy beside throwable: both", []annotation.Declaration{at[aliases.RetryFalsy]("Charge"), at[aliases.RetryThrowable]("Charge")}, nil, matchers(retry.AnyError), nil, []string{"retry.Falsy"}},
		{"falsy beside plain: falsy", []annotation.Declaration{at[aliases.RetryFalsy]("Charge"), at[aliases.Retry]("Charge")}, nil, matchers(retry.NoError), nil, []string{"retry.Falsy"}},
		{"falsy beside a circuit breaker: falsy", []annotation.Declaration{at[aliases.RetryFalsy]("Charge"), at[aliases.CircuitBreaker]("Charge")}, nil, matchers(retry.NoError), nil, []string{"retry.Falsy"}},
		{"a nearer one alone", []annotation.Declaration{at[aliases.RetryFalsy]("*"), at[aliases.RetryThrowable]("Charge")}, nil, matchers(retry.AnyError), nil, nil},
		{"by hand: a predicate alone leaves no error to the list", []annotation.Declaration{at[aliases.Retry]("Charge", annotation.RetryIfError(isBusy))}, nil, nil, []string{"annotation_test.isBusy"}, nil},
		{"by hand over Defaults, as a group", []annotation.Declaration{at[aliases.RetryFalsy]("Charge", annotation.RetryIfError(isBusy))}, nil, nil, []string{"annotation_test.isBusy"}, nil},
		{"by hand: results alone leave any error", []annotation.Declaration{at[aliases.Retry]("Charge", annotation.RetryIfResult(retry.Falsy))}, nil, matchers(retry.AnyError), nil, []string{"retry.Falsy"}},
		{"by hand at one, Defaults at the other", []annotation.Declaration{at[aliases.RetryFalsy]("Charge"), at[aliases.Retry]("Charge", annotation.RetryErrors(retry.Is(errDown)))}, nil, matchers(retry.Is(errDown)), nil, nil},
		{"by hand at both, of equal rank", []annotation.Declaration{at[aliases.RetryThrowable]("Charge", annotation.RetryIfError(isBusy)), at[aliases.Retry]("Charge", annotation.RetryErrors(retry.Is(errDown)), annotation.RetryIfError(isBusy))}, nil, matchers(retry.Is(errDown)), []string{"annotation_test.isBusy"}, nil},
		{"registration over tag", []annotation.Declaration{tag[aliases.Retry](`method:"Charge" retryErrors:"none"`), at[aliases.Retry]("Charge", annotation.RetryErrors(retry.Is(errDown)))}, nil, matchers(retry.Is(errDown)), nil, nil},
		{"the container's, where nobody has any", []annotation.Declaration{at[aliases.Retry]("Charge")}, []annotation.Option{annotation.RetryErrors(retry.Is(errDown))}, matchers(retry.Is(errDown)), nil, nil},
		{"an annotation's over the container's", []annotation.Declaration{at[aliases.RetryFalsy]("Charge")}, []annotation.Option{annotation.RetryErrors(retry.Is(errDown))}, matchers(retry.NoError), nil, []string{"retry.Falsy"}},
		{"results by hand: errors as the container says", []annotation.Declaration{at[aliases.Retry]("Charge", annotation.RetryIfResult(retry.Falsy))}, []annotation.Option{annotation.RetryErrors(retry.Is(errDown))}, matchers(retry.Is(errDown)), nil, []string{"retry.Falsy"}},
		{"results by hand: errors as the container's predicate says", []annotation.Declaration{at[aliases.Retry]("Charge", annotation.RetryIfResult(retry.Falsy))}, []annotation.Option{annotation.RetryIfError(isDown)}, nil, []string{"annotation_test.isDown"}, []string{"retry.Falsy"}},
		{"none by hand beside results", []annotation.Declaration{at[aliases.Retry]("Charge", annotation.RetryErrors(retry.NoError), annotation.RetryIfResult(retry.Falsy))}, nil, matchers(retry.NoError), nil, []string{"retry.Falsy"}},
		{"a registration that tunes one of two marks", []annotation.Declaration{tag[aliases.RetryThrowable](`method:"Charge"`), tag[aliases.RetryFalsy](`method:"Charge"`), at[aliases.RetryThrowable](gateway.Charge, annotation.MaxAttempts(3))}, nil, matchers(retry.AnyError), nil, []string{"retry.Falsy"}},
		{"a registration that tunes one of two marks' conditions", []annotation.Declaration{tag[aliases.RetryThrowable](`method:"Charge"`), tag[aliases.RetryFalsy](`method:"Charge"`), at[aliases.RetryThrowable](gateway.Charge, annotation.RetryErrors(retry.Is(errDown)))}, nil, matchers(retry.Is(errDown)), nil, nil},
		{"a registration of another annotation", []annotation.Declaration{tag[aliases.RetryFalsy](`method:"Charge"`), at[aliases.RetryThrowable](gateway.Charge)}, nil, matchers(retry.AnyError), nil, nil},
	} {
		t.Run(x.name, func(t *testing.T) {
			for _, declarations := range permutations(x.declarations) {
				d := resolved(t, asGateway[plain](), declarations, x.container...)["Charge"]
				require.ElementsMatch(t, x.errors, d.Settings.RetryErrors)
				require.Equal(t, x.ifError, texts(d.RetryIfError))
				require.Equal(t, x.ifResult, texts(d.RetryIfResult))
			}
		})
	}
}

func texts(refs []annotation.Reference) []string {
	var all []string
	for _, r := range refs {
		all = append(all, r.String())
	}
	return all
}

func TestDefaultsOfATunedMarkHaveTheMarksOrigin(t *testing.T) {
	d := registered(t, tag[patient](`method:"Charge"`), at[patient](gateway.Charge, annotation.MaxAttempts(3)))["Charge"]
	require.Equal(t, "shop/main.go:12", d.Origins["maxAttempts"].Place)
	found := false
	for _, from := range d.Origins {
		if from.Layer == annotation.LayerAnnotation {
			found = true
			require.Equal(t, "struct._", from.Place)
		}
	}
	require.True(t, found)
}

func TestIgnoreErrorsAndOnlyIfUniteOverAllRanks(t *testing.T) {
	d := resolved(t, asGateway[plain](), []annotation.Declaration{
		at[aliases.Retry]("Charge", annotation.IgnoreErrors(retry.Is(errDown)), annotation.OnlyIf("a")),
		tag[aliases.CircuitBreaker](`method:"*" ignoreErrors:"declined" onlyIf:"b"`),
		at[patient]("Ch*"),
	}, annotation.IgnoreErrors(retry.Is(errNoRows), retry.Is(errDown)), annotation.OnlyIf("c"))["Charge"]
	require.Equal(t, []retry.Matcher{retry.Is(errDown), retry.Is(errNoRows)}, d.Settings.IgnoreErrors)
	require.Equal(t, []string{"declined"}, texts(d.IgnoreErrorRefs))
	require.Equal(t, []string{"a", "b", "c"}, texts(d.OnlyIf))
	require.Equal(t, "aliases.Retry, registration shop/main.go:12", d.Origins["onlyIf"].String())
}

func TestFunctionsOfEqualRankAreComparedByIdentity(t *testing.T) {
	hedge := func() {}
	shared := annotation.BeforeRetry(hedge)
	for name, two := range map[string][2]annotation.Option{
		"one declared func":       {annotation.BeforeRetry(rewind), annotation.BeforeRetry(rewind)},
		"one method expression":   {annotation.BeforeRetry((*offline).Charge), annotation.BeforeRetry((*offline).Charge)},
		"one reference":           {annotation.BeforeRetry("Offline@Charge"), annotation.BeforeRetry("Offline@Charge")},
		"one option":              {shared, shared},
		"one comparable strategy": {annotation.SleepStrategy(sharedStrategy), annotation.SleepStrategy(sharedStrategy)},
		"one built-in strategy":   {annotation.SleepStrategy(retry.Backoff), annotation.SleepStrategy("backoff")},
		"one named strategy":      {annotation.SleepStrategy("Fair"), annotation.SleepStrategy("Fair")},
	} {
		t.Run(name, func(t *testing.T) {
			require.Empty(t, problems(asGateway[plain](), []annotation.Declaration{at[aliases.Retry]("Charge", two[0]), at[bare]("Charge", two[1])}))
		})
	}
	for name, two := range map[string][2]annotation.Option{
		"two declared funcs":         {annotation.BeforeRetry(rewind), annotation.BeforeRetry(rewound)},
		"two closures":               {annotation.BeforeRetry(closure(1)), annotation.BeforeRetry(closure(2))},
		"two method values":          {annotation.BeforeRetry((&offline{}).Charge), annotation.BeforeRetry((&offline{}).Charge)},
		"a func and a reference":     {annotation.BeforeRetry(rewind), annotation.BeforeRetry("rewind")},
		"two references":             {annotation.BeforeRetry("A@B"), annotation.BeforeRetry("A#c@B")},
		"two built-in strategies":    {annotation.SleepStrategy(retry.Flat), annotation.SleepStrategy(retry.Backoff)},
		"two incomparable ones":      {annotation.SleepStrategy(looseStrategy{}), annotation.SleepStrategy(looseStrategy{})},
		"two types of strategy":      {annotation.SleepStrategy(retry.Flat), annotation.SleepStrategy(sharedStrategy)},
		"a strategy and a reference": {annotation.SleepStrategy(retry.Flat), annotation.SleepStrategy("Fair")},
	} {
		t.Run(name, func(t *testing.T) {
			require.Len(t, problems(asGateway[plain](), []annotation.Declaration{at[aliases.Retry]("Charge", two[0]), at[bare]("Charge", two[1])}), 1)
		})
	}
}

func rewind()  {}
func rewound() {}

func closure(n int) func() int { return func() int { return n } }

var sharedStrategy = &ownStrategy{}

// looseStrategy cannot be compared.
type looseStrategy struct{ _ []int }

func (looseStrategy) Wait(*retry.Session) time.Duration { return 0 }

// sourced promotes the marks of base for what it does not declare itself.
type (
	base struct {
		_ annotation.On[aliases.Retry] `method:"Charge,Refund" maxAttempts:"3" base:"1s"`
		methods
	}
	sourced struct {
		base
		_ annotation.On[aliases.Retry] `method:"Charge" maxAttempts:"4"`
	}
	tuned struct {
		base
		_ annotation.On[fast] `method:"Charge" maxAttempts:"5"`
	}
)

func TestMarksOfTheOuterStructBeatThoseOfAnEmbeddedOne(t *testing.T) {
	defs := marked[sourced](t)
	require.Equal(t, 4, defs["Charge"].Settings.MaxAttempts, "of the same annotation, it replaces the whole")
	require.Zero(t, defs["Charge"].Settings.Base)
	require.Equal(t, 3, defs["Refund"].Settings.MaxAttempts)
	require.Equal(t, 5, marked[tuned](t)["Charge"].Settings.MaxAttempts, "of another one, the setting")
	require.Equal(t, time.Second, marked[tuned](t)["Charge"].Settings.Base, "by hand, over Defaults")
}

func TestRegistrationTunesAnEmbeddedMark(t *testing.T) {
	d := marked[struct{ base }](t, at[aliases.Retry]("Charge", annotation.MaxAttempts(2)))["Charge"]
	require.Equal(t, 2, d.Settings.MaxAttempts)
	require.Equal(t, time.Second, d.Settings.Base)
}
