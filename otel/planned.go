package backstayotel

import (
	"sync/atomic"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// planned learns from the aspects of [Instrument] what a container has planned. It is the container as a source: before the
// plan is made nothing is asked, since asking would freeze it with whatever is registered by then.
type planned struct {
	in        *Instrumentation
	container *container.Container
	begun     atomic.Bool
}

// sessionSpans and attemptSpans are the aspects of [Instrument].
type (
	sessionSpans struct {
		aspect.Aspect
		*planned
	}
	attemptSpans struct {
		aspect.Aspect
		*planned
	}
)

// Check begins the series of the method, and finds nothing wrong. It is asked while the plan is made.
func (p *planned) Check(m aspect.MetMethod) error {
	p.begun.Store(true)
	p.in.metrics.of(m.Ref)
	return nil
}

// Status is that of the container.
func (p *planned) Status() retry.Status {
	if !p.begun.Load() {
		return retry.Status{}
	}
	return p.container.Status()
}

// Breakers are those of the container.
func (p *planned) Breakers() []*retry.Breaker {
	if !p.begun.Load() {
		return nil
	}
	return p.container.Breakers()
}
