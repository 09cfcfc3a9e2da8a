package containertest

import "github.com/backstay/backstay/container"

// Override replaces the target of the service that is provided as a T by a value, for [New]:
//
//	c, rec := containertest.New(t, shop.Wire, containertest.Override[shop.Gateway](fake))
//
// The options are those of [container.Container.Override], such as container.Name. The value stands under the weave. It is
// every instance of a scoped or transient service, and like what a constructor returns it is closed with what it is in.
func Override[T any](value T, opts ...container.ProvideOption) func(*container.Container) {
	opts = append([]container.ProvideOption{container.CallerSkip(1)}, opts...)
	return func(c *container.Container) { c.Override(func() T { return value }, opts...) }
}
