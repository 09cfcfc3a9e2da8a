package calls

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/backstay/backstay/benchmarks/harness"
)

// Work is one kind of call and the contenders for it.
type Work struct {
	Name, About string
	Reference   string // the contender that the others are compared with
	Failures    int    // of the target, before each success
	Deadline    bool   // the context has a deadline and a value, as a server's has
	Opens       bool   // one call, not counted, opens a breaker first
	Want        Outcome
	Contenders  []Contender
}

// Outcome is what a call must come to.
type Outcome struct {
	Value string // empty: the key, if there is no error
	Err   bool   // an error: ErrPeer, or a rejection where a breaker is open
	Calls int    // of the target
}

// setting is a contender that is ready to be called.
type setting struct {
	work    *Work
	target  *Target
	service Service
	ctx     context.Context
	cancel  context.CancelFunc
	opening int // calls of the target that opened the breaker
}

func (w *Work) set(c Contender) (*setting, error) {
	s := &setting{work: w, target: NewTarget(w.Failures)}
	s.service = c.Wrap(s.target)
	if w.Deadline {
		type tenant struct{}
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		s.ctx, s.cancel = context.WithValue(ctx, tenant{}, "acme"), cancel
	} else {
		s.ctx, s.cancel = context.WithCancel(context.Background())
	}
	if w.Opens {
		if _, err := s.service.Get(s.ctx, key(0)); !errors.Is(err, ErrPeer) {
			return nil, fmt.Errorf("the call that opens the breaker: error %v, want %v", err, ErrPeer)
		}
		s.opening = s.target.Calls()
	}
	return s, nil
}

// run is the timed loop.
func (s *setting) run(worker, n int) error {
	service, ctx, key, fails := s.service, s.ctx, key(worker), s.work.Want.Err
	var value string
	var err error
	for range n {
		if value, err = service.Get(ctx, key); (err != nil) != fails {
			return fmt.Errorf("returned %q, %v", value, err)
		}
	}
	return s.outcome(key, value, err)
}

// outcome says what is wrong with the results of a call.
func (s *setting) outcome(key, value string, err error) error {
	want := s.work.Want
	switch {
	case want.Err && s.work.Opens:
		if err == nil || errors.Is(err, ErrPeer) {
			return fmt.Errorf("error %v, want a rejection", err)
		}
	case want.Err:
		if !errors.Is(err, ErrPeer) {
			return fmt.Errorf("error %v, want %v", err, ErrPeer)
		}
	case err != nil:
		return fmt.Errorf("error %v, want none", err)
	case want.Value != "":
		key = want.Value
		fallthrough
	default:
		if value != key {
			return fmt.Errorf("returned %q, want %q", value, key)
		}
	}
	return nil
}

// done checks that the target saw what n calls had to cause.
func (s *setting) done(n int) error {
	s.cancel()
	if got, want := s.target.Calls()-s.opening, n*s.work.Want.Calls; got != want {
		return fmt.Errorf("%d calls made %d attempts, want %d", n, got, want)
	}
	return nil
}

// Check makes a few calls, one after another, and says what a contender does otherwise than it must.
func (w *Work) Check(c Contender) error {
	s, err := w.set(c)
	if err != nil {
		return err
	}
	defer s.cancel()
	for range 5 {
		before := s.target.Calls()
		value, err := s.service.Get(s.ctx, key(0))
		if err := s.outcome(key(0), value, err); err != nil {
			return err
		}
		if got := s.target.Calls() - before; got != w.Want.Calls {
			return fmt.Errorf("%d attempts, want %d", got, w.Want.Calls)
		}
	}
	return nil
}

// Op sets a contender up to be measured. It has been checked before.
func (w *Work) Op(c Contender) (harness.Op, error) {
	if n := runtime.GOMAXPROCS(0); n > maxWorkers {
		return harness.Op{}, fmt.Errorf("GOMAXPROCS is %d; at most %d goroutines can be told apart: set it lower", n, maxWorkers)
	}
	s, err := w.set(c)
	if err != nil {
		return harness.Op{}, err
	}
	return harness.Op{Run: s.run, Done: s.done}, nil
}

// Harness is the work as the harness measures it, by one goroutine or by as many as there are processors.
func (w *Work) Harness(parallel bool) harness.Work {
	h := harness.Work{Name: w.Name, About: w.About, Reference: w.Reference, Parallel: parallel}
	if parallel {
		h.Name = Parallel(w.Name)
		h.About = "The same by GOMAXPROCS goroutines at once; what is told is the time that passes per call. All share the contender, each has a peer of its own."
	}
	for _, c := range w.Contenders {
		h.Cases = append(h.Cases, harness.Case{Name: c.Name, New: func() (harness.Op, error) { return w.Op(c) }})
	}
	return h
}

// Parallel is the name of a work that is done in parallel.
func Parallel(name string) string { return name + ", in parallel" }
