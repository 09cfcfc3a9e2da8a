package container

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/backstay/backstay/retry"
)

// hub tells the listeners of a container. Services are woven before all listeners are built, so they are woven with the
// hub, which gets those that are services before the first service is handed out.
type hub struct {
	all atomic.Pointer[[]retry.Listener]
}

func newHub(given []retry.Listener) *hub {
	h := &hub{}
	all := slices.Clone(given)
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

// add appends the listeners that are services.
func (h *hub) add(services ...retry.Listener) {
	all := append(slices.Clone(*h.all.Load()), services...)
	h.all.Store(&all)
}

// On implements [retry.Listener].
func (h *hub) On(ctx context.Context, e retry.Event) {
	for _, l := range *h.all.Load() {
		l.On(ctx, e)
	}
}
