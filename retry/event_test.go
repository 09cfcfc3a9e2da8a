package retry_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

func TestEverySessionTellsItsEventsInOrder(t *testing.T) {
	retryOne := retry.WhenReturns(1).WhenThrows(retry.Is(errBoom)).Max(3).Sleep(time.Second)
	succeeds := func(context.Context, error) (int, error) { return 0, nil }
	fails := func(context.Context, error) (int, error) { return 0, errOther }
	for _, c := range []struct {
		name  string
		chain retry.Chain[int]
		errs  []error
		want  []string
	}{
		{"success at once", retry.For[int]().Max(3), nil, []string{"succeeded after 1"}},
		{"retries for a result and an error", retryOne, []error{nil, errBoom}, []string{
			"attempt 1 failed: <nil>", "retry 2 scheduled in 1s: <nil>",
			"attempt 2 failed: boom", "retry 3 scheduled in 1s: boom",
			"succeeded after 3"}},
		{"a failure that is not retriable", retryOne, []error{errOther}, []string{
			"attempt 1 failed: other", "failed after 1: other"}},
		{"exhausted", retryOne.Max(2), []error{errBoom, errBoom}, []string{
			"attempt 1 failed: boom", "retry 2 scheduled in 1s: boom",
			"attempt 2 failed: boom", "exhausted by maxAttempts after 2: boom"}},
		{"a fallback that succeeds", retryOne.Max(1).Fallback(succeeds), []error{errBoom}, []string{
			"attempt 1 failed: boom", "exhausted by maxAttempts after 1: boom", "fallback succeeded for: boom"}},
		{"a fallback that fails", retryOne.Max(1).Fallback(fails), []error{errBoom}, []string{
			"attempt 1 failed: boom", "exhausted by maxAttempts after 1: boom", "fallback failed for: boom: other"}},
		{"rejected", retryOne.With(closedGate), nil, []string{"rejected: full"}},
		{"rejected with a fallback", retryOne.With(closedGate).Fallback(succeeds), nil, []string{
			"rejected: full", "fallback succeeded for: rates: rejected: full"}},
		{"a budget that refuses", retryOne.With(retry.NewBudget(retry.BudgetSettings{TTL: time.Second})), []error{errBoom}, []string{
			"attempt 1 failed: boom", `budget "" refused`, "exhausted by budget after 1: boom"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log := new(journal)
				chain := c.chain.Named("rates").Listen(log).Listen(retry.ListenerFunc(func(_ context.Context, e retry.Event) {
					require.Equal(t, retry.MethodRef{Name: "rates"}, e.Ref(), "%T", e)
				}))
				_, _ = chain.Call(t.Context(), (&counting{errs: c.errs}).run)
				require.Equal(t, c.want, log.all())
			})
		})
	}
}

func TestASessionThatItsContextEndsTellsThatItFailed(t *testing.T) {
	log := new(journal)
	ctx, cancel := context.WithCancel(t.Context())
	_ = retry.WhenThrows().Listen(log).Run(ctx, func(context.Context) error { cancel(); return errBoom })
	require.Equal(t, []string{"attempt 1 failed: boom", "failed after 1: boom"}, log.all())
}

func TestAVetoIsToldAsAFailure(t *testing.T) {
	log := new(journal)
	h := compiled(t, retry.Definition{
		Settings: settings(retry.Classifier, retry.MaxAttempts), Listener: log,
		Hooks: retry.Hooks{OnlyIf: predicates(saysNo)},
	})
	_ = run(t.Context(), h, scripted(errBoom).run)
	require.Equal(t, []string{"attempt 1 failed: boom", "failed after 1: boom"}, log.all())
}

func TestEventsCarryTimesAndTheMethod(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var events []retry.Event
		set := settings(retry.Classifier, retry.MaxAttempts, retry.Sleep)
		set.Ref = retry.MethodRef{Class: "StripeGateway", Name: "eu", Method: "Charge"}
		set.Base, set.MaxAttempts = time.Second, 2
		h := compiled(t, retry.Definition{Settings: set, Listener: retry.ListenerFunc(func(_ context.Context, e retry.Event) {
			events = append(events, e)
		})})
		op := func(err error) func(context.Context) error {
			return func(context.Context) error { time.Sleep(time.Second); return err }
		}
		_ = run(t.Context(), h, op(errBoom))
		require.NoError(t, run(t.Context(), h, op(nil)))
		require.Len(t, events, 5)
		first, second := events[0].(retry.AttemptFailed).Session, events[4].(retry.Succeeded).Session
		require.NotZero(t, first)
		require.NotZero(t, second)
		require.Equal(t, []retry.Event{
			retry.AttemptFailed{MethodRef: set.Ref, Attempt: 1, Err: errBoom, Session: first},
			retry.RetryScheduled{MethodRef: set.Ref, Attempt: 2, Wait: time.Second, Err: errBoom, Session: first},
			retry.AttemptFailed{MethodRef: set.Ref, Attempt: 2, Err: errBoom, Session: first},
			retry.Exhausted{MethodRef: set.Ref, Limit: "maxAttempts", Attempts: 2, Elapsed: 3 * time.Second, Err: errBoom, Session: first},
			retry.Succeeded{MethodRef: set.Ref, Attempts: 1, Elapsed: time.Second, Session: second},
		}, events)
		require.Equal(t, "StripeGateway#eu@Charge", events[0].Ref().String())
	})
}

