package declarative_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// Offline is a service to fall back to.
type Offline struct{ book *book }

type book struct{ lines int }

func (o *Offline) Call(_ context.Context, cause error) (string, error) {
	o.book.lines++
	return "offline: " + cause.Error(), nil
}

// Marked says in a tag where it falls back to.
type Marked struct {
	_ annotation.On[aliases.Retry] `method:"Call" maxAttempts:"2" fallback:"Offline@Call"`
	*Remote
}

// decl:63, decl:64. A fallback is a method of another service, which the container builds with what it needs; one that
// nobody provides is a definition error.
func TestAFallbackIsAMethodOfAnotherService(t *testing.T) {
	marked := &Marked{Remote: down()}
	lines := &book{}
	c := container.New()
	c.Provide(func() *Marked { return marked }, container.As[Peer]())
	c.Provide(func(b *book) *Offline { return &Offline{b} })
	c.Supply(lines)
	got, err := get[Peer](t, c).Call(t.Context())
	require.NoError(t, err)
	require.Equal(t, "offline: boom", got)
	require.Equal(t, 2, marked.count())
	require.Equal(t, 1, lines.lines)

	text := onlyProblem(t, func(c *container.Container) {
		c.Provide(func() *Marked { panic("never built") }, container.As[Peer]())
	})
	require.Contains(t, text, "Offline")
	require.Contains(t, text, "Marked._")
}

// Substitute needs the service that it stands in for.
type Substitute struct{ peer func() (Peer, error) }

func (s *Substitute) Call(ctx context.Context) (string, error) {
	peer, err := s.peer()
	if err != nil {
		return "", err
	}
	return peer.Other(ctx)
}

// decl:63. A fallback that needs the service it is for is a cycle: it is reported, not an endless recursion, and a Lazy
// resolves it.
func TestAFallbackThatNeedsTheServiceItIsForIsACycle(t *testing.T) {
	text := onlyProblem(t, func(c *container.Container) {
		c.Provide(func() *Remote { panic("never built") }, container.As[Peer](), once(Peer.Call, (*Substitute).Call))
		c.Provide(func(p Peer) *Substitute { panic("never built") })
	})
	require.Contains(t, text, "Substitute")
	require.Contains(t, text, "Remote")
	require.Contains(t, text, "cycle")

	s := weaveIn(t, fails(1), func(c *container.Container) {
		c.Provide(func(p container.Lazy[Peer]) *Substitute { return &Substitute{p.Get} })
	}, once(Peer.Call, (*Substitute).Call))
	got, err := s.Call(t.Context())
	require.NoError(t, err)
	require.Equal(t, "done", got)
}

// Quick has methods without any parameter.
type Quick interface {
	Poll() error
	Push(ctx context.Context, what ...string) error
}

type quick struct{ polls int }

func (q *quick) Poll() error                           { q.polls++; return errBoom }
func (q *quick) Push(context.Context, ...string) error { return errBoom }

// decl:58. Elsewhere a recovery is searched for by the type of the error and a prefix of the arguments, and the search
// panics or finds another. Here a method has one fallback, by name; two that would stand beside each other are refused.
func TestAMethodHasOneFallbackAndNoneIsSearchedFor(t *testing.T) {
	recovered := 0
	c := container.New()
	c.Provide(func() *quick { return &quick{} }, container.As[Quick](),
		container.Annotate[aliases.Retry](Quick.Poll, annotation.MaxAttempts(2), annotation.Fallback(func() error { recovered++; return nil })),
		container.Annotate[aliases.Retry](Quick.Push, annotation.MaxAttempts(2), annotation.Fallback(func(_ context.Context, what []string) error {
			recovered += len(what)
			return nil
		})))
	q := get[Quick](t, c)
	require.NoError(t, q.Poll())
	require.NoError(t, q.Push(t.Context()))
	require.Equal(t, 1, recovered)
	require.NoError(t, q.Push(t.Context(), "a", "b"))
	require.Equal(t, 3, recovered)

	text := onlyProblem(t, func(c *container.Container) {
		c.Provide(func() *quick { panic("never built") }, container.As[Quick](),
			container.Annotate[aliases.RetryThrowable](Quick.Poll, annotation.Fallback(func() error { return nil })),
			container.Annotate[aliases.CircuitBreaker](Quick.Poll, annotation.Fallback(func(cause error) error { return cause })))
	})
	require.Contains(t, text, "fallback")
	require.Contains(t, text, "aliases.RetryThrowable")
	require.Contains(t, text, "aliases.CircuitBreaker")
}

// Branch falls back to a method of its own.
type Branch struct {
	name string
	*Remote
}

func (b *Branch) Stand(context.Context) (string, error) { return b.name + " stands in", nil }

// decl:60. The fallback of a service's own runs on the instance whose call has failed, not on the first that there was.
func TestAFallbackOfTheServiceItselfRunsOnTheInstanceThatFailed(t *testing.T) {
	c := container.New()
	for _, name := range []string{"eu", "us"} {
		c.Provide(func() *Branch { return &Branch{name, down()} }, container.As[Peer](), container.Name(name),
			once(Peer.Call, (*Branch).Stand))
	}
	for _, name := range []string{"us", "eu", "us"} {
		got, err := get[Peer](t, c, container.Name(name)).Call(t.Context())
		require.NoError(t, err)
		require.Equal(t, name+" stands in", got)
	}
}

// decl:60. So it is for instances of one registration, and weaving another adds nothing to what they share.
func TestAFallbackOfTheServiceItselfRunsOnEachOfManyInstances(t *testing.T) {
	w := aspect.NewWeaver()
	plan, errs := w.Plan(aspect.Service{
		Ref: retry.MethodRef{Class: "Branch"}, Impl: reflect.TypeFor[*Branch](), Interfaces: []reflect.Type{reflect.TypeFor[Peer]()},
		Declarations: []annotation.Declaration{annotation.Declare[aliases.Retry]("Call", "main.go:1",
			annotation.MaxAttempts(1), annotation.Fallback("Branch@Stand"))},
	}, noServices{})
	require.Empty(t, errs)
	var all []Peer
	for _, name := range []string{"eu", "us", "ap"} {
		v, err := plan.Weave(reflect.ValueOf(&Branch{name, down()}), nil)
		require.NoError(t, err)
		all = append(all, v.Interface().(Peer))
	}
	for i, name := range []string{"eu", "us", "ap"} {
		got, err := all[i].Call(t.Context())
		require.NoError(t, err)
		require.Equal(t, name+" stands in", got)
	}
	require.Len(t, annotation.AllOf[aliases.Retry](w.Registry()), 1)
}
