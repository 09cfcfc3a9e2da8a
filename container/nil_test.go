package container_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
)

func TestANilContainerIsAnErrorOfEveryUse(t *testing.T) {
	var none *container.Container
	none.Provide(func() *A { return nil }, nil, container.Name("x"))
	none.Supply(1)
	none.Override(nil)
	for name, err := range map[string]error{
		"Get, no source": second(container.Get[*A](nil)),
		"Get":            second(container.Get[*A](none, nil)),
		"Verify":         none.Verify(),
		"Invoke":         none.Invoke(func() { t.Error("called") }),
		"Lookup":         second(none.Lookup("A")),
		"Breaker":        second(none.Breaker("A@Do")),
	} {
		require.Equal(t, "backstay: the container is nil; make one by container.New (HERE)", text(err), name)
		var d *annotation.DefinitionError
		require.ErrorAs(t, err, &d, name)
	}
	require.Empty(t, none.Notes())
	require.Empty(t, none.Methods(nil))
	require.Empty(t, none.Breakers())
	require.Empty(t, none.Status().Breakers)
	require.Empty(t, none.Status().Budgets)
	require.Empty(t, annotation.AllOf[aliases.Retry](none.Registry()))
}
