package annotation_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// bare adds nothing to AbstractRetry.
type bare struct{ annotation.AbstractRetry }

// patient is an alias of an alias, and careful one of that.
type (
	patient struct{ aliases.BackoffRetryThrowable }
	careful struct {
		note string
		patient
	}
	silent struct{ careful } // promotes Defaults, and has none of its own
)

func (patient) Defaults() []annotation.Option {
	return []annotation.Option{annotation.MaxAttempts(20), annotation.IgnoreErrors(retry.Is(errDown))}
}

func (*careful) Defaults() []annotation.Option { // by a pointer, which can be made
	return []annotation.Option{annotation.Base(time.Second), annotation.IgnoreErrors(retry.Is(errBusy))}
}

func TestDefaultsAreLayeredAlongTheEmbedding(t *testing.T) {
	for name, d := range map[string]annotation.Declaration{
		"own":      at[careful]("Charge"),
		"promoted": at[silent]("Charge"),
	} {
		t.Run(name, func(t *testing.T) {
			got := registered(t, d)["Charge"]
			require.Equal(t, 20, got.Settings.MaxAttempts, "the embedded alias's")
			require.Equal(t, time.Second, got.Settings.Base, "its own, over BackoffRetryThrowable's")
			require.Equal(t, "backoff", strategyName(got), "BackoffRetryThrowable's")
			require.Equal(t, []retry.Matcher{retry.AnyError}, got.Settings.RetryErrors, "RetryThrowable's")
			require.Equal(t, 60*time.Second, got.Settings.MaxDelay, "the table's")
			require.Equal(t, []retry.Matcher{retry.Is(errDown), retry.Is(errBusy)}, got.Settings.IgnoreErrors, "all layers'")
			require.Equal(t, "defaults of annotation_test.patient", got.Origins["maxAttempts"].String())
			require.Equal(t, "defaults of annotation_test.careful", got.Origins["base"].String())
			require.Equal(t, "defaults of aliases.BackoffRetryThrowable", got.Origins["sleepStrategy"].String())
		})
	}
}

func TestByHandReplacesDefaults(t *testing.T) {
	d := registered(t, at[careful]("Charge", annotation.Base(0)))["Charge"]
	require.Zero(t, d.Settings.Base, "set to zero is not unset")
	require.Equal(t, annotation.LayerRegistration, d.Origins["base"].Layer)
}

func TestAnnotationThatAddsNothingHasTheDefaultsOfRetry(t *testing.T) {
	own, stock := registered(t, at[bare]("Charge"))["Charge"], registered(t, at[aliases.Retry]("Charge"))["Charge"]
	own.Settings.SleepStrategy, stock.Settings.SleepStrategy = nil, nil // funcs do not compare
	require.Equal(t, stock.Settings, own.Settings)
}

// regional is generic, with Defaults of its own; inherits is generic, and promotes them.
type (
	regional[R any] struct{ aliases.RetryFalsy }
	inherits[R any] struct{ regional[R] }
)

func (regional[R]) Defaults() []annotation.Option {
	return []annotation.Option{annotation.MaxAttempts(7)}
}

func TestDefaultsOfGenericAnnotations(t *testing.T) {
	for name, d := range map[string]annotation.Declaration{
		"own":      at[regional[int]]("Charge"),
		"promoted": at[inherits[offline]]("Charge"),
	} {
		t.Run(name, func(t *testing.T) {
			got := registered(t, d)["Charge"]
			require.Equal(t, 7, got.Settings.MaxAttempts)
			require.Len(t, got.RetryIfResult, 1)
		})
	}
}

// An alias of RetryFalsy that lists other errors lists only what it changes.
type falsyOrDown struct{ aliases.RetryFalsy }

func (falsyOrDown) Defaults() []annotation.Option {
	return []annotation.Option{annotation.RetryErrors(retry.Is(errDown))}
}

