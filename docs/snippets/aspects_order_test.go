package snippets_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

// Transactional says that a method runs in a transaction.
type Transactional struct{}

// Database begins transactions.
type Database struct{ log []string }

// Tx is a transaction.
type Tx struct{ db *Database }

func (d *Database) Begin(context.Context) (*Tx, error) {
	d.log = append(d.log, "begin")
	return &Tx{d}, nil
}

func (t *Tx) Commit() error {
	t.db.log = append(t.db.log, "commit")
	return nil
}

func (t *Tx) Rollback() { t.db.log = append(t.db.log, "rollback") }

type txKey struct{}

// InTransaction gives each attempt a transaction of its own.
type InTransaction struct{ db *Database }

func NewInTransaction(db *Database) *InTransaction { return &InTransaction{db} }

func (a *InTransaction) Process(jp aspect.JoinPoint) error {
	tx, err := a.db.Begin(jp.Context())
	if err != nil {
		return err
	}
	jp.SetContext(context.WithValue(jp.Context(), txKey{}, tx))
	if err := jp.Proceed(); err != nil {
		tx.Rollback()
		return err
	}
	return tx.Commit()
}

// SQLAccounts finds its first withdrawal in a deadlock.
type SQLAccounts struct {
	BankOfNothing
	calls int
}

func (s *SQLAccounts) Withdraw(ctx context.Context, _ string, _ int) error {
	if _, ok := ctx.Value(txKey{}).(*Tx); !ok {
		panic("there is no transaction")
	}
	if s.calls++; s.calls == 1 {
		return errStation
	}
	return nil
}

func NewSQLAccounts() *SQLAccounts { return &SQLAccounts{} }

func TestATransactionIsInsideTheRetry(t *testing.T) {
	db := &Database{}
	c := container.New()
	c.Supply(db)

	c.Provide(NewSQLAccounts, container.As[Accounts](),
		container.Annotate[aliases.Retry](Accounts.Withdraw),
		container.Annotate[Transactional](Accounts.Withdraw))
	c.Provide(NewInTransaction, container.AsAspect(aspect.Annotated[Transactional](), aspect.RetryPriority,
		aspect.InsideOf[aspect.RetryAspect]()))

	accounts, err := container.Get[Accounts](c)
	require.NoError(t, err)
	require.NoError(t, accounts.Withdraw(t.Context(), "a", 5))
	require.Equal(t, []string{"begin", "rollback", "begin", "commit"}, db.log)
	explained := c.Explain().String()
	require.Regexp(t, `(?s)RetryAspect.*InTransaction`, explained)
}

func TestAnOrderThatContradictsAPriorityIsADefinitionError(t *testing.T) {
	c := container.New()
	c.Supply(&Database{})
	c.Provide(NewSQLAccounts, container.As[Accounts](),
		container.Annotate[aliases.Retry](Accounts.Withdraw), container.Annotate[Transactional](Accounts.Withdraw))
	c.Provide(NewInTransaction, container.AsAspect(aspect.Annotated[Transactional](), aspect.RetryPriority+1,
		aspect.InsideOf[aspect.RetryAspect]()))
	require.ErrorContains(t, c.Verify(), "InTransaction has priority 1001 and is to be inside of aspect.RetryAspect, and RetryAspect has 1000")
}

func TestPrioritiesOutsideAndInsideTheRetry(t *testing.T) {
	var log []string
	leave := func(line string) aspect.Aspect {
		return aspect.Before(func(aspect.JoinPoint) error {
			log = append(log, line)
			return nil
		})
	}
	calls := 0
	c := container.New()
	c.Provide(station(func(context.Context, string) (string, error) {
		if calls++; calls == 1 {
			return "", errStation
		}
		return "sun", nil
	}), container.As[Weather](), container.Annotate[aliases.Retry](Weather.Forecast))

	c.Supply(leave("each call"), container.AsAspect(aspect.Method(Weather.Forecast), aspect.RetryPriority+1))
	c.Supply(leave("each attempt"), container.AsAspect(aspect.Method(Weather.Forecast), aspect.RetryPriority-1))

	weather, err := container.Get[Weather](c)
	require.NoError(t, err)
	_, err = weather.Forecast(t.Context(), "Oslo")
	require.NoError(t, err)
	require.Equal(t, []string{"each call", "each attempt", "each attempt"}, log)
}
