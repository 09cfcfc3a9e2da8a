package backstayotel_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/metric"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	backstayotel "github.com/backstay/backstay/otel"
	"github.com/backstay/backstay/retry"
)

// A shop in which one call of each kind is made: services of a container, one of a weaver, and a chain. Each waits for a time
// that is known, and all time is virtual.

// Peer is somebody who is called. What a call does is in its context.
type Peer interface {
	Ask(ctx context.Context) error
	Wait(ctx context.Context) error
	Pay(ctx context.Context) error
	Cover(ctx context.Context) error
	Guard(ctx context.Context) error
	Outer(ctx context.Context) error
	Rewind(ctx context.Context) error
	Limited(ctx context.Context) error
}

type RemotePeer struct {
	_ annotation.On[aliases.Retry] `method:"Ask,Outer" maxAttempts:"3" base:"100ms" ignoreErrors:"answer"`
	_ annotation.On[aliases.Retry] `method:"Wait" base:"600ms" timeout:"1s"`
	_ annotation.On[aliases.Retry] `method:"Pay" base:"100ms" budget:"ttl=1s,minPerSec=1,percent=0" budgetName:"purse"`
	_ annotation.On[aliases.Retry] `method:"Cover" maxAttempts:"2" fallback:"spare"`
	_ annotation.On[aliases.Retry] `method:"Guard" maxAttempts:"3" breaker:"consecutive=1,resetTimeout=10s" breakerName:"fuse"`
	_ annotation.On[aliases.Retry] `method:"Rewind" beforeRetry:"rewind"`
	_ annotation.On[quotaRetry]    `method:"Limited"`
}

func (*RemotePeer) Ask(ctx context.Context) error     { return play(ctx) }
func (*RemotePeer) Wait(ctx context.Context) error    { return play(ctx) }
func (*RemotePeer) Pay(ctx context.Context) error     { return play(ctx) }
func (*RemotePeer) Cover(ctx context.Context) error   { return play(ctx) }
func (*RemotePeer) Guard(ctx context.Context) error   { return play(ctx) }
func (*RemotePeer) Outer(ctx context.Context) error   { return play(ctx) }
func (*RemotePeer) Rewind(ctx context.Context) error  { return play(ctx) }
func (*RemotePeer) Limited(ctx context.Context) error { return play(ctx) }

// quotaRetry has a policy of the user's own, which limits.
type quotaRetry struct{ annotation.AbstractRetry }

func (quotaRetry) Defaults() []annotation.Option {
	return []annotation.Option{annotation.AddPolicies(retry.PolicyFrom("quota", func() retry.Policy { return quota{} }))}
}

// quota refuses every retry.
type quota struct{}

func (quota) Kind() string               { return "quota" }
func (quota) Limit(*retry.Session) error { return errors.New("quota is used up") }

var (
	errDown   = errors.New("down")
	errAnswer = errors.New("an answer")
)

type scriptKey struct{}

// spareKey is where the script of a fallback is.
type spareKey struct{}

// play does what the context says: one step for each attempt, the last one again and again.
func play(ctx context.Context) error {
	script := ctx.Value(scriptKey{}).(*[]func(context.Context) error)
	step := (*script)[0]
	if len(*script) > 1 {
		*script = (*script)[1:]
	}
	return step(ctx)
}

func with(ctx context.Context, steps ...func(context.Context) error) context.Context {
	return context.WithValue(ctx, scriptKey{}, &steps)
}

// Steps.
func fine(context.Context) error    { return nil }
func down(context.Context) error    { return errDown }
func answer(context.Context) error  { return errAnswer }
func panics(context.Context) error  { panic("broken") }
func longish(context.Context) error { time.Sleep(250 * time.Millisecond); return nil }

type shop struct {
	in     *backstayotel.Instrumentation
	c      *container.Container
	peer   Peer
	store  Store
	prices retry.Chain[int]
}

