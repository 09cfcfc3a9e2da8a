package aspect

import (
	"slices"
	"sync"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// Weaver weaves the services of another container. It owns what they share: registry, aspects, listeners, named budgets
// and breakers. It is safe for concurrent use.
type Weaver struct {
	registry annotation.Registry
	shared   retry.Shared
	options  weaverOptions
	listener retry.Listener // nil: nobody is told
	own      directory      // of what Wrap has wrapped and WithService has given

	mu     sync.Mutex
	advice []*advice // by priority, outermost first
	plans  []*Plan   // of all services, where there are pointcuts: what may have been meant by those that meet nothing
}

// advice is Advice with what became of it.
type advice struct {
	Advice
	target                                 // of the retry without a matcher: it meets what carries a retry annotation
	given    int                           // after so many others
	disorder []*annotation.DefinitionError // what its orders contradict
}

// isNil reports whether there is neither an aspect nor a service that is one.
func (a *advice) isNil() bool {
	if a.Aspect == nil {
		return a.Service.ID == nil
	}
	f, ok := a.Aspect.(Func)
	return ok && f == nil
}

type weaverOptions struct {
	listeners        []retry.Listener
	advice           []Advice
	services         []any
	defaults         []annotation.Option
	defaultsPlace    string
	requireGenerated bool
	blankets         []*blanket
	configurations   []*configuration
}

// WeaverOption configures a weaver.
type WeaverOption interface{ weaver(*weaverOptions) }

type weaverOption func(*weaverOptions)

func (o weaverOption) weaver(w *weaverOptions) { o(w) }

// WithListener tells l what happens. Several are told in order. Without any, nothing is paid for events.
func WithListener(l retry.Listener) WeaverOption {
	return weaverOption(func(w *weaverOptions) {
		if l != nil {
			w.listeners = append(w.listeners, l)
		}
	})
}

// WithAspect puts a around the join points that p matches. Larger priorities are further out; see [RetryPriority]. Where
// that is not enough, orders say which other aspects it is inside or outside of.
func WithAspect(p Pointcut, priority int, a Aspect, orders ...Order) WeaverOption {
	place := annotation.Caller(0)
	return weaverOption(func(w *weaverOptions) {
		w.advice = append(w.advice, Advice{Pointcut: p, Priority: priority, Aspect: a, Orders: orders, Place: place})
	})
}

// WithService makes v findable by references, under its class, and by the constructors of policies, under its type and
// the interfaces that it implements.
func WithService(v any) WeaverOption {
	return weaverOption(func(w *weaverOptions) { w.services = append(w.services, v) })
}

// WithDefaults sets attributes for all that is woven. They stand between the table and an alias's own. place is where
// the user has written them.
func WithDefaults(place string, opts ...annotation.Option) WeaverOption {
	return weaverOption(func(w *weaverOptions) {
		w.defaults, w.defaultsPlace = append(w.defaults, opts...), place
	})
}

// RequireGenerated refuses proxies made at run time: a service that would need one is a definition error, which says
// how to generate its proxy.
func RequireGenerated() WeaverOption {
	return weaverOption(func(w *weaverOptions) { w.requireGenerated = true })
}

// NewWeaver returns a weaver with its own registry.
func NewWeaver(opts ...WeaverOption) *Weaver {
	w := &Weaver{}
	for _, o := range opts {
		if o != nil {
			o.weaver(&w.options)
		}
	}
	w.listener = retry.Listeners(w.options.listeners...)
	w.advice = []*advice{{Advice: Advice{Priority: RetryPriority, Aspect: &RetryAspect{}}}}
	w.Advise(w.options.advice...)
	for _, v := range w.options.services {
		w.own.addService(v)
	}
	return w
}

// Advise adds aspects. It must come before the first Plan or Wrap that they are to meet.
func (w *Weaver) Advise(all ...Advice) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, a := range all {
		w.advice = append(w.advice, &advice{Advice: a, target: targetOf(a.Pointcut, a.Place), given: len(w.advice)})
	}
	arrange(w.advice)
}

// Registry tells what is declared.
func (w *Weaver) Registry() *annotation.Registry { return &w.registry }

// Shared holds the budgets and breakers of what is woven.
func (w *Weaver) Shared() *retry.Shared { return &w.shared }

// Verify reports pointcuts that are wrong or have matched nothing so far, and orders of aspects that cannot be kept,
// joined.
func (w *Weaver) Verify() error { return joined(w.Unmatched()) }

// Unmatched reports what [Weaver.Verify] does, each an *annotation.DefinitionError.
func (w *Weaver) Unmatched() []error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var errs []error
	for _, a := range w.advice {
		for _, err := range a.unordered(w.advice) {
			if !slices.Contains(errs, error(err)) { // several are on one circle
				errs = append(errs, err)
			}
		}
		if a.matcher != nil {
			errs = append(errs, a.wrong(w, "pointcut "+a.matcher.String())...)
		}
	}
	return append(errs, w.undeclared()...)
}
