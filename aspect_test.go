package backstay_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/container/containertest"
	"github.com/backstay/backstay/retry"
)

// The whole system, used as a user would use it: a shop with its upstreams, and what becomes of its calls.

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	errDown     = errors.New("peer is down")
	errDeclined = errors.New("card declined")
)

// script answers call after call; its last answer stays.
type script struct {
	mu      sync.Mutex
	answers []error
	calls   int
}

func (s *script) next() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.answers[min(s.calls, len(s.answers)-1)]
	s.calls++
	return err
}

func fails(n int, then error) *script {
	s := &script{}
	for range n {
		s.answers = append(s.answers, errDown)
	}
	s.answers = append(s.answers, then)
	return s
}

type Bank interface {
	Charge(ctx context.Context, order string, cents int) (receipt string, err error)
	Refund(ctx context.Context, order string) error
	Ready(ctx context.Context) (bool, error)
	Name() string
}

// HTTPBank declares by tags.
type HTTPBank struct {
	_ annotation.On[aliases.BackoffRetryThrowable] `method:"Charge" maxAttempts:"4" fallback:"Ledger@Book"`
	_ annotation.On[aliases.RetryFalsy]            `method:"Ready" maxAttempts:"3"`

	*script
	seen func(retry.Attempt)
}

func (b *HTTPBank) Charge(ctx context.Context, order string, _ int) (string, error) {
	if a, ok := retry.FromContext(ctx); ok && b.seen != nil {
		b.seen(a)
	}
	return "paid " + order, b.next()
}
func (b *HTTPBank) Refund(context.Context, string) error { return b.next() }
func (b *HTTPBank) Ready(context.Context) (bool, error)  { err := b.next(); return err == nil, nil }
func (b *HTTPBank) Name() string                         { return "bank" }

// Ledger is a fallback with a dependency of its own.
type Ledger struct{ book *Book }

type Book struct{ lines []string }

func (l *Ledger) Book(_ context.Context, order string, cents int, cause error) (string, error) {
	l.book.lines = append(l.book.lines, fmt.Sprintf("%s %d: %v", order, cents, cause))
	return "owed " + order, nil
}

// shop wires the bank.
func shop(bank *HTTPBank, more ...container.ProvideOption) func(*container.Container) {
	return func(c *container.Container) {
		c.Provide(func() *HTTPBank { return bank }, append(more, container.As[Bank]())...)
		c.Provide(func(b *Book) *Ledger { return &Ledger{b} })
		c.Supply(&Book{})
	}
}

func get[T any](t *testing.T, c *container.Container) T {
	t.Helper()
	v, err := container.Get[T](c)
	require.NoError(t, err)
	return v
}

func TestATagDeclaresAndTheCallerSeesNothingOfIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bank := &HTTPBank{script: fails(3, nil)}
		c, rec := containertest.New(t, shop(bank))
		begin := time.Now()
		receipt, err := get[Bank](t, c).Charge(t.Context(), "42", 100)
		require.NoError(t, err)
		require.Equal(t, "paid 42", receipt)
		require.Equal(t, 4, bank.calls)
		require.Equal(t, 4, rec.Attempts(Bank.Charge))
		took := time.Since(begin) // 100, 200 and 400 ms, each up to 20 % longer
		require.True(t, took >= 700*time.Millisecond && took <= 840*time.Millisecond, took)
	})
}

func TestAFallbackIsLookedUpWithItsDependencies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bank := &HTTPBank{script: fails(99, nil)}
		c, _ := containertest.New(t, shop(bank))
		receipt, err := get[Bank](t, c).Charge(t.Context(), "42", 100)
		require.NoError(t, err)
		require.Equal(t, "owed 42", receipt)
		require.Equal(t, 4, bank.calls)
		require.Equal(t, []string{"42 100: peer is down"}, get[*Book](t, c).lines)
	})
}