// newShop makes a shop whose metrics p keeps.
func newShop(t testing.TB, p metric.MeterProvider, opts ...backstayotel.Option) *shop {
	t.Helper()
	s := &shop{c: container.New()}
	s.c.Provide(func() *RemotePeer { return &RemotePeer{} }, container.As[Peer]())
	s.c.Supply(retry.Is(errAnswer), container.Name("answer"))
	s.c.Supply(func(*retry.Session) error { return errors.New("cannot rewind") }, container.Name("rewind"))
	s.c.Supply(func(ctx context.Context) error {
		return play(context.WithValue(ctx, scriptKey{}, ctx.Value(spareKey{})))
	}, container.Name("spare"))
	var err error
	s.in, err = backstayotel.Instrument(s.c, append([]backstayotel.Option{
		backstayotel.WithMeterProvider(p), backstayotel.WithTracerProvider(tracenoop.NewTracerProvider()),
	}, opts...)...)
	require.NoError(t, err)
	s.peer, err = container.Get[Peer](s.c)
	require.NoError(t, err)
	require.Empty(t, s.c.Notes())

	w := aspect.NewWeaver(aspect.WithListener(s.in))
	s.store, err = aspect.Wrap[Store](w, &Depot{}, aspect.WithName("north"), aspect.Annotate[aliases.CircuitBreaker](Store.Ask,
		annotation.MaxAttempts(2), annotation.Breaker(retry.BreakerSettings{ResetTimeout: 5 * time.Second})))
	require.NoError(t, err)
	s.in.Observe(w.Shared())

	s.prices = retry.For[int]().Max(2).Named("prices").Listen(s.in)
	return s
}

// Store is what a weaver weaves.
type Store interface {
	Ask(ctx context.Context) error
}

type Depot struct{}

func (*Depot) Ask(ctx context.Context) error { return play(ctx) }

// Outpost is a service that guards itself, as Depot is guarded by who weaves it.
type Outpost struct {
	_ annotation.On[aliases.CircuitBreaker] `method:"Ask" maxAttempts:"2"`
}

func newOutpost() *Outpost { return &Outpost{} }

func (*Outpost) Ask(ctx context.Context) error { return play(ctx) }

// callOnceEach makes one call of each kind, and says what has to come of it by failing where something else does.
func (s *shop) callOnceEach(t testing.TB) {
	t.Helper()
	ctx := t.Context()
	is := func(want, got error) { t.Helper(); require.ErrorIs(t, got, want) }
	good := func(err error) { t.Helper(); require.NoError(t, err) }

	// How calls end.
	good(s.peer.Ask(with(ctx, longish)))
	good(s.peer.Ask(with(ctx, down, fine)))
	is(errAnswer, s.peer.Ask(with(ctx, answer)))
	is(context.Canceled, func() error {
		ctx, cancel := context.WithCancel(ctx)
		return s.peer.Ask(with(ctx, func(context.Context) error { cancel(); return errDown }))
	}())
	is(context.Canceled, func() error {
		ctx, cancel := context.WithCancel(ctx)
		cancel() // before the first attempt
		return s.peer.Ask(with(ctx, fine))
	}())
	require.PanicsWithValue(t, "broken", func() { _ = s.peer.Ask(with(ctx, down, panics)) })

	// What limits.
	is(errDown, s.peer.Ask(with(ctx, down))) // maxAttempts
	is(errDown, s.peer.Wait(with(ctx, down)))
	is(errDown, s.peer.Pay(with(ctx, down)))
	is(errDown, s.peer.Limited(with(ctx, down)))
	is(errDown, s.peer.Rewind(with(ctx, down)))
	is(errDown, s.peer.Ask(with(retry.Once(ctx), down)))
	is(errDown, s.peer.Outer(with(ctx, func(ctx context.Context) error { return s.peer.Ask(with(ctx, down)) })))
	is(context.DeadlineExceeded, func() error {
		ctx, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
		return s.peer.Ask(with(ctx, down))
	}())

	// Fallbacks.
	spare := func(step func(context.Context) error) context.Context {
		return context.WithValue(with(ctx, down), spareKey{}, &[]func(context.Context) error{step})
	}
	good(s.peer.Cover(spare(fine)))
	is(errAnswer, s.peer.Cover(spare(answer)))

	// A breaker: open for 10 s, half-open for 3, open for 10, half-open for 1, closed for 4, forced open for 2, closed again.
	is(errDown, s.peer.Guard(with(ctx, down)))
	is(retry.ErrCircuitOpen, s.peer.Guard(with(ctx, fine)))
	time.Sleep(13 * time.Second)
	is(errDown, s.peer.Guard(with(ctx, down)))
	time.Sleep(11 * time.Second)
	good(s.peer.Guard(with(ctx, fine)))
	time.Sleep(4 * time.Second)
	fuse, err := s.c.Breaker("fuse")
	good(err)
	fuse.ForceOpen()
	time.Sleep(2 * time.Second)
	fuse.Reset()

	// A weaver's service, whose breaker stays open, and a chain.
	good(s.store.Ask(with(ctx, fine)))
	is(errDown, s.store.Ask(with(ctx, down)))
	_, err = s.prices.Call(ctx, func(context.Context) (int, error) { return 1, nil })
	good(err)
	_, err = s.prices.Call(ctx, func(context.Context) (int, error) { return 0, errDown })
	is(errDown, err)
}
