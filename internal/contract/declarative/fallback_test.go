package declarative_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// once is a Retry that falls back after the first failure.
func once(method, fallback any) container.ProvideOption {
	return container.Annotate[aliases.Retry](method, annotation.MaxAttempts(1), annotation.Fallback(fallback))
}

// Orders has methods of several shapes.
type Orders interface {
	Place(ctx context.Context, item string, n int) (string, error)
	Cancel(ctx context.Context, id string) (string, error)
	List(ctx context.Context) (string, error)
}

type orders struct{}

func (orders) Place(context.Context, string, int) (string, error) { return "", errBoom }
func (orders) Cancel(context.Context, string) (string, error)     { return "", errBoom }
func (orders) List(context.Context) (string, error)               { return "", errBoom }

// decl:51. A fallback that does not fit neither breaks the calls nor is forgotten in silence: all of them are reported at
// once, before anything runs.
func TestFallbacksThatDoNotFitAreReportedTogetherBeforeAnythingRuns(t *testing.T) {
	c := container.New()
	c.Provide(func() orders { panic("never built") }, container.As[Orders](),
		once(Orders.Place, func(context.Context, string, int) (int, error) { return 0, nil }),
		once(Orders.Cancel, func(context.Context, int) (string, error) { return "", nil }),
		once(Orders.List, "Nowhere@List"))
	all := problems(t, c)
	require.Len(t, all, 3)
	for i, want := range []string{
		"orders@Cancel: aliases.Retry: fallback func(context.Context, int) (string, error) does not fit Cancel",
		"orders@List: aliases.Retry: there is no service of class Nowhere",
		"orders@Place: aliases.Retry: fallback func(context.Context, string, int) (int, error) does not fit Place",
	} {
		require.Contains(t, all[i].Error(), want)
	}
	invoked := c.Invoke(func(Orders) { t.Error("called") })
	require.Equal(t, c.Verify(), invoked)
}

type (
	item  struct{ id string }
	items []item
	// page is a generic result.
	page[T any] struct{ all []T }
)

// Catalog has results whose types are compared with a fallback's.
type Catalog interface {
	Slice(ctx context.Context) ([]item, error)
	Map(ctx context.Context) (map[string]item, error)
	Page(ctx context.Context) (page[item], error)
	Reader(ctx context.Context) (io.Reader, error)
	Buffer(ctx context.Context) (*bytes.Buffer, error)
}

type catalog struct{}

func (catalog) Slice(context.Context) ([]item, error)         { return nil, errBoom }
func (catalog) Map(context.Context) (map[string]item, error)  { return nil, errBoom }
func (catalog) Page(context.Context) (page[item], error)      { return page[item]{}, errBoom }
func (catalog) Reader(context.Context) (io.Reader, error)     { return nil, errBoom }
func (catalog) Buffer(context.Context) (*bytes.Buffer, error) { return nil, errBoom }

// gives is a fallback with a result of any type.
func gives[T any](v T) func() (T, error) { return func() (T, error) { return v, nil } }

// decl:52. Results of a fallback fit where Go could assign them, generic types included.
func TestTheResultsOfAFallbackHaveToBeAssignable(t *testing.T) {
	for _, test := range []struct {
		method   any
		fallback any
		fits     bool
	}{
		{Catalog.Slice, gives([]item{{"1"}}), true},
		{Catalog.Slice, gives(items{{"1"}}), true},
		{Catalog.Slice, gives([]string{"1"}), false},
		{Catalog.Slice, gives([]any{1}), false},
		{Catalog.Map, gives(map[string]item{"1": {}}), true},
		{Catalog.Map, gives(map[string]any{"1": 1}), false},
		{Catalog.Page, gives(page[item]{[]item{{"1"}}}), true},
		{Catalog.Page, gives(page[string]{}), false},
		{Catalog.Page, gives(&page[item]{}), false},
		{Catalog.Reader, gives[io.Reader](new(bytes.Buffer)), true},
		{Catalog.Reader, gives(new(bytes.Buffer)), true},
		{Catalog.Reader, gives(bytes.Buffer{}), false},
		{Catalog.Buffer, gives[io.Reader](nil), false},
	} {
		t.Run(fmt.Sprintf("%T", test.fallback), func(t *testing.T) {
			c := container.New()
			c.Provide(func() catalog { return catalog{} }, container.As[Catalog](), once(test.method, test.fallback))
			all := problems(t, c)
			if test.fits {
				require.Empty(t, all)
				return
			}
			require.Len(t, all, 1)
			require.Contains(t, all[0].Error(), "does not fit")
		})
	}
}

func TestTheResultOfAFallbackKeepsItsConcreteType(t *testing.T) { // decl:52
	buffer := bytes.NewBufferString("x")
	c := container.New()
	c.Provide(func() catalog { return catalog{} }, container.As[Catalog](),
		once(Catalog.Reader, gives(buffer)), once(Catalog.Page, gives(page[item]{[]item{{"1"}}})))
	r, err := get[Catalog](t, c).Reader(t.Context())
	require.NoError(t, err)
	require.Same(t, buffer, r)
	p, err := get[Catalog](t, c).Page(t.Context())
	require.NoError(t, err)
	require.Equal(t, page[item]{[]item{{"1"}}}, p)
}