func TestAnOptionAtRegistrationIsCheckedByTheCompilerAndTunesTheTag(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bank := &HTTPBank{script: fails(99, nil)}
		c, _ := containertest.New(t, shop(bank,
			container.Annotate[aliases.BackoffRetryThrowable](Bank.Charge, annotation.MaxAttempts(2)),
			container.Annotate[aliases.Retry](Bank.Refund, annotation.MaxAttempts(3), annotation.WrapExhausted(true))))
		_, err := get[Bank](t, c).Charge(t.Context(), "42", 100)
		require.NoError(t, err, "the tag's fallback stays")
		require.Equal(t, 2, bank.calls)

		bank.calls = 0
		err = get[Bank](t, c).Refund(t.Context(), "42")
		var exhausted *retry.ExhaustedError
		require.ErrorAs(t, err, &exhausted)
		require.Equal(t, 3, exhausted.Attempts)
		require.Equal(t, retry.MaxAttempts.Kind(), exhausted.Limit)
		require.ErrorIs(t, err, errDown)
	})
}

func TestFalsyResultsAreRetriedAndErrorsAreNot(t *testing.T) {
	bank := &HTTPBank{script: fails(2, nil)}
	c, _ := containertest.New(t, shop(bank, container.Annotate[aliases.RetryFalsy](Bank.Ready,
		annotation.Budget(retry.BudgetSettings{TTL: 10 * time.Second, MinPerSec: 10}))))
	ready, err := get[Bank](t, c).Ready(t.Context())
	require.NoError(t, err)
	require.True(t, ready)
	require.Equal(t, 3, bank.calls)
}

// MoneyRetry is a team's rule: an alias of an alias, with an attribute of its own.
type MoneyRetry struct {
	aliases.BackoffRetryThrowable
	Currency string
}

func (MoneyRetry) Defaults() []annotation.Option {
	return []annotation.Option{
		annotation.MaxAttempts(3),
		annotation.IgnoreErrors(retry.Is(errDeclined)),
		annotation.AddPolicies(Banks),
	}
}

// Banks is a policy of the team's own: no retries in a currency whose banks are closed.
var Banks = retry.PolicyFrom("banks", func(a MoneyRetry, open *OpenBanks) *banks { return &banks{a.Currency, open} })

type OpenBanks struct{ closed string }

type banks struct {
	currency string
	open     *OpenBanks
}

func (*banks) Kind() string { return "banks" }
func (b *banks) Limit(*retry.Session) error {
	if b.currency == b.open.closed {
		return errors.New("banks are closed")
	}
	return nil
}

func TestACustomAliasBringsItsAttributesAndPolicies(t *testing.T) {
	for _, c := range []struct {
		name, currency string
		answer         error
		calls          int
		limit          string
	}{
		{"banks are open", "EUR", errDown, 3, "maxAttempts"},
		{"banks are closed", "JPY", errDown, 1, "banks"},
		{"an answer is not a failure", "EUR", errDeclined, 1, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				bank := &HTTPBank{script: fails(0, c.answer)}
				ctn, _ := containertest.New(t, shop(bank, container.Annotate[MoneyRetry](Bank.Refund,
					annotation.Set(func(a *MoneyRetry) { a.Currency = c.currency }))),
					func(ctn *container.Container) { ctn.Supply(&OpenBanks{closed: "JPY"}) })
				ctx, report := retry.WithReport(t.Context())
				require.ErrorIs(t, get[Bank](t, ctn).Refund(ctx, "42"), c.answer)
				require.Equal(t, c.calls, bank.calls)
				require.Equal(t, c.limit, report.Limit)
			})
		})
	}
}

