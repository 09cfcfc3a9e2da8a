package hyperf_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// attemptsOf is how many attempts a func that returns v makes under an annotation that allows two.
func attemptsOf[A, T any](t *testing.T, v T) (n int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f, err := aspect.Wrap(aspect.NewWeaver(), func() T { n++; return v }, aspect.Annotate[A]("Call", annotation.MaxAttempts(2)))
		require.NoError(t, err)
		require.Equal(t, v, f())
	})
	return n
}

// hyperf:7.6, through the annotations, which the ancestor's tests leave out: there they fail when the method is called.
func TestAncestorsFalsyResults(t *testing.T) {
	for _, c := range []struct {
		value any
		want  int
	}{
		{false, 2}, {"", 2}, {nil, 2}, {0, 2}, // the ancestor's annotation is never asked about null
		{"ok", 1}, {true, 1}, {1, 1},
		{"0", 1}, // PHP reads it as a number
		{0.0, 2}, {[]int{}, 2}, {[]int{0}, 1}, {map[string]int{}, 2},
	} {
		t.Run(fmt.Sprintf("%#v", c.value), func(t *testing.T) {
			require.Equal(t, c.want, attemptsOf[aliases.RetryFalsy](t, c.value))
			require.Equal(t, c.want, attemptsOf[aliases.BackoffRetryFalsy](t, c.value))
		})
	}
	t.Run("of types of their own", func(t *testing.T) {
		require.Equal(t, 2, attemptsOf[aliases.RetryFalsy](t, false))
		require.Equal(t, 1, attemptsOf[aliases.RetryFalsy](t, true))
		require.Equal(t, 2, attemptsOf[aliases.RetryFalsy](t, ""))
		require.Equal(t, 1, attemptsOf[aliases.RetryFalsy](t, "ok"))
		require.Equal(t, 2, attemptsOf[aliases.RetryFalsy](t, 0))
		require.Equal(t, 1, attemptsOf[aliases.RetryFalsy](t, 1))
		require.Equal(t, 2, attemptsOf[aliases.RetryFalsy](t, (*Foo)(nil)))
		require.Equal(t, 1, attemptsOf[aliases.RetryFalsy](t, &Foo{}))
	})
}