// decl:53. One fallback serves methods of any parameters, by the context and the cause.
func TestOneFallbackServesMethodsOfDifferentParameters(t *testing.T) {
	c := container.New()
	c.Provide(func() orders { return orders{} }, container.As[Orders](),
		once("*", func(_ context.Context, cause error) (string, error) { return "instead of " + cause.Error(), nil }))
	o := get[Orders](t, c)
	for _, call := range []func() (string, error){
		func() (string, error) { return o.Place(t.Context(), "book", 2) },
		func() (string, error) { return o.Cancel(t.Context(), "7") },
		func() (string, error) { return o.List(t.Context()) },
	} {
		got, err := call()
		require.NoError(t, err)
		require.Equal(t, "instead of boom", got)
	}
}

// decl:54. The error of a fallback is found for what it is, and so is what it ran for.
func TestTheErrorOfAFallbackIsItsOwnAndTheCause(t *testing.T) {
	errFallback := errors.New("the fallback is down too")
	for _, wrap := range []bool{false, true} {
		s := weave(t, down(), container.Annotate[aliases.Retry](Peer.Call, annotation.MaxAttempts(2), annotation.WrapExhausted(wrap),
			annotation.Fallback(func(error) (string, error) { return "", errFallback })))
		_, err := s.Call(t.Context())
		require.ErrorIs(t, err, errFallback)
		require.ErrorIs(t, err, errBoom)
		var exhausted *retry.ExhaustedError
		require.False(t, errors.As(err, &exhausted), "the fallback stands in its place")
		failed := eventsOf(s.rec, every[retry.FallbackFailed])
		require.Len(t, failed, 1)
		require.Equal(t, errBoom, failed[0].Cause)
		require.Equal(t, errFallback, failed[0].Err)
	}
}

// head is embedded by those that have its methods.
type head struct{ booked int }

func (h *head) Book(context.Context) (string, error) { h.booked++; return "booked", nil }
func (h *head) book(context.Context) (string, error) { return h.Book(nil) }

type Office struct{ *head }

type Closed struct {
	_ annotation.On[aliases.Retry] `method:"Call" maxAttempts:"1" fallback:"Closed@book"`
	*Remote
	*head
}

// decl:56. A fallback may be promoted from an embedded struct. One that is not exported is refused, with the one that was
// meant.
func TestAPromotedFallbackIsFoundAndAnUnexportedOneIsADefinitionError(t *testing.T) {
	for _, reference := range []any{"Office@Book", (*Office).Book} {
		office := &Office{&head{}}
		s := weaveIn(t, down(), func(c *container.Container) {
			c.Provide(func() *Office { return office })
		}, once(Peer.Call, reference))
		got, err := s.Call(t.Context())
		require.NoError(t, err)
		require.Equal(t, "booked", got)
		require.Equal(t, 1, office.booked)
	}
	text := onlyProblem(t, func(c *container.Container) {
		c.Provide(func() *Closed { return &Closed{head: &head{}} }, container.As[Peer]())
	})
	require.Contains(t, text, "has no exported method book; did you mean Book?")
	require.Contains(t, text, "Closed._")
}

// Reports takes an error of its own.
type Reports interface {
	Send(ctx context.Context, about error) (string, error)
	Now() (string, error)
}

type reports struct{}

func (reports) Send(context.Context, error) (string, error) { return "", errBoom }
func (reports) Now() (string, error)                        { return "", errBoom }

// decl:57. The cause is an optional parameter: with it or without, with the method's own parameters or without. Where that
// can be read in two ways, it is refused.
func TestEveryShapeOfAFallbackIsFoundAndAnAmbiguousOneIsADefinitionError(t *testing.T) {
	for _, fallback := range []any{
		func(_ context.Context, item string, n int) (string, error) { return fmt.Sprint(item, n), nil },
		func(_ context.Context, item string, n int, cause error) (string, error) {
			return fmt.Sprint(item, n), unless(cause)
		},
		func(_ context.Context, cause error) (string, error) { return "book2", unless(cause) },
		func(cause error) (string, error) { return "book2", unless(cause) },
		func() (string, error) { return "book2", nil },
	} {
		t.Run(fmt.Sprintf("%T", fallback), func(t *testing.T) {
			c := container.New()
			c.Provide(func() orders { return orders{} }, container.As[Orders](), once(Orders.Place, fallback))
			got, err := get[Orders](t, c).Place(t.Context(), "book", 2)
			require.NoError(t, err)
			require.Equal(t, "book2", got)
		})
	}
	text := onlyProblem(t, func(c *container.Container) {
		c.Provide(func() reports { return reports{} }, container.As[Reports](),
			once(Reports.Send, func(context.Context, error) (string, error) { return "", nil }))
	})
	require.Contains(t, text, "can be read in two ways")
}

// unless is an error if the cause is not the one that it should be.
func unless(cause error) error {
	if cause == errBoom {
		return nil
	}
	return fmt.Errorf("the cause is %v", cause)
}
