package container

import "runtime"

// CallerSkip is for funcs that register on behalf of whoever calls them: definition errors, and Explain, name that place
// instead of the line in the func. CallerSkip(1) is the caller of the func that calls CallerSkip, CallerSkip(2) the caller of
// that one, and so on. It counts where it is called itself, and may be handed on to a Provide elsewhere.
//
//	// provideClient registers a client for a peer.
//	func provideClient(c *container.Container, peer string) {
//		c.Provide(func() *Client { return NewClient(peer) }, container.Name(peer), container.CallerSkip(1))
//	}
//
// [Annotate] and [AsAspect] name the place where they are called themselves, as ever.
func CallerSkip(skip int) ProvideOption {
	var pc [1]uintptr
	found := runtime.Callers(2+skip, pc[:])
	return provideOption(func(r *registration) {
		if found > 0 { // else there are not as many callers
			r.place, r.written = place(pc[0]), place(pc[0])
		}
	})
}
