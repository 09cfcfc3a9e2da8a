package aspects_test

import (
	"log/slog"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/aspects"
)

func TestAnnotationsThatAreNotValidAreDefinitionErrors(t *testing.T) {
	for _, c := range []struct {
		name       string
		annotation interface{ Validate() error }
		want       string // empty: it is valid
	}{
		{"a cache", aspects.Cacheable{TTL: time.Microsecond}, ""},
		{"a cache without a ttl", aspects.Cacheable{}, "it has no ttl; write how long results are kept, such as 30s"},
		{"a cache with a ttl below zero", aspects.Cacheable{TTL: -time.Second}, "ttl -1s is below zero"},
		{"a cache with a ttl without its unit", aspects.Cacheable{TTL: 30}, "ttl 30 is 30ns; write 30*time.Millisecond, or 30ms in a tag"},
		{"a cache with fewer than no entries", aspects.Cacheable{TTL: time.Second, MaxEntries: -1}, "maxEntries -1 is below zero"},
		{"a cache with two keys", aspects.Cacheable{TTL: time.Second, KeyArgs: []int{0}, Key: func(aspect.JoinPoint) any { return 1 }},
			"it has KeyArgs and Key; leave one of them out"},
		{"a cache with two mistakes", aspects.Cacheable{MaxEntries: -1},
			"it has no ttl; write how long results are kept, such as 30s; maxEntries -1 is below zero"},
		{"a bulkhead", aspects.Bulkhead{MaxConcurrent: 1}, ""},
		{"a bulkhead with a queue", aspects.Bulkhead{MaxConcurrent: 1, MaxQueue: 1, MaxWait: time.Second}, ""},
		{"a bulkhead without a bound", aspects.Bulkhead{}, "maxConcurrent is 0; write how many calls may run, 1 or more"},
		{"a bulkhead with a queue below zero", aspects.Bulkhead{MaxConcurrent: 1, MaxQueue: -1}, "maxQueue -1 is below zero"},
		{"a bulkhead with a wait below zero", aspects.Bulkhead{MaxConcurrent: 1, MaxWait: -1}, "maxWait -1ns is below zero"},
		{"a bulkhead in which nobody waits", aspects.Bulkhead{MaxConcurrent: 1, MaxWait: time.Second},
			"it has a maxWait, and nobody waits; write a maxQueue"},
		{"a rate limit", aspects.RateLimit{PerSecond: 0.001}, ""},
		{"a rate limit without a rate", aspects.RateLimit{}, "perSecond is 0; write how many calls may come in a second, such as 50 or 0.5"},
		{"a rate limit below zero", aspects.RateLimit{PerSecond: -1}, "perSecond is -1; write how many calls may come in a second, such as 50 or 0.5"},
		{"a rate limit without an end", aspects.RateLimit{PerSecond: math.Inf(1)}, "perSecond is +Inf; write how many calls may come in a second, such as 50 or 0.5"},
		{"a rate limit that is no number", aspects.RateLimit{PerSecond: math.NaN()}, "perSecond is NaN; write how many calls may come in a second, such as 50 or 0.5"},
		{"a rate limit with a burst below zero", aspects.RateLimit{PerSecond: 1, Burst: -1}, "burst -1 is below zero"},
		{"a rate limit with a wait without its unit", aspects.RateLimit{PerSecond: 1, Wait: 5}, "wait 5 is 5ns; write 5*time.Millisecond, or 5ms in a tag"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "" {
				require.NoError(t, c.annotation.Validate())
				return
			}
			require.EqualError(t, c.annotation.Validate(), c.want)
		})
	}
}

func TestAnAnnotationThatIsNotValidIsFoundWhenItIsWoven(t *testing.T) {
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Annotated[aspects.Bulkhead](), 1, aspects.NewBulkhead()))
	_, err := aspect.Wrap(w, Load(newTimed().load), aspect.Annotate[aspects.Bulkhead]("Call"))
	require.ErrorAs(t, err, new(*annotation.DefinitionError))
	require.ErrorContains(t, err, "maxConcurrent is 0")
}

// Marked is annotated by tags, one of which a func would have to be written in.
type Marked struct {
	_ annotation.On[aspects.Cacheable] `method:"Get" ttl:"30s" maxEntries:"50" name:"users" keyArgs:"1"`
	_ annotation.On[aspects.Bulkhead]  `method:"Get,Save" maxConcurrent:"3" maxQueue:"4" maxWait:"5ms" name:"pg"`
	_ annotation.On[aspects.RateLimit] `method:"*" perSecond:"0.5" burst:"6" wait:"7s" name:"quota"`
	PgUsers
}

func TestAnnotationsAreWrittenInTags(t *testing.T) {
	w := aspect.NewWeaver()
	_, err := aspect.Wrap[Users](w, &Marked{})
	require.NoError(t, err)
	for _, e := range annotation.AllOf[aspects.Cacheable](w.Registry()) {
		require.Equal(t, aspects.Cacheable{TTL: 30 * time.Second, MaxEntries: 50, Name: "users", KeyArgs: []int{1}}, e.Annotation)
	}
	bulkheads := annotation.AllOf[aspects.Bulkhead](w.Registry())
	require.Len(t, bulkheads, 2)
	for _, e := range bulkheads {
		require.Equal(t, aspects.Bulkhead{MaxConcurrent: 3, MaxQueue: 4, MaxWait: 5 * time.Millisecond, Name: "pg"}, e.Annotation)
	}
	limits := annotation.AllOf[aspects.RateLimit](w.Registry())
	require.Len(t, limits, 4)
	for _, e := range limits {
		require.Equal(t, aspects.RateLimit{PerSecond: 0.5, Burst: 6, Wait: 7 * time.Second, Name: "quota"}, e.Annotation)
	}
}

func TestANilOptionSaysNothing(t *testing.T) {
	for name, a := range map[string]aspect.Aspect{
		"logging":    aspects.NewLogging(slog.New(slog.DiscardHandler), nil),
		"recover":    aspects.NewRecover(nil),
		"cache":      aspects.NewCache(nil, aspects.DefaultCacheable(aspects.Cacheable{TTL: time.Minute})),
		"bulkhead":   aspects.NewBulkhead(nil, aspects.DefaultBulkhead(aspects.Bulkhead{MaxConcurrent: 1})),
		"rate limit": aspects.NewRateLimit(nil, aspects.DefaultRateLimit(aspects.RateLimit{PerSecond: 1})),
	} {
		_, err := around(t, a, Load(newTimed().load))(t.Context(), "7")
		require.NoError(t, err, name)
	}
}
