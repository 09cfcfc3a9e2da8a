package container_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

// Journal is what aspects write to.
type Journal struct{ lines []string }

func (j *Journal) write(text string) { j.lines = append(j.lines, text) }

// Transactions begins one around each call.
type Transactions struct{ journal *Journal }

func (a *Transactions) Process(jp aspect.JoinPoint) error {
	a.journal.write("begin")
	err := jp.Proceed()
	if err != nil {
		a.journal.write("roll back")
	} else {
		a.journal.write("commit")
	}
	return err
}

// Auditing notes each call.
type Auditing struct{ journal *Journal }

func (a *Auditing) Process(jp aspect.JoinPoint) error {
	a.journal.write("audit")
	return jp.Proceed()
}

// dry stands in for Transactions.
type dry struct{ journal *Journal }

func (a dry) Process(jp aspect.JoinPoint) error { a.journal.write("dry"); return jp.Proceed() }

// marking is a decorator of an aspect.
type marking struct {
	aspect.Aspect
	journal *Journal
}

func (a marking) Process(jp aspect.JoinPoint) error {
	a.journal.write("marked")
	return a.Aspect.Process(jp)
}

func TestAspectsThatAreServicesKeepTheirOrders(t *testing.T) {
	audited := func(c *container.Container, opts ...container.ProvideOption) {
		c.Provide(func(j *Journal) *Auditing { return &Auditing{j} }, append(opts, container.AsAspect(aspect.Any(), aspect.RetryPriority, aspect.OutsideOf[*Transactions]()))...)
	}
	inside := container.AsAspect(aspect.Method(Caller.Call), aspect.RetryPriority, aspect.InsideOf[aspect.RetryAspect]())
	outside := container.AsAspect(aspect.Method(Caller.Call), aspect.RetryPriority, aspect.OutsideOf[aspect.RetryAspect]())
	for _, test := range []struct {
		name string
		wire func(c *container.Container, j *Journal)
		want []string
	}{
		{"a transaction inside of the retry: one for each attempt", func(c *container.Container, _ *Journal) {
			c.Provide(func(j *Journal) *Transactions { return &Transactions{j} }, inside)
		}, []string{"begin", "roll back", "begin", "commit"}},
		{"a transaction outside of the retry: one for all", func(c *container.Container, _ *Journal) {
			c.Provide(func(j *Journal) *Transactions { return &Transactions{j} }, outside)
		}, []string{"begin", "commit"}},
		{"given later, and outside", func(c *container.Container, _ *Journal) {
			c.Provide(func(j *Journal) *Transactions { return &Transactions{j} }, inside)
			audited(c)
		}, []string{"audit", "begin", "roll back", "audit", "begin", "commit"}},
		{"of a constructor that returns an interface and says what it builds", func(c *container.Container, _ *Journal) {
			c.Provide(func(j *Journal) aspect.Aspect { return &Transactions{j} }, container.Impl[*Transactions](), inside)
			audited(c, container.Name("audit"))
		}, []string{"audit", "begin", "roll back", "audit", "begin", "commit"}},
		{"of a supplied one", func(c *container.Container, j *Journal) {
			c.Supply(&Transactions{j}, inside)
			audited(c)
		}, []string{"audit", "begin", "roll back", "audit", "begin", "commit"}},
		{"of an overridden one: what was provided is meant", func(c *container.Container, _ *Journal) {
			c.Provide(func(j *Journal) *Transactions { panic("it is replaced") }, container.As[aspect.Aspect](), inside)
			c.Override(func(j *Journal) dry { return dry{j} }, container.As[aspect.Aspect]())
			audited(c)
		}, []string{"audit", "dry", "audit", "dry"}},
		{"of a decorated one", func(c *container.Container, _ *Journal) {
			c.Provide(func(j *Journal) *Transactions { return &Transactions{j} }, container.As[aspect.Aspect](), inside)
			c.Decorate(func(a aspect.Aspect, j *Journal) aspect.Aspect { return marking{a, j} })
			audited(c)
		}, []string{"audit", "marked", "begin", "roll back", "audit", "marked", "begin", "commit"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, journal := container.New(), &Journal{}
			c.Supply(journal)
			c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), container.Annotate[aliases.Retry]("Call", annotation.MaxAttempts(2)))
			c.Decorate(func(Caller) Caller { return &downOnce{} })
			test.wire(c, journal)
			require.NoError(t, must[Caller](t, c).Call(t.Context()))
			require.Equal(t, test.want, journal.lines)
		})
	}
}

// downOnce is a Caller whose first call fails.
type downOnce struct{ called bool }

func (d *downOnce) Call(context.Context) error {
	if !d.called {
		d.called = true
		return errDown
	}
	return nil
}

func TestOrdersOfAspectsThatCannotBeKeptAreReportedOnceWithTheirPlaces(t *testing.T) {
	transactions := func(*Journal) *Transactions { panic("verifying builds nothing") }
	auditing := func(*Journal) *Auditing { panic("verifying builds nothing") }
	for _, test := range []struct {
		name         string
		transactions container.ProvideOption
		auditing     container.ProvideOption
		want         string
	}{
		{
			"a priority says otherwise",
			container.AsAspect(aspect.Any(), 5, aspect.OutsideOf[*Auditing]()),
			container.AsAspect(aspect.Any(), 7),
			"backstay: Transactions has priority 5 and is to be outside of container_test.Auditing, and Auditing (HERE) has 7: larger priorities are further out; " +
				"give Transactions a priority of at least 7, or leave the order out (HERE)",
		},
		{
			"each wants to be outside",
			container.AsAspect(aspect.Any(), 5, aspect.OutsideOf[Auditing]()),
			container.AsAspect(aspect.Any(), 5, aspect.OutsideOf[Transactions]()),
			"backstay: the orders of aspects go in a circle: Transactions inside of Auditing (HERE), Auditing inside of Transactions (HERE); " +
				"leave one of these orders out (HERE)",
		},
		{
			"nobody is meant",
			container.AsAspect(aspect.Any(), 5, aspect.InsideOf[*dry]()),
			container.AsAspect(aspect.Any(), 5),
			"backstay: Transactions is to be inside of container_test.dry, and there is no other aspect of that type; " +
				"leave the order out, or name one of these: RetryAspect, Auditing (HERE)",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := container.New()
			c.Provide(func() *Journal { panic("verifying builds nothing") })
			c.Provide(func() *Plain { panic("verifying builds nothing") }, container.As[Caller]())
			c.Provide(func() *Plain { panic("verifying builds nothing") }, container.As[Caller](), container.Name("other"))
			c.Provide(transactions, test.transactions)
			c.Provide(auditing, test.auditing)
			require.Equal(t, []string{test.want}, verified(t, c))
		})
	}
}
