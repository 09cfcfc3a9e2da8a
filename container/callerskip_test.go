package container_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
)

// provideA registers for whoever calls it.
func provideA(c *container.Container) {
	c.Provide(func(*B) *A { return nil }, container.CallerSkip(1))
}

func TestCallerSkipNamesThePlaceOfWhoeverTheRegistrationIsFor(t *testing.T) {
	places := func(wire func(c *container.Container)) (all []string) {
		c := container.New()
		wire(c)
		var err *container.VerifyError
		require.ErrorAs(t, c.Verify(), &err)
		for _, e := range err.Unwrap() {
			all = append(all, e.(*annotation.DefinitionError).Place)
		}
		return all
	}
	each := func(fs ...func()) {
		for _, f := range fs {
			f()
		}
	}
	for name, wire := range map[string]func(c *container.Container){
		"a helper": func(c *container.Container) {
			each(func() { provideA(c) }, func() { c.Provide(func(*B) *C { return nil }) }) // on one line
		},
		"an option that was made elsewhere": func(c *container.Container) {
			here := container.CallerSkip(0)
			each(func() { c.Provide(func(*B) *A { return nil }, here) }, func() { c.Provide(func(*B) *C { return nil }, here) })
		},
		"fewer callers than that": func(c *container.Container) {
			none := container.CallerSkip(1000)
			each(func() { c.Provide(func(*B) *A { return nil }, none) }, func() { c.Provide(func(*B) *C { return nil }) })
		},
	} {
		got := places(wire)
		require.Len(t, got, 2, name)
		require.Equal(t, got[1], got[0], name)
		require.Regexp(t, placeOfTest, got[0], name)
	}
}
