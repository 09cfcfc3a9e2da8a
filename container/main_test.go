package container_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var placeOfTest = regexp.MustCompile(`container/\w+_test\.go:\d+`)

// text is the message of err, with HERE for every place in these tests.
func text(err error) string { return placeOfTest.ReplaceAllString(err.Error(), "HERE") }

// verified are the messages of all definition errors of a container.
func verified(t *testing.T, c *container.Container) (all []string) {
	t.Helper()
	err := c.Verify()
	if err == nil {
		return nil
	}
	joined, ok := err.(interface{ Unwrap() []error })
	require.True(t, ok, "definition errors are joined")
	for _, err := range joined.Unwrap() {
		var d *annotation.DefinitionError
		require.ErrorAs(t, err, &d)
		require.NotContains(t, err.Error(), "\n")
		all = append(all, text(err))
	}
	return all
}

// must returns the T of the container.
func must[T any](t *testing.T, c *container.Container, opts ...container.GetOption) T {
	t.Helper()
	v, err := container.Get[T](c, opts...)
	require.NoError(t, err)
	return v
}
