package declarative_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/container/containertest"
	"github.com/backstay/backstay/retry"
)

// withDefaults provides the remote in a container whose defaults are given.
func withDefaults(defaults []annotation.Option, remote *Remote, opts ...container.ProvideOption) *container.Container {
	c := container.New(container.Defaults(defaults...))
	c.Provide(func() *Remote { return remote }, append(opts, container.As[Peer]())...)
	return c
}

// decl:79. What a service sets replaces that setting alone; the rest of the defaults for all still holds.
func TestASettingOfAServiceReplacesThatDefaultAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := withDefaults([]annotation.Option{annotation.MaxAttempts(6), annotation.Base(time.Second)}, down(),
			container.Annotate[aliases.Retry](Peer.Call, annotation.Base(2*time.Second)),
			container.Annotate[aliases.Retry](Peer.Other))
		for _, test := range []struct {
			call func(context.Context) (string, error)
			wait time.Duration
		}{
			{get[Peer](t, c).Call, 2 * time.Second},
			{get[Peer](t, c).Other, time.Second},
		} {
			ctx, report := retry.WithReport(t.Context())
			_, err := test.call(ctx)
			require.Equal(t, errBoom, err)
			require.Equal(t, 6, report.Attempts)
			for _, w := range report.Waits {
				require.Equal(t, test.wait, w)
			}
		}
	})
}

// decl:80. Does a list replace or add to the one of the defaults? It depends on the list, and each has one rule: what is
// to be ignored adds up, since an answer is an answer everywhere; what is to be retried is replaced by the nearer.
func TestIgnoreListsAddUpAndRetryListsReplace(t *testing.T) {
	errA, errB := errors.New("a"), errors.New("b")
	calls := func(err error, defaults, own []annotation.Option) int {
		remote := answers(err)
		c := withDefaults(defaults, remote, container.Annotate[aliases.Retry](Peer.Call, append(own, annotation.MaxAttempts(2))...))
		_, got := get[Peer](t, c).Call(t.Context())
		require.Equal(t, err, got)
		return remote.count()
	}
	ignoreA, ignoreB := annotation.IgnoreErrors(retry.Is(errA)), annotation.IgnoreErrors(retry.Is(errB))
	retryA, retryB := annotation.RetryErrors(retry.Is(errA)), annotation.RetryErrors(retry.Is(errB))
	for _, test := range []struct {
		what          string
		defaults, own annotation.Option
		a, b, other   int
	}{
		{"ignored", ignoreA, ignoreB, 1, 1, 2},
		{"retried", retryA, retryB, 1, 2, 1},
		{"retried by all, ignored by one", retryA, ignoreA, 1, 1, 1},
		{"ignored by all, retried by one", ignoreA, retryA, 1, 1, 1},
	} {
		t.Run(test.what, func(t *testing.T) {
			defaults, own := []annotation.Option{test.defaults}, []annotation.Option{test.own}
			require.Equal(t, test.a, calls(errA, defaults, own), "a")
			require.Equal(t, test.b, calls(errB, defaults, own), "b")
			require.Equal(t, test.other, calls(errBoom, defaults, own), "other")
		})
	}
}

// decl:81. What a registration says in code needs nothing declared on the type to be applied.
func TestARegistrationNeedsNoMarkToTune(t *testing.T) {
	s := weave(t, down(), container.Annotate[aliases.Retry](Peer.Call, annotation.MaxAttempts(4)))
	_, err := s.Call(t.Context())
	require.Equal(t, errBoom, err)
	require.Equal(t, 4, s.remote.count())
	_, err = s.Other(t.Context())
	require.Equal(t, errBoom, err)
	require.Equal(t, 5, s.remote.count(), "and holds for the method that it names")
}

// decl:84. Who writes a health check can list what there is, in an order that does not change.
func TestBreakersAndAnnotationsAreListedInAStableOrder(t *testing.T) {
	breaks := container.Annotate[aliases.CircuitBreaker]
	var before []string
	for range 10 {
		s := weaveIn(t, down(), func(c *container.Container) {
			c.Provide(newShop, container.As[Shop](), breaks(Shop.Buy, annotation.BreakerName("shared"), annotation.MaxAttempts(1)))
			c.Provide(down, container.As[Peer](), container.Name("eu"), breaks("*", annotation.MaxAttempts(3)))
		}, breaks(Peer.Call, annotation.MaxAttempts(2)), container.Annotate[aliases.Retry](Peer.Other))
		_, err := s.Call(t.Context())
		require.Equal(t, errBoom, err)

		var list []string
		for _, b := range s.c.Breakers() {
			list = append(list, b.Name()+" "+string(b.State()))
		}
		require.Equal(t, []string{"Remote#eu@Call closed", "Remote#eu@Other closed", "Remote@Call open", "shared closed"}, list)
		for _, e := range annotation.AllOf[annotation.AbstractRetry](s.c.Registry()) {
			list = append(list, e.Ref.String()+" "+e.Place)
		}
		require.Len(t, list, 4+5)
		if before != nil {
			require.Equal(t, before, list)
		}
		before = list
	}
}

