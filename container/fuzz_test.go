package container_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
)

// Names by which users ask the container: what one finds is exactly what it names, all other text is answered with one
// line.
func FuzzNamesOfBreakersAndServices(f *testing.F) {
	c := container.New()
	breaker := container.Annotate[aliases.CircuitBreaker]
	c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), breaker("Call"))
	c.Provide(func() *Plain { return &Plain{} }, container.As[Closer](), container.Name("b"), breaker("Shut", annotation.BreakerName("shared")))
	require.NoError(f, c.Verify())

	breakers := map[string][]string{ // by the breaker's name
		"Plain@Call": {"Plain@Call", "container_test.Plain@Call", "github.com/backstay/backstay/container_test.Plain@Call", "Caller@Call", "container_test.Caller@Call", "github.com/backstay/backstay/container_test.Caller@Call"},
		"shared": {
			"shared", "Plain#b@Shut", "container_test.Plain#b@Shut", "github.com/backstay/backstay/container_test.Plain#b@Shut",
			"Closer@Shut", "container_test.Closer@Shut", "github.com/backstay/backstay/container_test.Closer@Shut",
			"Closer#b@Shut", "container_test.Closer#b@Shut", "github.com/backstay/backstay/container_test.Closer#b@Shut",
		},
	}
	for _, texts := range breakers {
		for _, text := range texts {
			f.Add(text)
		}
	}
	for _, text := range []string{"", "@", "#", "Plain", "Plain#b", "Plain@", "@Call", "Plain@@Call", "Plain#@Call", "Plain[int]@Call", "./Plain@Call", "Plain #b@Shut"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		b, err := c.Breaker(text)
		if err == nil {
			require.Contains(t, breakers[b.Name()], text)
		} else {
			oneLine(t, err)
			for _, texts := range breakers {
				require.False(t, slices.Contains(texts, text), "%v", err)
			}
		}
		if _, err = c.Lookup(text); err != nil {
			oneLine(t, err)
		}
	})
}

func oneLine(t *testing.T, err error) {
	t.Helper()
	definition := new(annotation.DefinitionError)
	require.True(t, errors.As(err, &definition), "%T", err)
	require.NotContains(t, err.Error(), "\n")
}
