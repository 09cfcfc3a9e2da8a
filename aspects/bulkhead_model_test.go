package aspects_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/backstay/backstay/aspects"
)

// bulkheadPlan is a bulkhead and what happens to it.
type bulkheadPlan struct {
	Concurrent, Queue int
	Wait              time.Duration
	Steps             []bulkheadStep
}

// bulkheadStep comes after a pause. Which picks one of those that it can happen to.
type bulkheadStep struct {
	Op    string
	Which int
	Pause time.Duration
}

func drawBulkheadPlan(t *rapid.T) bulkheadPlan {
	p := bulkheadPlan{Concurrent: rapid.IntRange(1, 3).Draw(t, "concurrent"), Queue: rapid.IntRange(0, 3).Draw(t, "queue")}
	if p.Queue > 0 {
		// No wait ends at the moment of a step: pauses are whole milliseconds.
		p.Wait = rapid.SampledFrom([]time.Duration{0, 1500 * time.Microsecond, 4500 * time.Microsecond}).Draw(t, "wait")
	}
	p.Steps = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) bulkheadStep {
		return bulkheadStep{
			Op:    rapid.SampledFrom([]string{"call", "call", "call", "return", "return", "panic", "goexit", "cancel"}).Draw(t, "op"),
			Which: rapid.IntRange(0, 2).Draw(t, "which"),
			Pause: time.Duration(rapid.IntRange(1, 3).Draw(t, "pause")) * time.Millisecond,
		}
	}), 1, 50).Draw(t, "steps")
	return p
}

// bulkheadModel is who runs and who waits, the first to come in front, and how the others have ended.
type bulkheadModel struct {
	plan    bulkheadPlan
	running []string
	waiting []modelWaiter
	ended   []string
}

type modelWaiter struct {
	id   string
	left time.Duration // of its wait
}

func (m *bulkheadModel) end(id, how string) { m.ended = append(m.ended, id+" "+how) }

// pause lets waits end.
func (m *bulkheadModel) pause(d time.Duration) {
	var left []modelWaiter
	for _, w := range m.waiting {
		if w.left -= d; m.plan.Wait > 0 && w.left < 0 {
			m.end(w.id, "full")
		} else {
			left = append(left, w)
		}
	}
	m.waiting = left
}

func (m *bulkheadModel) call(id string) {
	switch {
	case len(m.running) < m.plan.Concurrent:
		m.running = append(m.running, id)
	case len(m.waiting) < m.plan.Queue:
		m.waiting = append(m.waiting, modelWaiter{id, m.plan.Wait})
	default:
		m.end(id, "full")
	}
}

// leave ends the call at a place among those that run, and the first of those who wait takes its place.
func (m *bulkheadModel) leave(at int, how string) {
	m.end(m.running[at], how)
	m.running = slices.Delete(m.running, at, at+1)
	if len(m.waiting) > 0 {
		m.running = append(m.running, m.waiting[0].id)
		m.waiting = m.waiting[1:]
	}
}

func (m *bulkheadModel) String() string {
	return fmt.Sprint("running ", strings.Join(m.running, ","), "; ended ", strings.Join(slices.Sorted(slices.Values(m.ended)), ","))
}

func TestBulkheadAgreesWithItsModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		plan, difference := drawBulkheadPlan(rt), ""
		synctest.Test(t, func(t *testing.T) { difference = plan.play(t) })
		require.Empty(rt, difference)
	})
}

// bulkheadPlay is the plan played with the product.
type bulkheadPlay struct {
	gate   *gate
	all    *calls
	cancel map[string]context.CancelFunc
	began  []string
}

// play says at which step the bulkhead and its model differ first. Then, everybody having left, all permits are there.
func (p bulkheadPlan) play(t *testing.T) string {
	m, g := &bulkheadModel{plan: p}, newGate()
	play := &bulkheadPlay{gate: g, cancel: map[string]context.CancelFunc{}}
	play.all = newCalls(around(t, aspects.NewBulkhead(), Load(g.load), bulkhead(p.Concurrent, p.Queue, p.Wait)))
	for i, s := range p.Steps {
		time.Sleep(s.Pause)
		synctest.Wait()
		m.pause(s.Pause)
		play.step(t, m, s)
		if want, got := m.String(), play.String(); want != got {
			play.finish()
			return fmt.Sprintf("step %d, %+v of %+v\nthe model: %s\nthe product: %s", i, s, p, want, got)
		}
	}
	play.finish()
	for i := range p.Concurrent {
		play.all.begin(t.Context(), fmt.Sprint("last ", i))
	}
	got := len(play.running())
	for _, id := range play.running() {
		g.let(id, fine)
	}
	if got != p.Concurrent {
		return fmt.Sprintf("in the end there are %d permits of %d", got, p.Concurrent)
	}
	return ""
}

// step does the same to both.
func (b *bulkheadPlay) step(t *testing.T, m *bulkheadModel, s bulkheadStep) {
	switch {
	case s.Op == "call":
		id := fmt.Sprint(len(b.began))
		b.began = append(b.began, id)
		ctx, cancel := context.WithCancel(t.Context())
		b.cancel[id] = cancel
		b.all.begin(ctx, id)
		m.call(id)
	case s.Op == "cancel":
		if len(m.waiting) > 0 {
			at := s.Which % len(m.waiting)
			id := m.waiting[at].id
			b.cancel[id]()
			synctest.Wait()
			m.waiting = slices.Delete(m.waiting, at, at+1)
			m.end(id, "canceled")
		}
	case len(m.running) > 0:
		at := s.Which % len(m.running)
		b.gate.let(m.running[at], map[string]func() (string, error){
			"return": fine,
			"panic":  func() (string, error) { panic("no") },
			"goexit": func() (string, error) { runtime.Goexit(); return "", nil },
		}[s.Op])
		m.leave(at, s.Op)
	}
}

// running are the calls that have come in and have not ended.
func (b *bulkheadPlay) running() (ids []string) {
	for _, id := range b.gate.came {
		if b.all.ended(id) == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

func (b *bulkheadPlay) String() string {
	var ends []string
	for _, id := range b.began {
		switch e := b.all.ended(id); {
		case e == nil:
		case errors.Is(e.err, aspects.ErrBulkheadFull):
			ends = append(ends, id+" full")
		case errors.Is(e.err, context.Canceled):
			ends = append(ends, id+" canceled")
		case e.panicked != nil:
			ends = append(ends, id+" panic")
		case e.returned:
			ends = append(ends, id+" return")
		default:
			ends = append(ends, id+" goexit")
		}
	}
	slices.Sort(ends)
	return fmt.Sprint("running ", strings.Join(b.running(), ","), "; ended ", strings.Join(ends, ","))
}

// finish lets everybody leave.
func (b *bulkheadPlay) finish() {
	for _, cancel := range b.cancel {
		cancel()
	}
	synctest.Wait()
	for running := b.running(); len(running) > 0; running = b.running() {
		b.gate.let(running[0], fine)
	}
	b.all.wg.Wait()
}
