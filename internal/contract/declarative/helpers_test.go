package declarative_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/container/containertest"
	"github.com/backstay/backstay/retry"
)

// What users of annotation-driven fault tolerance have reported, in many projects, as rules that hold here. The number
// after "decl:" names the case.

var (
	errBoom     = errors.New("boom")
	errDeclined = errors.New("declined")
)

// Peer is what the services of these tests are provided as.
type Peer interface {
	Call(ctx context.Context) (string, error)
	Other(ctx context.Context) (string, error)
}

// Remote does what a test says. n counts the calls of both methods, from 1.
type Remote struct {
	do    func(ctx context.Context, n int) (string, error)
	calls atomic.Int64
}

func (r *Remote) Call(ctx context.Context) (string, error)  { return r.do(ctx, int(r.calls.Add(1))) }
func (r *Remote) Other(ctx context.Context) (string, error) { return r.do(ctx, int(r.calls.Add(1))) }

func (r *Remote) count() int { return int(r.calls.Load()) }

// answers gives the errors one after the other; the last one stays.
func answers(errs ...error) *Remote {
	return &Remote{do: func(_ context.Context, n int) (string, error) {
		if err := errs[min(n, len(errs))-1]; err != nil {
			return "", err
		}
		return "done", nil
	}}
}

// fails gives boom n times and then succeeds.
func fails(n int) *Remote {
	var errs []error
	for range n {
		errs = append(errs, errBoom)
	}
	return answers(append(errs, nil)...)
}

func down() *Remote { return answers(errBoom) }

// system is a Peer, woven, with all that a test may ask of it.
type system struct {
	Peer
	remote *Remote
	c      *container.Container
	rec    *containertest.Recorder
}

func weave(t *testing.T, remote *Remote, opts ...container.ProvideOption) *system {
	t.Helper()
	return weaveIn(t, remote, func(*container.Container) {}, opts...)
}

// weaveIn weaves the remote in a container with more services.
func weaveIn(t *testing.T, remote *Remote, more func(*container.Container), opts ...container.ProvideOption) *system {
	t.Helper()
	c, rec := containertest.New(t, func(c *container.Container) {
		c.Provide(func() *Remote { return remote }, append(opts, container.As[Peer]())...)
		more(c)
	})
	return &system{get[Peer](t, c), remote, c, rec}
}

// unheard is a woven Peer that nobody listens to, for many calls.
func unheard(t *testing.T, remote *Remote, opts ...container.ProvideOption) Peer {
	t.Helper()
	c := container.New()
	c.Provide(func() *Remote { return remote }, append(opts, container.As[Peer]())...)
	return get[Peer](t, c)
}

func get[T any](t *testing.T, c *container.Container, opts ...container.GetOption) T {
	t.Helper()
	v, err := container.Get[T](c, opts...)
	require.NoError(t, err)
	return v
}

func (s *system) breaker(t *testing.T) *retry.Breaker {
	t.Helper()
	b, err := s.c.Breaker(Peer.Call)
	require.NoError(t, err)
	return b
}

// openings counts how often a breaker has opened.
func (s *system) openings() int {
	return len(eventsOf(s.rec, func(e retry.BreakerChanged) bool { return e.To == retry.BreakerOpen }))
}

// eventsOf are the recorded events of a type that keep accepts.
func eventsOf[E retry.Event](rec *containertest.Recorder, keep func(E) bool) (all []E) {
	for _, e := range rec.Events() {
		if e, ok := e.(E); ok && keep(e) {
			all = append(all, e)
		}
	}
	return all
}

func every[E retry.Event](E) bool { return true }

// shop is a layer above a Peer.
type shop struct{ peer Peer }

type Shop interface {
	Buy(ctx context.Context) (string, error)
}

func (s *shop) Buy(ctx context.Context) (string, error) { return s.peer.Call(ctx) }

func newShop(p Peer) *shop { return &shop{p} }

// problems are the definition errors of a container.
func problems(t *testing.T, c *container.Container) (all []*annotation.DefinitionError) {
	t.Helper()
	err := c.Verify()
	if err == nil {
		return nil
	}
	for _, err := range err.(interface{ Unwrap() []error }).Unwrap() {
		var d *annotation.DefinitionError
		require.ErrorAs(t, err, &d)
		all = append(all, d)
	}
	return all
}

// onlyProblem is the text of the one definition error of what is wired.
func onlyProblem(t *testing.T, wire func(c *container.Container)) string {
	t.Helper()
	c := container.New()
	wire(c)
	all := problems(t, c)
	require.Len(t, all, 1)
	return all[0].Error()
}

// journal notes when something happened, as time since it was made.
type journal struct {
	mu    sync.Mutex
	begin time.Time
	times []time.Duration
}

func newJournal() *journal { return &journal{begin: time.Now()} }

func (j *journal) note() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.times = append(j.times, time.Since(j.begin))
}

// failing notes each call and then takes some time to fail.
func (j *journal) failing(took time.Duration) *Remote {
	return &Remote{do: func(context.Context, int) (string, error) {
		j.note()
		time.Sleep(took)
		return "", errBoom
	}}
}

const ms = time.Millisecond

// unbudgeted is the list of policies of aliases.Retry without its budget.
var unbudgeted = annotation.Policies(retry.Fallback, retry.Classifier, retry.MaxAttempts, retry.Sleep)
