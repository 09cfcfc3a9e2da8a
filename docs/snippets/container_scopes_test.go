package snippets_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
)

// Tenant is what only a request knows.
type Tenant struct{ ID string }

// Prices are those of a tenant.
type Prices interface {
	Price(ctx context.Context, sku string) (string, error)
}

type TenantPrices struct {
	tenant Tenant
	db     *DB
	closed *int
}

func NewTenantPrices(tenant Tenant, db *DB) *TenantPrices {
	return &TenantPrices{tenant: tenant, db: db}
}

func (p *TenantPrices) Price(_ context.Context, sku string) (string, error) {
	return p.tenant.ID + "/" + sku, nil
}

// Close is called when the scope is closed.
func (p *TenantPrices) Close(context.Context) error {
	if p.closed != nil {
		*p.closed++
	}
	return nil
}

// WirePrices registers what each request has for itself.
func WirePrices(c *container.Container) {
	c.Supply(&DB{"postgres://prices"})
	container.Expect[Tenant](c) // each scope is supplied with one
	c.Provide(NewTenantPrices, container.As[Prices](), container.Scoped())
}

// PricesHandler opens a scope for each request.
func PricesHandler(c *container.Container) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scope := c.Scope()
		defer func() {
			if err := scope.Close(context.WithoutCancel(r.Context())); err != nil {
				slog.Error("close", "err", err)
			}
		}()
		scope.Supply(Tenant{r.Header.Get("X-Tenant")})

		err := scope.Invoke(func(prices Prices) error {
			price, err := prices.Price(r.Context(), r.URL.Query().Get("sku"))
			if err != nil {
				return err
			}
			_, err = io.WriteString(w, price)
			return err
		})
		if err != nil {
			http.Error(w, "no price", http.StatusInternalServerError)
		}
	})
}

func TestARequestHasAScope(t *testing.T) {
	closed := 0
	c := container.New()
	WirePrices(c)
	c.Override(func(tenant Tenant, db *DB) Prices { p := NewTenantPrices(tenant, db); p.closed = &closed; return p })
	require.NoError(t, c.Verify())

	h := PricesHandler(c)
	for _, tenant := range []string{"acme", "globex"} {
		r := httptest.NewRequest("GET", "/price?sku=boat", nil)
		r.Header.Set("X-Tenant", tenant)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.Equal(t, tenant+"/boat", w.Body.String())
	}
	require.Equal(t, 2, closed)
}

func TestWhatAScopeRefuses(t *testing.T) {
	c := container.New()
	WirePrices(c)

	scope := c.Scope()
	_, err := container.Get[Prices](scope)
	require.ErrorContains(t, err, "snippets_test.Tenant") // nobody has supplied it
	require.NoError(t, scope.Close(t.Context()))
	_, err = container.Get[*DB](scope)
	require.Error(t, err, "it is closed")

	_, err = container.Get[Prices](c)
	require.ErrorContains(t, err, "scope")

	c = container.New()
	WirePrices(c)
	c.Provide(func(prices Prices) *Checkout { return nil }) // once, for everybody
	require.ErrorContains(t, c.Verify(), "Checkout: ")

	c = container.New()
	c.Supply(&DB{})
	c.Provide(NewTenantPrices, container.As[Prices](), container.Scoped())
	require.ErrorContains(t, c.Verify(), "nothing provides snippets_test.Tenant, which its constructor takes")
}

// What a scope has built is closed in reverse order, all of it, and the errors are joined.
func TestAScopeClosesInReverseOrder(t *testing.T) {
	var order []string
	errLast := errors.New("last")
	c := container.New()

	c.Provide(func() (*DB, func()) { // the second result is a cleanup
		return &DB{"scratch"}, func() { order = append(order, "scratch") }
	}, container.Scoped())
	c.Provide(func(db *DB) (*Orders, func() error) {
		return &Orders{db}, func() error { order = append(order, "orders"); return errLast }
	}, container.Scoped())

	scope := c.Scope()
	_, err := container.Get[*Orders](scope)
	require.NoError(t, err)
	require.ErrorIs(t, scope.Close(t.Context()), errLast)
	require.Equal(t, []string{"orders", "scratch"}, order)
	require.NoError(t, scope.Close(t.Context()))
}
