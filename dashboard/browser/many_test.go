package browser_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/dashboard"
)

// The kinds of services of a market; each needs kinds that come after it.
type (
	Source interface {
		Load(ctx context.Context, key string) error
		Refresh(ctx context.Context, key string) error
	}
	Searches interface{ Source }
	Catalogs interface{ Source }
	Offers   interface{ Source }
	Stocks   interface{ Source }
	Taxes    interface{ Source }
	Accounts interface{ Source }

	source struct {
		_ annotation.On[aliases.Retry]          `method:"*" maxAttempts:"3"`
		_ annotation.On[aliases.CircuitBreaker] `method:"Load" breaker:"window=60,minCalls=20,failureRatio=0.5,resetTimeout=5s"`
		*peer
	}
	SearchIndex  struct{ source }
	CatalogStore struct{ source }
	OfferStore   struct{ source }
	StockStore   struct{ source }
	TaxTable     struct{ source }
	AccountStore struct{ source }
)

func (s source) Load(ctx context.Context, _ string) error    { return s.call(ctx) }
func (s source) Refresh(ctx context.Context, _ string) error { return s.call(ctx) }

// market is a container with fifty services of each kind.
type market struct {
	*container.Container
	board   *dashboard.Dashboard
	sources []*marketSource
}

type marketSource struct {
	Source
	ref string // of the service
	peer
}

const markets = 50

func newMarket(t *testing.T) *market {
	t.Helper()
	m := &market{board: dashboard.New()}
	m.Container = container.New(container.WithListener(m.board))
	var get []func() error
	for i := range markets {
		name := fmt.Sprintf("shop-%02d", i)
		get = append(get,
			provide[Searches](m, name, func(s source) *SearchIndex { return &SearchIndex{s} }, reflect.TypeFor[Catalogs]()),
			provide[Catalogs](m, name, func(s source) *CatalogStore { return &CatalogStore{s} }, reflect.TypeFor[Offers](), reflect.TypeFor[Stocks]()),
			provide[Offers](m, name, func(s source) *OfferStore { return &OfferStore{s} }, reflect.TypeFor[Taxes](), reflect.TypeFor[Accounts]()),
			provide[Stocks](m, name, func(s source) *StockStore { return &StockStore{s} }, reflect.TypeFor[Accounts]()),
			provide[Taxes](m, name, func(s source) *TaxTable { return &TaxTable{s} }),
			provide[Accounts](m, name, func(s source) *AccountStore { return &AccountStore{s} }))
	}
	for _, get := range get {
		require.NoError(t, get())
	}
	return m
}

// provide registers a service under a name, with a constructor that takes what it needs of the same name. The func that it
// returns asks for the service.
func provide[I Source, T any](m *market, name string, build func(source) *T, needs ...reflect.Type) (get func() error) {
	s := &marketSource{ref: fmt.Sprintf("%s#%s", reflect.TypeFor[T]().Name(), name)}
	m.sources = append(m.sources, s)
	fields := []reflect.StructField{{Name: "In", Type: reflect.TypeFor[container.In](), Anonymous: true}}
	for _, need := range needs {
		fields = append(fields, reflect.StructField{Name: need.Name(), Type: need, Tag: reflect.StructTag(fmt.Sprintf("name:%q", name))})
	}
	constructor := reflect.MakeFunc(
		reflect.FuncOf([]reflect.Type{reflect.StructOf(fields)}, []reflect.Type{reflect.TypeFor[*T]()}, false),
		func([]reflect.Value) []reflect.Value {
			return []reflect.Value{reflect.ValueOf(build(source{peer: &s.peer}))}
		})
	m.Provide(constructor.Interface(), container.As[I](), container.Name(name))
	return func() error {
		woven, err := container.Get[I](m, container.Name(name))
		s.Source = woven
		return err
	}
}

// of is the service of a reference.
func (m *market) of(t *testing.T, ref string) *marketSource {
	t.Helper()
	for _, s := range m.sources {
		if s.ref == ref {
			return s
		}
	}
	t.Fatalf("there is no %s", ref)
	return nil
}

// served is the address of the market's page.
func (m *market) served(t *testing.T) string {
	t.Helper()
	return served(t, m.board, m)
}
