package container

import (
	"context"
	"reflect"
	"slices"
	"sync/atomic"

	"github.com/backstay/backstay/retry"
)

// hub tells the listeners of a container. Services are woven before all listeners are built, so they are woven with the
// hub, which gets those that are services before the first service is handed out.
type hub struct {
	given []retry.Listener
	all   atomic.Pointer[retry.Listener] // to nil while there is none
}

func newHub(given []retry.Listener) *hub {
	h := &hub{given: given}
	all := retry.Listeners(given...)
	h.all.Store(&all)
	return h
}

// isDeaf reports whether the service is a listener that nobody tells anything: it is not provided as one, and was not given
// to the container.
func (s *service) isDeaf(given []retry.Listener) bool {
	if !s.is(listenerType) || slices.Contains(s.provided, listenerType) {
		return false
	}
	v := s.registration.value
	return !v.IsValid() || !v.Comparable() || !slices.ContainsFunc(given, func(l retry.Listener) bool {
		return v.Interface() == any(l)
	})
}

// add appends the listeners that are services. One that the container was given as well is told once.
func (h *hub) add(services ...retry.Listener) {
	all := *h.all.Load()
	for _, l := range services {
		if !reflect.ValueOf(l).Comparable() || !slices.Contains(h.given, l) {
			all = retry.Listeners(all, l)
		}
	}
	h.all.Store(&all)
}

// On implements [retry.Listener].
func (h *hub) On(ctx context.Context, e retry.Event) {
	if l := *h.all.Load(); l != nil {
		l.On(ctx, e)
	}
}
