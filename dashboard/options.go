package dashboard

import "net/http"

// Option changes what [New] makes.
type Option func(*Dashboard)

// WithControls lets operators turn breakers on the page: force them open or closed, have them count only, or reset them.
// Without it the route does not exist. allow is asked before each change, with the form parsed, and refuses by an error, whose
// text goes to nobody: look there at whom your authentication has let in, and at r.Host, so that no name that merely resolves
// to your address may be used. A request of another origin is refused before. A nil allow leaves the controls off.
//
// allow must be safe for concurrent use.
func WithControls(allow func(r *http.Request) error) Option {
	return func(d *Dashboard) { d.allow = allow }
}

// WithRedact has text say what operators may see of an error; nil, the default, is what the error says itself. Of either 200
// characters are kept. It is called in the goroutine of the call, and must be quick and safe for concurrent use; where it
// panics or returns nothing, the text is "error without a text".
func WithRedact(text func(error) string) Option {
	return func(d *Dashboard) { d.redact = text }
}

// WithSessions sets how many sessions are shown of each method; the default is 20, and 0 or less keeps none.
func WithSessions(n int) Option {
	return func(d *Dashboard) { d.maxSessions = max(n, 0) }
}

// WithMethods sets how many methods are told apart; the default is 2000, and less than 1 counts as 1. Those beyond share the
// reference "others". A container's methods are few; it is names of chains that may be many, where they are made of what calls
// bring.
func WithMethods(n int) Option {
	return func(d *Dashboard) { d.maxMethods = max(n, 1) }
}