func TestAFailureThatIsNotRetriableCarriesItsTimeAndError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var last retry.Event
		_ = retry.WhenThrows(retry.NoError).Listen(retry.ListenerFunc(func(_ context.Context, e retry.Event) { last = e })).
			Run(t.Context(), func(context.Context) error { time.Sleep(time.Second); return errBoom })
		failed := last.(retry.Failed)
		failed.Session = 0
		require.Equal(t, retry.Failed{Attempts: 1, Elapsed: time.Second, Err: errBoom}, failed)
	})
}

func TestABudgetThatMethodsShareIsNamedInItsEvent(t *testing.T) {
	log := new(journal)
	set := settings(retry.Classifier, retry.Budget)
	set.BudgetName, set.Budget = "peer", retry.BudgetSettings{TTL: time.Second}
	h := compiled(t, retry.Definition{Settings: set, Listener: log, Shared: new(retry.Shared)})
	_ = run(t.Context(), h, scripted(errBoom).run)
	require.Contains(t, log.all(), `budget "peer" refused`)
}

func TestABreakerTellsItsChangesAndMayBeReadByItsListener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var states []retry.BreakerState
		log := new(journal)
		policy := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Second})
		chain := retry.With(policy).WhenThrows().Max(1).Named("rates").Listen(log).
			Listen(retry.ListenerFunc(func(_ context.Context, e retry.Event) {
				if e, ok := e.(retry.BreakerChanged); ok {
					require.Equal(t, "rates", e.Ref().String())
					states = append(states, e.Breaker.State())
				}
			}))
		_ = chain.Run(t.Context(), scripted(errBoom).run)
		_ = chain.Run(t.Context(), scripted(nil).run)
		time.Sleep(time.Second)
		require.NoError(t, chain.Run(t.Context(), scripted(nil).run))
		require.Equal(t, []retry.BreakerState{retry.BreakerOpen, retry.BreakerHalfOpen, retry.BreakerClosed}, states)
		require.Equal(t, []string{
			"attempt 1 failed: boom", "exhausted by maxAttempts after 1: boom", "breaker rates: closed to open",
			"rejected: circuit breaker is open",
			"breaker rates: open to half-open", "succeeded after 1", "breaker rates: half-open to closed",
		}, sortedTail(log.all()))
	})
}

// sortedTail puts the last two lines in an order of their own: a success is recorded before it is told, or after.
func sortedTail(lines []string) []string {
	if n := len(lines); n >= 2 && lines[n-1] == "succeeded after 1" {
		lines[n-1], lines[n-2] = lines[n-2], lines[n-1]
	}
	return lines
}

// labeled is a listener that can be compared.
type labeled struct {
	*journal
	label string
}

// odd is a listener whose type can be compared and whose value cannot.
type odd struct {
	*journal
	key any
}

func TestOneListenerIsToldOnceOfABreakerThatChainsShare(t *testing.T) {
	for name, listener := range map[string]func(*journal) retry.Listener{
		"a func":                          func(j *journal) retry.Listener { return retry.ListenerFunc(j.On) },
		"a pointer":                       func(j *journal) retry.Listener { return j },
		"a value":                         func(j *journal) retry.Listener { return labeled{j, "x"} },
		"a value that cannot be compared": func(j *journal) retry.Listener { return odd{j, []int{1}} },
		"several": func(j *journal) retry.Listener {
			return retry.Listeners(j, retry.ListenerFunc(func(context.Context, retry.Event) {}))
		},
		"several of several": func(j *journal) retry.Listener {
			return retry.Listeners(retry.Listeners(j, nil), nil, retry.Listeners())
		},
	} {
		t.Run(name, func(t *testing.T) {
			log := new(journal)
			policy := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Hour})
			base := retry.With(policy).Listen(listener(log))
			for _, chain := range []retry.ErrorChain{base, base.Max(1), base.WhenThrows()} {
				require.NoError(t, chain.Run(t.Context(), scripted(nil).run))
			}
			log.lines = nil
			retry.BreakerOf(policy).ForceOpen()
			require.Equal(t, []string{"breaker : closed to force-open"}, log.all())
		})
	}
}

// A chain may be made for each call, since its functions refer to what is at hand.
func TestAListenerOfChainsMadeForEachCallIsToldOnceToo(t *testing.T) {
	log := new(journal)
	policy := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Hour})
	for range 100 {
		require.NoError(t, retry.With(policy).Listen(log).Run(t.Context(), scripted(nil).run))
	}
	log.lines = nil
	retry.BreakerOf(policy).ForceOpen()
	require.Len(t, log.all(), 1)
}

func TestListenersAreToldInOrder(t *testing.T) {
	log := new(journal)
	listener := func(name string) retry.Listener {
		return retry.ListenerFunc(func(context.Context, retry.Event) { log.add("%s", name) })
	}
	require.NoError(t, retry.WhenThrows().Listen(retry.Listeners(listener("a"), listener("b"))).Listen(listener("c")).
		Run(t.Context(), scripted(nil).run))
	require.Equal(t, []string{"a", "b", "c"}, log.all())

	log.lines = nil
	retry.Listeners(listener("a"), retry.Listeners(listener("b"), listener("c"))).On(t.Context(), retry.Succeeded{})
	require.Equal(t, []string{"a", "b", "c"}, log.all())

	require.Nil(t, retry.Listeners())
	require.Nil(t, retry.Listeners(nil, nil), "nil is nobody")
	require.Equal(t, retry.Listener(log), retry.Listeners(nil, log))
	require.NoError(t, retry.WhenThrows().Listen(nil).Run(t.Context(), scripted(nil).run))
}
