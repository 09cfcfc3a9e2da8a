package dashboard

import (
	"sync"
	"time"

	"github.com/backstay/backstay/explain"
	"github.com/backstay/backstay/retry"
)

// Source tells what events do not: what is wired, and the state of breakers and budgets. A *container.Container is one. Its
// methods must be safe for concurrent use.
type Source interface {
	Explain() *explain.Wiring
	Status() retry.Status
	Breaker(method any) (*retry.Breaker, error)
}

// nothing is the source where there is none.
type nothing struct{}

func (nothing) Explain() *explain.Wiring { return nil }

func (nothing) Status() retry.Status { return retry.Status{} }

func (nothing) Breaker(any) (*retry.Breaker, error) { return nil, errNoBreaker }

// factsAge is how long what a wiring says is not asked for again: of a container it is the same once its plan is frozen, but
// another source may be of a program that is still being wired.
const factsAge = time.Minute

// described is a source, with what does not have to be asked for again and again.
type described struct {
	Source

	mu    sync.Mutex
	known *wiringFacts
	asked int64 // when, in Unix nanoseconds
}

// wiring is what the source tells; of one that tells nothing it is empty.
func (s *described) wiring() *explain.Wiring {
	w := s.Explain()
	if w == nil {
		w = &explain.Wiring{}
	}
	if w.Services == nil {
		copied := *w
		copied.Services = []explain.Service{}
		w = &copied
	}
	return w
}

// facts are those of the wiring, at most factsAge old.
func (s *described) facts(now int64) *wiringFacts {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil || now-s.asked > int64(factsAge) {
		s.known, s.asked = factsOf(s.wiring()), now
	}
	return s.known
}
