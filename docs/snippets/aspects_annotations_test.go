package snippets_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

// Audited says that calls of a method are recorded.
type Audited struct {
	Topic string
	Level int
}

// Validate says what is wrong with the fields. Verify reports it, with the place of the annotation.
func (a Audited) Validate() error {
	if a.Level < 0 {
		return errors.New("level is below zero")
	}
	return nil
}

// Accounts is a service of a bank.
type Accounts interface {
	Balance(ctx context.Context, id string) (int, error)
	Withdraw(ctx context.Context, id string, amount int) error
}

type BankAccounts struct {
	_ annotation.On[Audited] `method:"*" topic:"accounts"`             // all methods of the class
	_ annotation.On[Audited] `method:"Withdraw" topic:"money"`         // nearer: it replaces the one for all
	_ annotation.On[Audited] `method:"Withdraw" topic:"law" level:"2"` // one more
}

func (*BankAccounts) Balance(context.Context, string) (int, error) { return 7, nil }
func (*BankAccounts) Withdraw(context.Context, string, int) error  { return nil }

// Journal is the aspect that reads Audited.
type Journal struct{ lines []string }

func (j *Journal) Process(jp aspect.JoinPoint) error {
	err := jp.Proceed()
	for _, a := range aspect.AnnotationsOf[Audited](jp) {
		j.lines = append(j.lines, fmt.Sprintf("%s/%d: %v err=%v", a.Topic, a.Level, jp.Ref(), err))
	}
	return err
}

func TestOwnAnnotationsByTag(t *testing.T) {
	journal := &Journal{}
	c := container.New()
	c.Provide(func() *BankAccounts { return &BankAccounts{} }, container.As[Accounts]())

	c.Supply(journal, container.AsAspect(aspect.Annotated[Audited](), aspect.RetryPriority+1))

	accounts, err := container.Get[Accounts](c)
	require.NoError(t, err)
	_, err = accounts.Balance(t.Context(), "a")
	require.NoError(t, err)
	require.NoError(t, accounts.Withdraw(t.Context(), "a", 5))
	require.Equal(t, []string{
		"accounts/0: BankAccounts@Balance err=<nil>",
		"money/0: BankAccounts@Withdraw err=<nil>", "law/2: BankAccounts@Withdraw err=<nil>",
	}, journal.lines)
}

// CashAccounts is declared where it is provided.
type CashAccounts struct{ BankOfNothing }

// BankOfNothing has no marks.
type BankOfNothing struct{}

func (*BankOfNothing) Balance(context.Context, string) (int, error) { return 0, nil }
func (*BankOfNothing) Withdraw(context.Context, string, int) error  { return nil }

func NewCashAccounts() *CashAccounts { return &CashAccounts{} }

// Personal is an Audited of its own: Audited is its kind.
type Personal struct {
	Audited
	Reason string
}

func TestOwnAnnotationsAtTheRegistration(t *testing.T) {
	journal := &Journal{}
	c := container.New()

	c.Provide(NewCashAccounts, container.As[Accounts](),
		container.Annotate[Audited]("*", annotation.Set(func(a *Audited) { a.Topic = "cash" })),
		container.Annotate[Personal](Accounts.Balance, annotation.Set(func(p *Personal) {
			p.Topic, p.Reason = "people", "it tells what somebody has"
		})))

	c.Supply(journal, container.AsAspect(aspect.Annotated[Audited](), aspect.RetryPriority+1))
	accounts, err := container.Get[Accounts](c)
	require.NoError(t, err)
	_, err = accounts.Balance(t.Context(), "a")
	require.NoError(t, err)
	require.Equal(t, []string{"people/0: CashAccounts@Balance err=<nil>", "cash/0: CashAccounts@Balance err=<nil>"}, journal.lines)

	var lines []string
	for _, e := range annotation.AllOf[Audited](c.Registry()) { // by kind: Personal too
		lines = append(lines, fmt.Sprintf("%v %T", e.Ref, e.Annotation))
	}
	for _, e := range c.Registry().Of(Accounts.Withdraw) { // of one method, nearest first
		lines = append(lines, fmt.Sprintf("%v %s", e.Ref, e.Annotation.(Audited).Topic))
	}

	require.Equal(t, []string{
		"CashAccounts@Balance snippets_test.Personal", "CashAccounts@Balance snippets_test.Audited", "CashAccounts@Withdraw snippets_test.Audited",
		"CashAccounts@Withdraw cash",
	}, lines)
}

