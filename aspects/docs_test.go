package aspects_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/aspects"
	"github.com/backstay/backstay/container"
)

// What docs/aspects.md shows of this module.

// Stations finds weather stations.
type Stations interface {
	Find(ctx context.Context, city string) (string, error)
}

// Table is where stations are.
type Table struct{ queries int }

type SQLStations struct {
	_  annotation.On[aspects.Cacheable] `method:"Find" ttl:"30s"`
	_  annotation.On[aspects.Bulkhead]  `method:"*" maxConcurrent:"10" maxQueue:"50" maxWait:"200ms"`
	db *Table
}

func NewSQLStations(db *Table) *SQLStations { return &SQLStations{db: db} }

func (s *SQLStations) Find(_ context.Context, city string) (string, error) {
	s.db.queries++
	return "station of " + city, nil
}

func TestReadyMadeAspectsAreProvidedLikeOnesOwn(t *testing.T) {
	var out strings.Builder
	logger := slog.New(slog.NewTextHandler(&out, nil))
	table := &Table{}
	c := container.New()
	c.Supply(table)
	c.Provide(NewSQLStations, container.As[Stations]())

	c.Supply(aspects.NewCache(),
		container.AsAspect(aspect.Annotated[aspects.Cacheable](), aspects.CachePriority))
	c.Supply(aspects.NewBulkhead(),
		container.AsAspect(aspect.Annotated[aspects.Bulkhead](), aspects.BulkheadPriority))
	c.Supply(aspects.NewLogging(logger),
		container.AsAspect(aspect.Interface[Stations](), aspects.LoggingPriority))

	stations, err := container.Get[Stations](c)
	require.NoError(t, err)
	for range 2 {
		found, err := stations.Find(t.Context(), "Oslo")
		require.NoError(t, err)
		require.Equal(t, "station of Oslo", found)
	}
	require.Equal(t, 1, table.queries)
	require.Equal(t, 2, strings.Count(out.String(), "class=SQLStations method=Find"))
}