func TestAliasListsOnlyTheConditionsThatItChanges(t *testing.T) {
	d := registered(t, at[falsyOrDown]("Charge"))["Charge"]
	require.Equal(t, []retry.Matcher{retry.Is(errDown)}, d.Settings.RetryErrors)
	require.Len(t, d.RetryIfResult, 1)
}

// mixed embeds a type that is no retry annotation and has Defaults, which Go promotes.
type (
	tuning struct{}
	mixed  struct {
		aliases.Retry
		tuning
	}
)

func (tuning) Defaults() []annotation.Option {
	return []annotation.Option{annotation.MaxAttempts(6)}
}

func TestDefaultsPromotedFromAnotherPartHold(t *testing.T) {
	require.Equal(t, 6, registered(t, at[mixed]("Charge"))["Charge"].Settings.MaxAttempts)
}

func TestDefaultsMaySetOwnFields(t *testing.T) {
	d := registered(t, at[metered]("Charge", annotation.Set(func(m *metered) { m.Tenant = "acme" })))["Charge"]
	require.Equal(t, metered{tenantRetry: tenantRetry{Tenant: "acme", Cost: 3}}, d.Entries[0].Annotation)
}

// metered embeds an unexported annotation with own fields, and sets one of them.
type metered struct{ tenantRetry }

func (metered) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Set(func(t *tenantRetry) { t.Cost = 3 })}
}

func TestContainerDefaultsStandBetweenTableAndAnnotation(t *testing.T) {
	defaults := []annotation.Option{annotation.MaxAttempts(5), annotation.Base(time.Second), annotation.MaxDelay(2 * time.Second)}
	d := resolved(t, asGateway[plain](), []annotation.Declaration{
		at[aliases.BackoffRetryThrowable]("Charge", annotation.MaxAttempts(2)),
	}, defaults...)["Charge"]
	require.Equal(t, 2, d.Settings.MaxAttempts, "by hand")
	require.Equal(t, 100*time.Millisecond, d.Settings.Base, "the annotation's Defaults")
	require.Equal(t, 2*time.Second, d.Settings.MaxDelay, "the container's")
	require.Equal(t, "container defaults shop/main.go:5", d.Origins["maxDelay"].String())
}

func TestContainerDefaultsDoNotWriteSharedSettings(t *testing.T) {
	d := resolved(t, asGateway[plain](), []annotation.Declaration{at[aliases.Retry]("Charge", annotation.BudgetName("db"))},
		annotation.Budget(retry.BudgetSettings{TTL: time.Second, Percent: 0.5}))["Charge"]
	require.Equal(t, 0.5, d.Settings.Budget.Percent)
	require.False(t, d.BudgetWritten)
}

func TestContainerIgnoreErrorsUniteWithAllOthers(t *testing.T) {
	d := resolved(t, asGateway[plain](), []annotation.Declaration{at[patient]("Charge", annotation.IgnoreErrors(retry.Is(errBusy)))},
		annotation.IgnoreErrors(retry.Is(errNoRows)))["Charge"]
	require.ElementsMatch(t, []retry.Matcher{retry.Is(errBusy), retry.Is(errDown), retry.Is(errNoRows)}, d.Settings.IgnoreErrors)
}

func TestContainerAttemptTimeoutIsLeftOutWhereThereIsNoContext(t *testing.T) {
	defs := resolved(t, asGateway[plain](), []annotation.Declaration{
		at[aliases.Retry]("*"), at[judged]("Ping"),
	}, annotation.AttemptTimeout(time.Second))
	require.Equal(t, time.Second, defs["Charge"].Settings.AttemptTimeout)
	require.Contains(t, defs["Charge"].Settings.Policies, retry.AttemptTimeout)
	require.Zero(t, defs["Ping"].Settings.AttemptTimeout)
	require.NotContains(t, defs["Ping"].Settings.Policies, retry.AttemptTimeout)
	require.NotContains(t, defs["Ping"].Origins, "attemptTimeout")
}

// judged lets a policy of the user's own decide what is retried.
type judged struct{ annotation.AbstractRetry }

func (judged) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Policies(judging, retry.MaxAttempts)}
}
