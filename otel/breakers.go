package backstayotel

import (
	"sync"
	"time"

	"go.opentelemetry.io/otel/metric"

	"github.com/backstay/backstay/retry"
)

// breakers follow the states of breakers: of those that sources tell of, and of those whose changes are told.
type breakers struct {
	started time.Time
	chains  int // how many breakers of chains are followed

	mu     sync.Mutex
	held   map[*retry.Breaker]*timeline
	told   map[string]*timeline // of sources that give no handles, by name
	ofName map[string]*breakerSeries
	alone  int // how many were first heard of from chains
}

func newBreakers(started time.Time, chains int) *breakers {
	b := &breakers{started: started, chains: chains}
	b.forget()
	return b
}

// forget lets go of all of them.
func (b *breakers) forget() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held, b.told, b.ofName, b.alone = map[*retry.Breaker]*timeline{}, map[string]*timeline{}, map[string]*breakerSeries{}, 0
}

// changed counts a change of state, and the time that the old state has lasted: since the beginning, where nobody has heard of
// the breaker before.
func (b *breakers) changed(e retry.BreakerChanged) {
	b.mu.Lock()
	defer b.mu.Unlock()
	status := e.Breaker.Status()
	name := valid(status.Name)
	l := b.line(e, name)
	if l == nil {
		b.named(otherValues).transition(e.From, e.To).Add(1)
		return
	}
	b.named(name).transition(e.From, e.To).Add(1)
	at := time.Now()
	if status.State == e.To {
		at = status.Since
	}
	l.move(e.To, at, status.Settings.ResetTimeout)
}

// line is the timeline of the breaker that has changed; nil where that is one too many.
func (b *breakers) line(e retry.BreakerChanged, name string) *timeline {
	l := b.held[e.Breaker]
	switch {
	case l != nil:
		return l
	case b.told[name] != nil: // from now on its changes are told, which is more than to be asked now and then
		l = b.told[name]
		delete(b.told, name)
	case len(b.held) >= mostMethods, e.Class == "" && b.alone >= b.chains:
		return nil
	default:
		l = &timeline{state: e.From, since: b.started}
		if e.Class == "" {
			b.alone++
		}
	}
	b.held[e.Breaker] = l
	return l
}

// named is what is reported under a name, which is valid.
func (b *breakers) named(name string) *breakerSeries {
	s := b.ofName[name]
	if s == nil {
		s = newBreakerSeries(name)
		b.ofName[name] = s
	}
	return s
}

// meet is the timeline of a breaker that a source tells of. What was before the beginning is not counted.
func (b *breakers) meet(s retry.BreakerStatus) *timeline {
	l := &timeline{state: s.State, since: s.Since}
	if l.since.Before(b.started) {
		l.since = b.started
	}
	return l
}

// report reports the breakers that sources give, those that they only tell of, and those whose changes were told, at a time
// before they were asked.
func (b *breakers) report(o metric.Observer, i *instruments, at time.Time, held []*retry.Breaker, told []retry.BreakerStatus) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, h := range held {
		if b.held[h] == nil && len(b.held) < mostMethods {
			b.held[h] = b.meet(h.Status())
		}
	}
	for _, s := range b.ofName {
		s.breakers = 0
	}
	for h, l := range b.held {
		status := h.Status()
		l.follow(status)
		b.named(valid(status.Name)).add(l, at)
	}
	for _, status := range told {
		status.Name = valid(status.Name)
		if s := b.ofName[status.Name]; s != nil && s.breakers > 0 {
			continue
		}
		l := b.told[status.Name]
		if l == nil {
			l = b.meet(status)
			b.told[status.Name] = l
		}
		l.follow(status)
		b.named(status.Name).add(l, at)
	}
	for _, s := range b.ofName {
		s.report(o, i)
	}
}
