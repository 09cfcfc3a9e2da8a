package aspects_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/aspects"
	"github.com/backstay/backstay/container"
)

// Archive is a service whose methods do not all fit.
type Archive interface {
	Find(ctx context.Context, words []string) (string, error)
	Store(ctx context.Context, text string) error
	Size() int
	Label() string
}

type (
	unfit     struct{}
	TapeUnfit struct {
		_ annotation.On[aspects.Cacheable] `method:"Find,Store" ttl:"30s"`
		_ annotation.On[aspects.Bulkhead]  `method:"Size" maxConcurrent:"3"`
		unfit
	}
	TapeInvalid struct {
		_ annotation.On[aspects.Bulkhead]  `method:"Find" name:"tape"`
		_ annotation.On[aspects.Bulkhead]  `method:"Store" maxConcurrent:"3" name:"tape"`
		_ annotation.On[aspects.RateLimit] `method:"Find" perSecond:"-1" name:"tape"`
		_ annotation.On[aspects.RateLimit] `method:"Store" perSecond:"2" name:"tape"`
		_ annotation.On[aspects.Cacheable] `method:"Label" ttl:"30s" maxEntries:"-1" name:"tape"`
		_ annotation.On[aspects.Cacheable] `method:"Size" ttl:"30s" name:"tape"`
		unfit
	}
	TapeSharing struct {
		_ annotation.On[aspects.RateLimit] `method:"Find" perSecond:"5" name:"tape"`
		_ annotation.On[aspects.RateLimit] `method:"Store" perSecond:"2" name:"tape"`
		unfit
	}
	TapeSeveral struct {
		_ annotation.On[aspects.Bulkhead]  `method:"*" maxConcurrent:"9"`
		_ annotation.On[aspects.Bulkhead]  `method:"Find" maxConcurrent:"3"`
		_ annotation.On[aspects.Bulkhead]  `method:"Find" maxConcurrent:"4"`
		_ annotation.On[aspects.RateLimit] `method:"Store" perSecond:"5"`
		_ annotation.On[aspects.Cacheable] `method:"Label" ttl:"30s"`
		unfit
	}
	Tape struct{ unfit }
	Slow struct{ aspects.RateLimit }
)

func (unfit) Find(context.Context, []string) (string, error) { return "", nil }
func (unfit) Store(context.Context, string) error            { return nil }
func (unfit) Size() int                                      { return 0 }
func (unfit) Label() string                                  { return "" }

// archive is a container with an Archive, which nobody can build.
func archive[T Archive](opts ...container.ProvideOption) *container.Container {
	c := container.New()
	c.Provide(func() (T, error) { return *new(T), errors.New("Verify builds nothing") }, append(opts, container.As[Archive]())...)
	return c
}

// reading supplies an aspect for what is annotated with an A.
func reading[A any](c *container.Container, a aspect.Aspect) {
	c.Supply(a, container.AsAspect(aspect.Annotated[A](), 1))
}

const noneForBulkhead = "aspects.Bulkhead: the method has none, and the aspect has no default; annotate the method, or give the aspect's constructor aspects.DefaultBulkhead (aspects/verify_test.go)"

