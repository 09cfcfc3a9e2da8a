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