func TestATagAndARegistrationAreOneAnnotationAndSeveralOfEitherAreNone(t *testing.T) {
	level := container.Annotate[Audited](Accounts.Withdraw, annotation.Set(func(a *Audited) { a.Level = 3 }))
	tax := container.Annotate[Audited](Accounts.Withdraw, annotation.Set(func(a *Audited) { a.Topic = "tax" }))

	require.Equal(t, []Audited{{"money", 3}}, ledgerWithdraw(t, level))                           // one of each: one annotation
	require.Equal(t, []Audited{{"", 3}, {"tax", 0}, {"money", 0}}, ledgerWithdraw(t, level, tax)) // each by itself
}

// ledgerWithdraw is what is declared for LedgerAccounts@Withdraw.
func ledgerWithdraw(t *testing.T, opts ...container.ProvideOption) (all []Audited) {
	t.Helper()
	c := container.New()
	c.Provide(func() *LedgerAccounts { return &LedgerAccounts{} }, append(opts, container.As[Accounts]())...)
	c.Supply(&Journal{}, container.AsAspect(aspect.Annotated[Audited](), 1))
	require.NoError(t, c.Verify())
	for _, e := range c.Registry().Of(Accounts.Withdraw) {
		all = append(all, e.Annotation.(Audited))
	}
	return all
}

type LedgerAccounts struct {
	_ annotation.On[Audited] `method:"Withdraw" topic:"money"`
	BankOfNothing
}

func TestAnAnnotationIsValidated(t *testing.T) {
	c := container.New()
	c.Provide(NewCashAccounts, container.As[Accounts](),
		container.Annotate[Audited]("*", annotation.Set(func(a *Audited) { a.Level = -1 })))
	require.ErrorContains(t, c.Verify(), "level is below zero")
}

func TestAnnotationsForManyServicesAndForADeployment(t *testing.T) {
	journal := &Journal{}
	calls := 0
	c := container.New()
	c.Provide(NewCashAccounts, container.As[Accounts]())
	c.Provide(station(func(context.Context, string) (string, error) {
		calls++
		return "", errStation
	}), container.As[Weather](), container.Annotate[aliases.Retry](Weather.Forecast))
	c.Supply(journal, container.AsAspect(aspect.Annotated[Audited](), aspect.RetryPriority+1))

	container.AnnotateAll[Audited](c, aspect.And(aspect.Class("*Accounts"), aspect.Method("With*")),
		annotation.Set(func(a *Audited) { a.Topic = "money" }))

	c.Configure("StationWeather@Forecast", annotation.MaxAttempts(2))
	c.Configure("Cash*@*", annotation.Set(func(a *Audited) { a.Level = 3 }))

	require.NoError(t, c.Invoke(func(a Accounts, w Weather) {
		require.NoError(t, a.Withdraw(t.Context(), "a", 5))
		_, err := w.Forecast(t.Context(), "Oslo")
		require.ErrorIs(t, err, errStation)
	}))
	require.Equal(t, 2, calls)
	require.Equal(t, []string{"money/3: CashAccounts@Withdraw err=<nil>"}, journal.lines)
}

func TestADeploymentTurnsAnnotationsOff(t *testing.T) {
	calls := 0
	c := container.New()
	c.Provide(station(func(context.Context, string) (string, error) {
		calls++
		return "", errStation
	}), container.As[Weather](), container.Annotate[aliases.Retry](Weather.Forecast))

	c.Configure("*@*", annotation.Enabled[annotation.AbstractRetry](false)) // nothing retries here

	weather, err := container.Get[Weather](c)
	require.NoError(t, err)
	_, err = weather.Forecast(t.Context(), "Oslo")
	require.ErrorIs(t, err, errStation)
	require.Equal(t, 1, calls)
}
