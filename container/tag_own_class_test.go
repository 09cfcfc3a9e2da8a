package container_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
)

type Depot interface {
	Take(ctx context.Context) (string, error)
}

// Branch falls back to a method of its own, by its class: a tag knows no name.
type Branch struct {
	_    annotation.On[aliases.Retry] `method:"Take" maxAttempts:"1" fallback:"Branch@FromStore"`
	city string
}

func (b *Branch) Take(context.Context) (string, error)      { return "", errDown }
func (b *Branch) FromStore(context.Context) (string, error) { return b.city, nil }

func TestAMarkThatNamesItsOwnClassMeansEachOfItsServices(t *testing.T) {
	c := container.New()
	for _, city := range []string{"Kiel", "Lyon"} {
		c.Provide(func() *Branch { return &Branch{city: city} }, container.As[Depot](), container.Name(city))
	}
	for _, city := range []string{"Kiel", "Lyon"} {
		got, err := must[Depot](t, c, container.Name(city)).Take(t.Context())
		require.NoError(t, err)
		require.Equal(t, city, got)
	}
}