func TestVerifyFindsWhatDoesNotFit(t *testing.T) {
	for _, c := range []struct {
		name string
		of   func() *container.Container
		want []string // without lines of this file
	}{
		{"of annotations", func() *container.Container {
			c := archive[TapeUnfit]()
			reading[aspects.Cacheable](c, aspects.NewCache())
			reading[aspects.Bulkhead](c, aspects.NewBulkhead())
			return c
		}, []string{
			"TapeUnfit@Find: aspects.Cacheable: argument 1 can be in no key: a []string cannot be compared; name the arguments that make the key by keyArgs, or make one by Key (TapeUnfit._)",
			"TapeUnfit@Size: aspects.Bulkhead: the method returns no error, so that no call can be refused; let it return one, or leave it out (TapeUnfit._)",
			"TapeUnfit@Store: aspects.Cacheable: the method returns nothing that can be kept; leave it out (TapeUnfit._)",
		}},
		{"of annotations in code", func() *container.Container {
			c := archive[Tape](container.Annotate[aspects.RateLimit](Archive.Size, annotation.Set(func(r *aspects.RateLimit) { r.PerSecond = 1 })))
			reading[aspects.RateLimit](c, aspects.NewRateLimit())
			return c
		}, []string{
			"Tape@Size: aspects.RateLimit: the method returns no error, so that no call can be refused; let it return one, or leave it out (aspects/verify_test.go)",
		}},
		{"of several annotations of one method", func() *container.Container {
			c := archive[TapeSeveral](
				container.Annotate[Slow](Archive.Store, annotation.Set(func(s *Slow) { s.PerSecond = 1 })),
				container.Annotate[aspects.Cacheable](Archive.Label, annotation.Set(func(c *aspects.Cacheable) { c.MaxEntries = 1 })))
			reading[aspects.RateLimit](c, aspects.NewRateLimit())
			reading[aspects.Cacheable](c, aspects.NewCache())
			c.Supply(aspects.NewBulkhead(), container.AsAspect(aspect.Method("Find"), 1))
			return c
		}, []string{
			"TapeSeveral@Find: aspects.Bulkhead: the method has 2, and one alone can hold: another is at TapeSeveral._; keep one of them (TapeSeveral._)",
			"TapeSeveral@Store: aspects.RateLimit: the method has 2, and one alone can hold: another is at TapeSeveral._; keep one of them (aspects/verify_test.go)",
		}},
		{"of methods that share a name", func() *container.Container {
			c := archive[TapeSharing]()
			reading[aspects.RateLimit](c, aspects.NewRateLimit())
			return c
		}, []string{
			`TapeSharing@Store: aspects.RateLimit: it has perSecond 2, burst 2, and TapeSharing@Find (TapeSharing._), which shares the name "tape", has perSecond 5, burst 5; write the same for both, or another name (TapeSharing._)`,
		}},
		{"of a pointcut that meets what is not annotated", func() *container.Container {
			c := archive[Tape]()
			c.Supply(aspects.NewBulkhead(), container.AsAspect(aspect.Class("Tape"), 1))
			return c
		}, []string{"Tape@Find: " + noneForBulkhead, "Tape@Label: " + noneForBulkhead, "Tape@Size: " + noneForBulkhead, "Tape@Store: " + noneForBulkhead}},
		{"of a default", func() *container.Container {
			c := archive[Tape]()
			c.Supply(aspects.NewRateLimit(aspects.DefaultRateLimit(aspects.RateLimit{PerSecond: 1, Burst: -1})), container.AsAspect(aspect.Method("Store"), 1))
			return c
		}, []string{
			"Tape@Store: aspects.RateLimit: the aspect's default is not valid: burst -1 is below zero; correct what aspects.DefaultRateLimit is given (aspects/verify_test.go)",
		}},
		{"beside what is not valid, which is compared with nothing", func() *container.Container {
			c := archive[TapeInvalid]()
			reading[aspects.Cacheable](c, aspects.NewCache())
			reading[aspects.RateLimit](c, aspects.NewRateLimit())
			reading[aspects.Bulkhead](c, aspects.NewBulkhead())
			return c
		}, []string{
			"TapeInvalid@Find: aspects.Bulkhead: it is not valid: maxConcurrent is 0; write how many calls may run, 1 or more; set its fields in the tag, or by annotation.Set (TapeInvalid._)",
			"TapeInvalid@Label: aspects.Cacheable: it is not valid: maxEntries -1 is below zero; set its fields in the tag, or by annotation.Set (TapeInvalid._)",
			"TapeInvalid@Find: aspects.RateLimit: it is not valid: perSecond is -1; write how many calls may come in a second, such as 50 or 0.5; set its fields in the tag, or by annotation.Set (TapeInvalid._)",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			errs := new(container.VerifyError)
			require.ErrorAs(t, c.of().Verify(), &errs)
			var got []string
			for _, err := range errs.Unwrap() {
				d := *definitionError(t, err)
				if file, _, here := strings.Cut(d.Place, "verify_test.go:"); here {
					d.Place = file + "verify_test.go"
				}
				got = append(got, strings.TrimPrefix(d.Error(), "backstay: "))
			}
			require.ElementsMatch(t, c.want, got)
		})
	}
}

func TestBothPlacesOfSeveralAnnotationsAreTold(t *testing.T) {
	for name, c := range map[string]struct {
		of   func() aspect.Aspect
		opts []aspect.WrapOption
		is   string
	}{
		"caches": {newCache, []aspect.WrapOption{
			aspect.Annotate[aspects.Cacheable]("Call", annotation.Set(func(c *aspects.Cacheable) { c.TTL = time.Hour })),
			aspect.Annotate[aspects.Cacheable]("Call", annotation.Set(func(c *aspects.Cacheable) { c.TTL = time.Minute }))}, ""},
		"bulkheads": {newBulkhead, []aspect.WrapOption{
			aspect.Annotate[aspects.Bulkhead]("Call", annotation.Set(func(b *aspects.Bulkhead) { b.MaxConcurrent = 1 })),
			aspect.Annotate[aspects.Bulkhead]("Call", annotation.Set(func(b *aspects.Bulkhead) { b.MaxConcurrent = 2 }))}, ""},
		"rate limits, one of which is of another type": {newRateLimit, []aspect.WrapOption{
			aspect.Annotate[aspects.RateLimit]("Call", annotation.Set(func(r *aspects.RateLimit) { r.PerSecond = 1 })),
			aspect.Annotate[Slow]("Call", annotation.Set(func(s *Slow) { s.PerSecond = 2 }))}, "the aspects_test.Slow "},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := loading(c.opts...)(aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 1, c.of())))
			told := definitionError(t, err)
			require.Regexp(t, `^the method has 2, and one alone can hold: another is `+c.is+`at aspects/verify_test.go:\d+$`, told.Problem)
			require.Regexp(t, `^aspects/verify_test.go:\d+$`, told.Place)
			require.NotContains(t, told.Problem, told.Place)

			call, err := loading(c.opts...)(aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 1, unasked(c.of()))))
			require.NoError(t, err, "nobody could be asked")
			require.Equal(t, told, definitionError(t, call()))
		})
	}
}

// Verify builds nothing, and so cannot ask what is not there yet.
func TestAnAspectThatIsProvidedIsAskedWhenItIsBuilt(t *testing.T) {
	c := container.New()
	c.Provide(func() *TapeUnfit { return &TapeUnfit{} }, container.As[Archive]())
	c.Provide(func() *aspects.BulkheadAspect { return aspects.NewBulkhead() }, container.AsAspect(aspect.Annotated[aspects.Bulkhead](), 1))
	require.NoError(t, c.Verify())
	_, err := container.Get[Archive](c)
	require.Equal(t, "the method returns no error, so that no call can be refused", definitionError(t, err).Problem)
	require.Equal(t, "TapeUnfit@Size", definitionError(t, err).Ref.String())
}