// invalid says of itself that it is not worth a retry, as a validation error does.
type invalid struct{}

func (invalid) Error() string   { return "invalid" }
func (invalid) Retryable() bool { return false }

// decl:85. The defaults do not retry what says of itself that it is no transient failure.
func TestTheDefaultsDoNotRetryWhatIsMarkedPermanentOrSaysSoItself(t *testing.T) {
	for name, test := range map[string]struct {
		err  error
		want int
	}{
		"anything else":            {errBoom, 10},
		"marked permanent":         {retry.Permanent(errBoom), 1},
		"an error that says so":    {invalid{}, 1},
		"wrapped in another error": {special(invalid{}), 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := weave(t, answers(test.err), container.Annotate[aliases.Retry](Peer.Call,
				annotation.Fallback(func() (string, error) { return "fallback", nil })))
			_, err := s.Call(t.Context())
			require.Equal(t, test.want, s.remote.count())
			require.Equal(t, test.want == 1, err != nil, "no fallback for what a retry could not mend")
		})
	}
}

// decl:88. Three things are told apart: what the session came to, whether the fallback ran, and what the caller got.
func TestExhaustionAndFallbackAreToldApart(t *testing.T) {
	s := weave(t, down(), container.Annotate[aliases.Retry](Peer.Call, annotation.MaxAttempts(2),
		annotation.Fallback(func() (string, error) { return "fallback", nil })))
	ctx, report := retry.WithReport(t.Context())
	got, err := s.Call(ctx)
	require.NoError(t, err)
	require.Equal(t, "fallback", got)
	require.Equal(t, retry.EndExhausted, report.Ended)
	require.True(t, report.Fallback)
	require.Len(t, eventsOf(s.rec, every[retry.Exhausted]), 1)
	require.Len(t, eventsOf(s.rec, every[retry.FallbackSucceeded]), 1)
	require.Empty(t, eventsOf(s.rec, every[retry.Succeeded]))
	require.Empty(t, eventsOf(s.rec, every[retry.Failed]))
	require.Equal(t, 2, s.rec.Attempts(Peer.Call))
}

// decl:89. An event without an error, since a result was the reason, can be written down like any other.
func TestEventsOfRetriesForResultsCanBeEncoded(t *testing.T) {
	s := weave(t, &Remote{do: func(context.Context, int) (string, error) { return "", nil }},
		container.Annotate[aliases.RetryFalsy](Peer.Call, annotation.MaxAttempts(2),
			annotation.Fallback(func() (string, error) { return "fallback", nil })))
	_, err := s.Call(t.Context())
	require.NoError(t, err)
	events := s.rec.Events()
	require.Len(t, events, 5)
	for _, e := range events {
		text, err := json.Marshal(e)
		require.NoError(t, err, "%T", e)
		var fields map[string]any
		require.NoError(t, json.Unmarshal(text, &fields))
		require.Equal(t, "Remote", fields["Class"])
		require.Equal(t, "Call", fields["Method"])
		for _, key := range []string{"Err", "Cause", "Reason"} {
			require.Nil(t, fields[key], "%T", e)
		}
	}
}

// decl:89. Nor does a breaker that is in an event, or a recorder that asks for its texts, stumble.
func TestEventsOfABreakerCanBeEncoded(t *testing.T) {
	c, rec := containertest.New(t, func(c *container.Container) {
		c.Provide(func() *Remote { return &Remote{do: func(context.Context, int) (string, error) { return "", nil }} }, container.As[Peer](),
			container.Annotate[aliases.CircuitBreaker](Peer.Call, annotation.RetryIfResult(retry.Falsy), annotation.MaxAttempts(1)))
	})
	for range 2 {
		_, _ = get[Peer](t, c).Call(t.Context())
	}
	require.Len(t, eventsOf(rec, every[retry.BreakerChanged]), 1)
	require.Len(t, eventsOf(rec, every[retry.Rejected]), 1)
	for _, e := range rec.Events() {
		_, err := json.Marshal(e)
		require.NoError(t, err, "%T", e)
	}
}