func TestABreakerStopsCallingAndFindsOutWhenThePeerIsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bank := &HTTPBank{script: fails(4, nil)}
		c, rec := containertest.New(t, shop(bank, container.Annotate[aliases.CircuitBreaker](Bank.Refund, annotation.MaxAttempts(1),
			annotation.Breaker(retry.BreakerSettings{ResetTimeout: 10 * time.Second, Window: 4, FailureRatio: .5}))))
		b := get[Bank](t, c)
		for range 4 {
			require.ErrorIs(t, b.Refund(t.Context(), "42"), errDown)
		}
		err := b.Refund(t.Context(), "42")
		require.ErrorIs(t, err, retry.ErrCircuitOpen)
		var rejected *retry.RejectedError
		require.ErrorAs(t, err, &rejected)
		require.Equal(t, 10*time.Second, rejected.RetryAfter())
		require.Equal(t, 4, bank.calls)

		breaker, err := c.Breaker(Bank.Refund)
		require.NoError(t, err)
		require.Equal(t, retry.BreakerOpen, breaker.State())
		time.Sleep(10 * time.Second)
		require.NoError(t, b.Refund(t.Context(), "42"))
		require.Equal(t, retry.BreakerClosed, breaker.State())

		var states []retry.BreakerState
		for _, e := range rec.Events() {
			if e, ok := e.(retry.BreakerChanged); ok {
				states = append(states, e.To)
			}
		}
		require.Equal(t, []retry.BreakerState{retry.BreakerOpen, retry.BreakerHalfOpen, retry.BreakerClosed}, states)
	})
}

// In an outage of a minute at 100 calls a second, retries stay within a fifth of the calls and one a second.
func TestABudgetBoundsRetriesInAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bank := &HTTPBank{script: fails(0, errDown)}
		c, _ := containertest.New(t, shop(bank, container.Annotate[aliases.Retry](Bank.Refund, annotation.MaxAttempts(4))))
		b := get[Bank](t, c)
		const calls = 6000
		for range calls {
			_ = b.Refund(t.Context(), "42")
			time.Sleep(10 * time.Millisecond)
		}
		amplification := float64(bank.calls) / calls
		require.Greater(t, amplification, 1.15)
		require.Less(t, amplification, 1.22)
	})
}

func TestAPanicPassesThroughUnchangedAndIsAFailureForTheBreaker(t *testing.T) {
	bank := &HTTPBank{script: fails(0, nil)}
	c, _ := containertest.New(t, shop(bank, container.Annotate[aliases.CircuitBreaker](Bank.Refund)),
		func(c *container.Container) {
			c.Override(func() Bank { return panicking{} })
		})
	b := get[Bank](t, c)
	require.PanicsWithValue(t, "bug in the bank", func() { _ = b.Refund(t.Context(), "42") })
	require.ErrorIs(t, b.Refund(t.Context(), "42"), retry.ErrCircuitOpen)
}

type panicking struct{ Bank }

func (panicking) Refund(context.Context, string) error { panic("bug in the bank") }

func TestACancelEndsAWaitAndTheErrorSaysAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bank := &HTTPBank{script: fails(99, nil)}
		c, _ := containertest.New(t, shop(bank))
		ctx, cancel := context.WithCancelCause(t.Context())
		hungUp := errors.New("the caller hung up")
		time.AfterFunc(150*time.Millisecond, func() { cancel(hungUp) })
		_, err := get[Bank](t, c).Charge(ctx, "42", 100)
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, hungUp)
		require.ErrorIs(t, err, errDown)
		require.Equal(t, 2, bank.calls)
		require.Empty(t, get[*Book](t, c).lines, "no fallback for a caller who has gone")
	})
}

func TestTheIdempotencyKeyIsTheSameInAllAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []retry.Attempt
		bank := &HTTPBank{script: fails(3, nil), seen: func(a retry.Attempt) { seen = append(seen, a) }}
		c, _ := containertest.New(t, shop(bank))
		_, err := get[Bank](t, c).Charge(retry.WithKey(t.Context(), "order 42"), "42", 100)
		require.NoError(t, err)
		require.Len(t, seen, 4)
		for i, a := range seen {
			require.Equal(t, i+1, a.Number)
			require.Equal(t, 4, a.Limit)
			require.Equal(t, "order 42", a.Key)
		}
	})
}

