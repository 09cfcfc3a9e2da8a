package aspects_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/backstay/backstay/aspects"
)

// cacheStep is one thing that happens to a cache.
type cacheStep struct {
	Op    string
	Key   string
	Pause time.Duration
}

const modelTTL = 10 * time.Second

func drawCacheSteps(t *rapid.T) []cacheStep {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) cacheStep {
		return cacheStep{
			Op:    rapid.SampledFrom([]string{"get", "get", "get", "get", "fail", "forget", "forget all"}).Draw(t, "op"),
			Key:   rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "key"),
			Pause: rapid.SampledFrom([]time.Duration{0, 0, time.Second, modelTTL / 2, modelTTL}).Draw(t, "pause"),
		}
	}), 1, 60).Draw(t, "steps")
}

// cacheModel is a cache as a list, the entry used last in front.
type cacheModel struct {
	most    int
	entries []modelEntry
	calls   int
}

type modelEntry struct {
	key, value string
	age        time.Duration
}

func (m *cacheModel) pause(d time.Duration) {
	for i := range m.entries {
		m.entries[i].age += d
	}
}

func (m *cacheModel) forget(key string) {
	m.entries = slices.DeleteFunc(m.entries, func(e modelEntry) bool { return e.key == key })
}

func (m *cacheModel) get(key string, fails bool) string {
	at := slices.IndexFunc(m.entries, func(e modelEntry) bool { return e.key == key && e.age < modelTTL })
	if at >= 0 {
		e := m.entries[at]
		m.forget(key)
		m.entries = append([]modelEntry{e}, m.entries...)
		return e.value
	}
	m.forget(key)
	m.calls++
	if fails {
		return "down"
	}
	e := modelEntry{key: key, value: fmt.Sprint(key, " ", m.calls)}
	m.entries = append([]modelEntry{e}, m.entries...)
	m.entries = m.entries[:min(m.most, len(m.entries))]
	return e.value
}

func TestCacheAgreesWithItsModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		most, steps := rapid.IntRange(1, 4).Draw(rt, "most"), drawCacheSteps(rt)
		difference := ""
		synctest.Test(t, func(t *testing.T) { difference = playCache(t, most, steps) })
		require.Empty(rt, difference)
	})
}

// playCache says at which step the cache and its model differ first.
func playCache(t *testing.T, most int, steps []cacheStep) string {
	model, cache := &cacheModel{most: most}, aspects.NewCache()
	calls, fails := 0, false
	load := around[Load](t, cache, func(_ context.Context, id string) (string, error) {
		if calls++; fails {
			return "", errDown
		}
		return fmt.Sprint(id, " ", calls), nil
	}, annotated(func(c *aspects.Cacheable) { c.TTL, c.MaxEntries = modelTTL, most }))
	for i, s := range steps {
		time.Sleep(s.Pause)
		model.pause(s.Pause)
		switch s.Op {
		case "forget":
			cache.Invalidate("Load@Call", s.Key)
			model.forget(s.Key)
			continue
		case "forget all":
			cache.Invalidate("Load@Call")
			model.entries = nil
			continue
		}
		fails = s.Op == "fail"
		got, err := load(t.Context(), s.Key)
		if err != nil {
			got = err.Error()
		}
		if want := model.get(s.Key, fails); got != want || calls != model.calls {
			return fmt.Sprintf("step %d, %+v: got %q after %d calls, the model says %q after %d", i, s, got, calls, want, model.calls)
		}
	}
	return ""
}
