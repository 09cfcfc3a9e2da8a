// A transaction for each attempt: an aspect with an own annotation that has to be inside the retry and outside of a log.
// A run asserts two attempts in two transactions, the order of the chain as Explain tells it, and the error of a contradiction.
package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"

	"programs/check"
)

// Transactional says that a method runs in a transaction.
type Transactional struct{ ReadOnly bool }

type Orders interface {
	Place(ctx context.Context, item string) (id int, err error)
}

type SQLOrders struct {
	_ annotation.On[Transactional] `method:"Place"`
	_ annotation.On[aliases.Retry] `method:"Place" maxAttempts:"4"`

	log      *Log
	attempts int
}

func (o *SQLOrders) Place(ctx context.Context, item string) (int, error) {
	o.attempts++
	o.log.Add("%s in %v", item, ctx.Value(txKey{}))
	if o.attempts == 1 {
		return 0, errors.New("deadlock")
	}
	return 42, nil
}

type txKey struct{}

// Log is what the aspects write to.
type Log struct{ lines []string }

func (l *Log) Add(format string, args ...any) {
	l.lines = append(l.lines, fmt.Sprintf(format, args...))
}

// InTransaction begins a transaction, and commits it or rolls it back.
type InTransaction struct {
	log *Log
	n   int
}

func (a *InTransaction) Process(jp aspect.JoinPoint) error {
	a.n++
	tx := fmt.Sprintf("tx%d", a.n)
	jp.SetContext(context.WithValue(jp.Context(), txKey{}, tx))
	err := jp.Proceed()
	if err != nil {
		a.log.Add("rollback %s: %v", tx, err)
		return err
	}
	a.log.Add("commit %s", tx)
	return nil
}

// Tracing stands inside of the transaction.
type Tracing struct{ log *Log }

func (t *Tracing) Process(jp aspect.JoinPoint) error {
	defer t.log.Add("traced %s of %v", jp.Method().Name, jp.Context().Value(txKey{}))
	return jp.Proceed()
}

func wire(log *Log, priority int, orders ...aspect.Order) *container.Container {
	c := container.New()
	c.Supply(log)
	c.Provide(func(log *Log) *Tracing { return &Tracing{log} }, container.AsAspect(aspect.At("*Orders@*"), aspect.RetryPriority-1))
	c.Provide(func(log *Log) *InTransaction { return &InTransaction{log: log} },
		container.AsAspect(aspect.Annotated[Transactional](), priority, orders...))
	c.Provide(func(log *Log) *SQLOrders { return &SQLOrders{log: log} }, container.As[Orders]())
	return c
}

func main() {
	log := &Log{}
	// As far out as the tracing, and by its orders outside of that and inside of the retry.
	c := wire(log, aspect.RetryPriority-1, aspect.InsideOf[aspect.RetryAspect](), aspect.OutsideOf[*Tracing]())
	check.NoError("Verify", c.Verify())

	var chain []string
	for _, a := range c.Explain().Find("SQLOrders").Methods[0].Aspects {
		chain = append(chain, a.Name)
	}
	check.Equal("the chain", chain, []string{"RetryAspect", "InTransaction", "Tracing"})

	id, err := check.Must(container.Get[Orders](c)).Place(context.Background(), "book")
	check.True("placed", id == 42 && err == nil)
	check.Equal("what happened", log.lines, []string{
		"book in tx1", "traced Place of tx1", "rollback tx1: deadlock",
		"book in tx2", "traced Place of tx2", "commit tx2",
	})

	wrong := wire(log, aspect.RetryPriority+1, aspect.InsideOf[aspect.RetryAspect]()).Verify()
	check.True("a contradiction is a definition error", wrong != nil &&
		strings.Contains(wrong.Error(), "InTransaction has priority 1001 and is to be inside of aspect.RetryAspect, and RetryAspect has 1000"))
	check.Done()
}
