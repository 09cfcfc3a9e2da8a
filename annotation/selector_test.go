package annotation_test

import (
	"context"
	"net/http"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

func TestSelectorsMeetNamesAndGlobs(t *testing.T) {
	all := []string{"Charge", "Ping", "Ready", "Refund"}
	for _, x := range []struct {
		methods string
		want    []string
	}{
		{"Charge", []string{"Charge"}},
		{"Charge,Ping", []string{"Charge", "Ping"}},
		{"  Charge ,Ping ", []string{"Charge", "Ping"}},
		{"*", all},
		{"***", all},
		{"Re*", []string{"Ready", "Refund"}},
		{"*e", []string{"Charge"}},
		{"*e*", []string{"Charge", "Ready", "Refund"}},
		{"*e*f*", []string{"Refund"}},
		{"R*d*y", []string{"Ready"}},
		{"Charge*", []string{"Charge"}},
		{"Char*arge,Ping", []string{"Ping"}}, // parts do not overlap
		{"*,!Re*", []string{"Charge", "Ping"}},
		{"!Charge,*", []string{"Ping", "Ready", "Refund"}},
		{"*,!Charge,!Ping", []string{"Ready", "Refund"}},
		{"Re*,!Ready", []string{"Refund"}},
		{"Charge,Get*", []string{"Charge"}},
		{"*,!Get*", all},
	} {
		t.Run(x.methods, func(t *testing.T) {
			defs, errs := annotation.Resolve(asGateway[plain](), []annotation.Declaration{at[audited](x.methods)}, nil, "")
			require.Empty(t, errs)
			var got []string
			for _, d := range defs {
				got = append(got, d.Ref.Method)
			}
			require.Equal(t, x.want, got)
		})
	}
}

func TestMethodExpressionsSelect(t *testing.T) {
	type charger interface{ gateway }
	type pinger = interface{ Ping() }
	for name, d := range map[string]annotation.Declaration{
		"of the interface":             at[audited](gateway.Charge),
		"of one that it includes":      at[audited](refunder.Refund),
		"of the type":                  at[audited](plain.Charge),
		"of a pointer to the type":     at[audited]((*plain).Charge),
		"of an interface in a func":    at[audited](charger.Charge),
		"of an interface without name": at[audited](pinger.Ping),
	} {
		t.Run(name, func(t *testing.T) {
			require.Len(t, registered(t, d), 1)
		})
	}
}

// Which methods a glob skips since they can never be retried, and which are an error when they are named.
func TestGlobsSkipMethodsThatCanNeverBeRetried(t *testing.T) {
	for _, x := range []struct {
		name string
		d    func(methods string) annotation.Declaration
		want []string // met by *
	}{
		{"an error is needed", declared[aliases.Retry](), []string{"Charge", "Refund"}},
		{"a result is needed", declared[aliases.RetryFalsy](), []string{"Charge", "Ready"}},
		{"an error or a result", declared[aliases.Retry](annotation.RetryIfResult(retry.Falsy)), []string{"Charge", "Ready", "Refund"}},
		{"a predicate may judge a session", declared[aliases.RetryFalsy](annotation.RetryIfResult(anything)), []string{"Charge", "Ping", "Ready", "Refund"}},
		{"a panic is an error", declared[aliases.Retry](annotation.RetryPanics(true)), []string{"Charge", "Ping", "Ready", "Refund"}},
		{"a panic is an error, by Defaults", declared[panicky](), []string{"Charge", "Ping", "Ready", "Refund"}},
		{"not where it is switched off", declared[aliases.Retry](annotation.RetryPanics(false)), []string{"Charge", "Refund"}},
		{"a policy may judge", declared[aliases.Retry](annotation.AddPolicies(judging)), []string{"Charge", "Ping", "Ready", "Refund"}},
		{"a predicate on errors needs one", declared[aliases.RetryFalsy](annotation.RetryIfError(isBusy)), []string{"Charge", "Refund"}},
		{"a context is needed", declared[panicky](annotation.AttemptTimeout(time.Second)), []string{"Charge", "Ready", "Refund"}},
		{"a context is needed, by the list", declared[panicky](annotation.AddPolicies(retry.AttemptTimeout), annotation.AttemptTimeout(time.Second)), []string{"Charge", "Ready", "Refund"}},
		{"another kind meets all", declared[audited](), []string{"Charge", "Ping", "Ready", "Refund"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			defs, errs := annotation.Resolve(asGateway[plain](), []annotation.Declaration{x.d("*")}, nil, "")
			require.Empty(t, errs)
			var got []string
			for _, d := range defs {
				got = append(got, d.Ref.Method)
			}
			require.Equal(t, x.want, got)

			for _, m := range []string{"Charge", "Ping", "Ready", "Refund"} {
				wrong := !contains(x.want, m)
				require.Equal(t, wrong, len(said(x.d(m))) > 0, "%s, named", m)
				require.Equal(t, wrong, len(said(x.d(m[:3]+"*"))) > 0, "a glob that meets only %s", m)
			}
		})
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

func declared[A any](opts ...annotation.Option) func(string) annotation.Declaration {
	return func(methods string) annotation.Declaration { return at[A](methods, opts...) }
}

func anything(*retry.Session) bool { return true }

// panicky retries panics.
type panicky struct{ annotation.AbstractRetry }

func (panicky) Defaults() []annotation.Option {
	return []annotation.Option{annotation.RetryPanics(true)}
}

type refunder interface {
	Refund(ctx context.Context, id string) error
}

func TestMistakesOfMethodsThatCanNeverBeRetried(t *testing.T) {
	const (
		noError   = "Ping returns no error, so it can never be retried; let its last result be an error, or say by annotation.RetryIfResult which results are retried"
		noResult  = "Refund returns no result that could be falsy; let it return a result beside the error, or use an annotation that retries errors, such as aliases.RetryThrowable"
		noContext = "attemptTimeout needs a context that ends an attempt, and Ping takes none; let its first parameter be a context.Context, or leave attemptTimeout out"
	)
	for _, x := range []struct {
		d    annotation.Declaration
		want string
	}{
		{at[aliases.Retry]("Ping"), noError},
		{at[aliases.Retry]("P*"), "P* meets only methods that can never be retried: " + noError},
		{at[aliases.RetryFalsy]("Refund"), noResult},
		{at[panicky]("Ping", annotation.AttemptTimeout(time.Second)), noContext},
		{at[panicky]("Pi*", annotation.AttemptTimeout(time.Second)), "Pi* meets only methods that can never be retried: " + noContext},
		{at[aliases.Retry]("Ping,Char*"), noError},
	} {
		require.Equal(t, []string{x.want}, said(x.d))
	}
}

// An annotation without conditions of its own lives by those of the annotations beside it.
func TestWhatCanBeRetriedIsDecidedByAllConditionsOfAMethod(t *testing.T) {
	defs := registered(t,
		at[aliases.RetryFalsy]("Ready"),
		at[aliases.CircuitBreaker]("*", annotation.Fallback("notReady")))
	require.Len(t, defs["Ready"].Entries, 2)
	require.NotContains(t, defs, "Ping")

	require.Empty(t, said(at[aliases.RetryFalsy]("Ready"), at[aliases.Retry]("Ready")))
	require.Len(t, said(at[aliases.RetryFalsy]("Ready"), at[aliases.RetryThrowable]("Ready")), 1)

	byContainer := resolved(t, asGateway[plain](), []annotation.Declaration{at[aliases.Retry]("Ready")}, annotation.RetryIfResult(retry.Falsy))
	require.Len(t, byContainer["Ready"].RetryIfResult, 1)

	panics := resolved(t, asGateway[plain](), []annotation.Declaration{at[aliases.Retry]("Ping")}, annotation.RetryPanics(true))
	require.True(t, panics["Ping"].Settings.RetryPanics)
}

func TestPanicsCountAsTheSettingThatHolds(t *testing.T) {
	require.Empty(t, said(at[aliases.RetryThrowable]("Ping"), at[panicky]("Ping")))
	require.Len(t, said(at[panicky]("Ping", annotation.RetryPanics(false))), 1, "by hand over Defaults")
	require.Len(t, said(at[panicky]("P*"), at[aliases.Retry]("Ping", annotation.RetryPanics(false))), 2, "nearer over farther")
	require.Len(t, said(at[aliases.Retry]("P*", annotation.RetryPanics(true)), at[aliases.Retry]("Ping")), 1, "what is replaced says nothing")
	require.Len(t, said(at[aliases.RetryFalsy]("Re*", annotation.RetryIfResult(anything)), at[aliases.RetryFalsy]("Refund"), at[aliases.Retry]("Refund")), 1)
}

// A request brings its context with it.
func TestAttemptTimeoutTakesTheContextOfARequest(t *testing.T) {
	type (
		doer interface {
			Do(*http.Request) (*http.Response, error)
		}
		request struct{ _ int }
		other   interface{ Do(*request) error }
	)
	d := at[aliases.Retry]("Do", annotation.AttemptTimeout(time.Second))
	require.Empty(t, problems(service[http.Client](reflect.TypeFor[doer]()), []annotation.Declaration{d}))
	require.Len(t, problems(service[http.Client](reflect.TypeFor[other]()), []annotation.Declaration{d}), 1)
}

// Each declaration is judged by what the others say, in an order that does not depend on how they were written.
func TestOrderDoesNotDecideWhatCanBeRetried(t *testing.T) {
	for _, declarations := range permutations([]annotation.Declaration{
		at[panicky]("*", annotation.AttemptTimeout(time.Second)), at[aliases.RetryThrowable]("*"), at[aliases.CircuitBreaker]("Re*,P*", annotation.Fallback("f")),
	}) {
		defs := registered(t, declarations...)
		require.NotContains(t, defs, "Ping", "without a context panics are not retried, so nothing is")
		require.Len(t, defs["Refund"].Entries, 3)
	}
}
