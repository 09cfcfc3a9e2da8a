package container_test

import (
	"context"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
)

// nearly has the methods of a life, in forms that nothing calls.
type nearly struct{}

func (nearly) Start(ctx context.Context)          {}
func (nearly) Stop()                              {}
func (nearly) Health(...string) (bool, error)     { return true, nil }
func (nearly) Close(context.Context, string) bool { return true }

func TestNotesTellOfMethodsThatLookAsIfTheyWereCalled(t *testing.T) {
	notes := func(wire func(c *container.Container)) (all []string) {
		c := container.New()
		wire(c)
		require.NoError(t, c.Verify())
		for _, n := range c.Notes() {
			all = append(all, regexp.MustCompile(`\w+/\w+_test\.go:\d+`).ReplaceAllString(n, "HERE"))
		}
		return all
	}
	require.Equal(t, []string{
		"nearly: its method Start is not called, since it is a func(context.Context); make it a func(context.Context) error, or say container.OnStart (HERE)",
		"nearly: its method Health is not called, since it is a func(...string) (bool, error); make it a func(context.Context) error, or say container.OnHealth (HERE)",
	}, notes(func(c *container.Container) {
		c.Provide(func() nearly { return nearly{} }, container.OnStop(func(_ context.Context, n nearly) error { n.Stop(); return nil }))
		c.Provide(func() *unit[one] { return nil })
	}))
	require.Empty(t, notes(func(c *container.Container) { c.Provide(func() nearly { return nearly{} }, container.Scoped()) }))
}
