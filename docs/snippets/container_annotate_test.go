package snippets_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/container/containertest"
)

// Users and Invoices are repositories.
type Users interface {
	GetUser(ctx context.Context, id string) (string, error)
	SaveUser(ctx context.Context, id, name string) error
}

type Invoices interface {
	GetInvoice(ctx context.Context, id string) (int, error)
}

type PgUsers struct{}

func (*PgUsers) GetUser(context.Context, string) (string, error) { return "ann", nil }
func (*PgUsers) SaveUser(context.Context, string, string) error  { return nil }

type PgInvoices struct{}

func (*PgInvoices) GetInvoice(context.Context, string) (int, error) { return 1, nil }

func wireRepositories(c *container.Container) {
	c.Provide(func() *PgUsers { return &PgUsers{} }, container.As[Users]())
	c.Provide(func() *PgInvoices { return &PgInvoices{} }, container.As[Invoices]())
}

func TestAnnotateManyServices(t *testing.T) {
	c := container.New()
	wireRepositories(c)

	container.AnnotateAll[aliases.Retry](c,
		aspect.And(aspect.Class("Pg*"), aspect.Method("Get*")),
		annotation.MaxAttempts(3))

	reads := `
		policies: fallback, classifier, budget, maxAttempts, sleep
		maxAttempts: 3
	`
	containertest.AssertPolicy(t, c, "PgUsers@GetUser", reads)
	containertest.AssertPolicy(t, c, "PgInvoices@GetInvoice", reads)
	require.Empty(t, c.Registry().Of("PgUsers@SaveUser"))
}

func TestConfigureADeployment(t *testing.T) {
	c := container.New()
	wireRepositories(c)
	container.AnnotateAll[aliases.Retry](c, aspect.Class("Pg*"))

	c.Configure("PgUsers@GetUser", annotation.MaxAttempts(2), annotation.Timeout(3*time.Second))
	c.Configure("PgInvoices@*", annotation.Enabled[annotation.AbstractRetry](false)) // not retried here

	containertest.AssertPolicy(t, c, Users.GetUser, `
		policies: fallback, classifier, timeout, budget, maxAttempts, sleep
		maxAttempts: 2
		timeout: 3s
	`)
	require.Empty(t, c.Registry().Of(Invoices.GetInvoice))
}

func TestAConfigurationThatMeetsNothingIsADefinitionError(t *testing.T) {
	c := container.New()
	wireRepositories(c)
	container.AnnotateAll[aliases.Retry](c, aspect.Class("Pg*"))
	c.Configure("PgUser@GetUser", annotation.MaxAttempts(2))
	require.ErrorContains(t, c.Verify(), "did you mean PgUsers")
}
