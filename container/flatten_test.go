package container_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
)

type callers struct {
	container.In
	All []Caller `group:"g"`
}

const flat = "g,flatten"

type clientsOut struct {
	container.Out
	All []*Client `group:"g,flatten"`
}

func TestMarksOnTheElementsOfAFlattenedGroupThatTypesTellAreDefinitionErrors(t *testing.T) {
	for name, test := range map[string]struct {
		wire func(c *container.Container)
		of   string
	}{
		"pointers": {func(c *container.Container) {
			c.Provide(func() []*Client { return nil }, container.Group(flat))
		}, "[]*container_test.Client"},
		"a field of a result struct": {func(c *container.Container) {
			c.Provide(func() clientsOut { return clientsOut{} })
		}, "[]*container_test.Client"},
		"supplied as an interface": {func(c *container.Container) {
			c.Supply([]Caller{nil, &Plain{}, &Client{}, &Client{}}, container.Group(flat))
		}, "[]container_test.Caller"},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			test.wire(c)
			require.Equal(t, []string{"backstay: " + test.of + ": aliases.Retry: the elements of a slice that is flattened into group \"g\" are not woven, and *container_test.Client has the mark Client._; " +
				`Provide each by itself, by container.As of an interface and container.Group("g") (HERE)`}, verified(t, c))
		})
	}
}

func TestMarksOnTheElementsOfAFlattenedGroupThatAreBuiltFailTheBuild(t *testing.T) {
	marked := true
	c := container.New()
	c.Provide(func() []Caller {
		if marked {
			return []Caller{&Plain{}, nil, &Client{}}
		}
		return []Caller{&Plain{}, nil}
	}, container.Group(flat))
	require.NoError(t, c.Verify())
	err := c.Invoke(func(callers) { t.Error("called, with marks that nothing enforces") })
	require.ErrorContains(t, err, "*container_test.Client has the mark Client._")
	var d *annotation.DefinitionError
	require.ErrorAs(t, err, &d)
	require.Equal(t, "aliases.Retry", d.Annotation)

	marked = false
	require.NoError(t, c.Invoke(func(p callers) { require.Len(t, p.All, 2) }))
}
