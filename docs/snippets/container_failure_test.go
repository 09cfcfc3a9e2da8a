package snippets_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/container/containertest"
)

var errNoDatabase = errors.New("connection refused")

// WireOrders builds on a database that is not there the first time.
func WireOrders(c *container.Container, tries *int) {
	c.Provide(func() (*DB, error) {
		if *tries++; *tries < 2 {
			return nil, errNoDatabase
		}
		return &DB{"orders"}, nil
	})
	c.Provide(func(db *DB) *Orders { return &Orders{db} })
	c.Provide(func(*Orders) *Cart { return &Cart{} })
}

func TestAFailedConstructor(t *testing.T) {
	tries := 0
	c := container.New()
	WireOrders(c, &tries)

	_, err := container.Get[*Cart](c)
	require.ErrorIs(t, err, errNoDatabase)

	_, again := container.Get[*Cart](c) // runs the constructor of the DB again

	require.NoError(t, again)
	require.Equal(t, 2, tries)
	containertest.Golden(t, "testdata/container_failure.txt", err.Error()+"\n")
}