func TestAnAspectOfOnesOwnStandsWhereItsPrioritySays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lines []string
		log := func(word string) aspect.Func {
			return func(jp aspect.JoinPoint) error {
				lines = append(lines, word+" "+jp.Ref().String())
				return jp.Proceed()
			}
		}
		bank := &HTTPBank{script: fails(1, nil)}
		c, _ := containertest.New(t, shop(bank), func(c *container.Container) {
			c.Supply(log("call"), container.Name("outside"), container.AsAspect(aspect.Method(Bank.Charge), aspect.RetryPriority+1))
			c.Supply(log("attempt"), container.Name("inside"), container.AsAspect(aspect.Annotated[annotation.AbstractRetry](), aspect.RetryPriority-1))
		})
		_, err := get[Bank](t, c).Charge(t.Context(), "42", 100)
		require.NoError(t, err)
		require.Equal(t, []string{"call HTTPBank@Charge", "attempt HTTPBank@Charge", "attempt HTTPBank@Charge"}, lines)
	})
}

func TestMethodsWithoutAnnotationsGoStraightThrough(t *testing.T) {
	c, rec := containertest.New(t, shop(&HTTPBank{script: fails(0, nil)}))
	b := get[Bank](t, c)
	require.True(t, aspect.IsWoven(b))
	require.Equal(t, "bank", b.Name())
	require.Empty(t, rec.Events())
	_, ok := aspect.Unwrap(b).(*HTTPBank)
	require.True(t, ok)
}

func TestMistakesAreFoundBeforeTheFirstConstructorRuns(t *testing.T) {
	c := container.New()
	c.Provide(func() *HTTPBank { panic("never built") }, container.As[Bank](),
		container.Annotate[aliases.Retry]("Chrage"))
	err := c.Verify()
	var mistake *annotation.DefinitionError
	require.ErrorAs(t, err, &mistake)
	require.Contains(t, err.Error(), "Charge", "what was meant")
	require.Contains(t, err.Error(), "Ledger", "the tag's fallback is not provided")
	for line := range strings.SplitSeq(err.Error(), "\n") {
		require.Contains(t, line, "HTTPBank")
	}
}

func TestManyGoroutinesShareOneWovenService(t *testing.T) {
	const goroutines, each = 100, 20
	var calls atomic.Int64
	c, rec := containertest.New(t, func(c *container.Container) {
		c.Provide(func() *counting { return &counting{calls: &calls} }, container.As[Pinger](),
			container.Annotate[aliases.Retry](Pinger.Ping, annotation.MaxAttempts(2),
				annotation.Budget(retry.BudgetSettings{TTL: 10 * time.Second, Percent: 1})))
	})
	var wg sync.WaitGroup
	var failed atomic.Int64
	for range goroutines {
		wg.Go(func() {
			p, err := container.Get[Pinger](c) // the first use, by all of them at once
			if err != nil {
				failed.Add(1)
				return
			}
			for i := range each {
				if p.Ping(context.Background(), i%2 == 0) != nil {
					failed.Add(1)
				}
			}
		})
	}
	wg.Wait()
	require.Zero(t, failed.Load())
	require.Equal(t, int64(goroutines*each*3/2), calls.Load(), "every other call fails once and is retried")
	require.Equal(t, int(calls.Load()), rec.Attempts("counting@Ping"))
}

type Pinger interface {
	Ping(ctx context.Context, failOnce bool) error
}

type counting struct{ calls *atomic.Int64 }

func (p *counting) Ping(ctx context.Context, failOnce bool) error {
	p.calls.Add(1)
	if a, _ := retry.FromContext(ctx); failOnce && a.Number == 1 {
		return errDown
	}
	return nil
}
