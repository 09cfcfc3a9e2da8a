package retry

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// budgetModel is a budget as one would write it down: it remembers every session and every retry.
type budgetModel struct {
	settings BudgetSettings
	latest   int64 // of all takes
	asked    bool
	sessions []uint64 // their slices
	retries  []modelRetry
	have     int64 // in the reserve, in billionths of a thousandth of a retry
}

type modelRetry struct {
	slice   uint64
	paid    int64 // by sessions, in thousandths
	undone  bool
	reserve int64
}

func newBudgetModel(s BudgetSettings) *budgetModel {
	m := &budgetModel{settings: s, have: math.MaxInt64 / 2}
	m.put(0)
	return m
}

func (m *budgetModel) deposit(t int64) { m.sessions = append(m.sessions, m.slice(t)) }

// slice numbers the tenths of a TTL from the beginning of time.
func (m *budgetModel) slice(t int64) uint64 {
	return (uint64(t) + 1<<63) / uint64(m.settings.TTL/10)
}

func (m *budgetModel) inWindow(slice uint64) bool {
	last := m.slice(m.latest)
	return slice <= last && slice+10 >= last
}

func (m *budgetModel) rate() int64 { return int64(math.Round(m.settings.MinPerSec * 1000)) }

func (m *budgetModel) put(n int64) {
	m.have = min(m.have+n, m.rate()*int64(m.settings.TTL)/1e9*1e9)
}

func (m *budgetModel) take(t int64) bool {
	switch {
	case !m.asked:
		m.asked, m.latest = true, t
	case t >= m.latest:
		m.put(m.rate() * min(t-m.latest, int64(m.settings.TTL)))
		m.latest = t
	case m.latest-t > max(int64(time.Minute), int64(m.settings.TTL)/10*11): // another clock: what the old one knew is void
		m.latest, m.sessions = t, nil
		for i := range m.retries {
			m.retries[i].undone = true
		}
	}
	earned := int64(0)
	for _, s := range m.sessions {
		if m.inWindow(s) {
			earned += int64(math.Round(m.settings.Percent * 1000))
		}
	}
	for _, r := range m.retries {
		if !r.undone && m.inWindow(r.slice) {
			earned -= r.paid
		}
	}
	r := modelRetry{slice: m.slice(m.latest), paid: max(0, min(earned, 1000))}
	r.reserve = 1000 - r.paid
	if r.reserve > m.have/1e9 {
		return false
	}
	m.have -= r.reserve * 1e9
	m.retries = append(m.retries, r)
	return true
}

func (m *budgetModel) giveBack(i int) {
	m.retries[i].undone = true // by sessions
	m.put(m.retries[i].reserve * 1e9)
}

func TestBudgetAgreesWithItsModel(t *testing.T) {
	for range 5 { // rapid makes a hundred checks
		rapid.Check(t, func(t *rapid.T) {
			s := BudgetSettings{
				TTL:       oneOf(t, "ttl", time.Millisecond, 990*time.Millisecond, 10*time.Second, time.Hour),
				MinPerSec: oneOf(t, "min", 0, 0.001, 0.1, 1, 3.333, 1000),
				Percent:   oneOf(t, "percent", 0, 0.001, 0.2, 0.3, 0.555, 0.7, 1, 10),
			}
			at := oneOf[int64](t, "start", 0, -1e18, 1e18)
			b := newBudget("", s)
			m := newBudgetModel(s)
			newest, deposited := at, at
			var tickets []budgetTicket
			var open []int // retries that may be given back

			t.Repeat(map[string]func(*rapid.T){
				"time passes": func(t *rapid.T) {
					at += rapid.OneOf(
						rapid.Int64Range(0, int64(s.TTL)/5),
						rapid.Int64Range(0, 3*int64(s.TTL)),
					).Draw(t, "ns")
					newest = max(newest, at)
				},
				"clock goes back": func(t *rapid.T) {
					at = max(at-rapid.Int64Range(0, int64(s.TTL)/2).Draw(t, "ns"), newest-int64(s.TTL)*9/10)
				},
				"clock is another": func(t *rapid.T) {
					if !seldom(t, "really") {
						return
					}
					// A take finds out where the clock is; before it, what is deposited by another may be lost.
					look := func() {
						k, ok := b.take(at)
						require.Equal(t, m.take(at), ok)
						if ok {
							tickets = append(tickets, k) // never given back
						}
					}
					at = newest
					look()
					far := rapid.Int64Range(int64(3*time.Hour), 1<<60).Draw(t, "ns")
					if at > 0 {
						far = -far
					}
					at += far
					newest, deposited = at, at
					look()
					if len(open) > 0 { // what was taken by the old clock is given back by the new one, or never
						b.giveBack(tickets[open[0]])
						m.giveBack(open[0])
					}
					open = nil
				},
				"sessions": func(t *rapid.T) {
					for range rapid.IntRange(1, 30).Draw(t, "n") {
						b.deposit(at)
						m.deposit(at)
						deposited = max(deposited, at)
					}
				},
				"collision": func(*rapid.T) { b.deposits.stripe() },
				"take": func(t *rapid.T) {
					// A session in a newer slice may have taken the place of the oldest one, for which a take before it
					// would still ask; then less is paid for than the model pays, which remembers everything.
					if m.slice(at) < m.slice(deposited) {
						at = deposited
					}
					for range rapid.IntRange(1, 20).Draw(t, "n") {
						k, ok := b.take(at)
						require.Equal(t, m.take(at), ok)
						if ok {
							tickets = append(tickets, k)
							open = append(open, len(tickets)-1)
						} else {
							require.Zero(t, k)
						}
					}
				},
				"give back": func(t *rapid.T) {
					if len(open) == 0 {
						t.Skip("nothing taken")
					}
					i := rapid.IntRange(0, len(open)-1).Draw(t, "which")
					b.giveBack(tickets[open[i]])
					m.giveBack(open[i])
					open = append(open[:i], open[i+1:]...)
				},
			})
		})
	}
}

// Whatever the slices: in any window of a TTL, sessions pay for no more retries than are their percentage of the window
// and a tenth of it before; and a retry is refused only if the window without its first tenth has no more to give.
func TestBudgetBoundsRetriesInAnyWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const ttl = 10 * time.Second
		percent := rapid.SampledFrom([]int64{1, 200, 300, 700, 1500}).Draw(t, "thousandths")
		b := newBudget("", BudgetSettings{TTL: ttl, Percent: float64(percent) / 1000})
		at := rapid.Int64().Draw(t, "start") / 4
		var sessions, retries []int64
		within := func(times []int64, length time.Duration) (n int64) {
			for _, x := range times {
				if x > at-int64(length) {
					n++
				}
			}
			return n
		}
		for range rapid.IntRange(1, 100).Draw(t, "steps") {
			at += rapid.Int64Range(0, int64(ttl)/4).Draw(t, "ns")
			for range rapid.IntRange(0, 20).Draw(t, "sessions") {
				b.deposit(at)
				sessions = append(sessions, at)
			}
			for range rapid.IntRange(0, 20).Draw(t, "retries") {
				if _, ok := b.take(at); ok {
					retries = append(retries, at)
					require.LessOrEqual(t, within(retries, ttl)*1000, within(sessions, ttl+ttl/10)*percent)
				} else {
					require.Less(t, within(sessions, ttl)*percent, within(retries, ttl+ttl/10)*1000+1000)
				}
			}
		}
	})
}

// However the clock jumps: sessions pay once, and the reserve gets no more than the time that was seen to pass.
func TestBudgetMintsNothingWhateverTheClockDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const rate, percent = 2, 0.5
		ttl := rapid.SampledFrom([]time.Duration{time.Millisecond, time.Second, 10 * time.Second}).Draw(t, "ttl")
		b := newBudget("", BudgetSettings{TTL: ttl, MinPerSec: rate, Percent: percent})
		at := rapid.Int64().Draw(t, "start")
		allowed := rate * ttl.Seconds()
		var last int64
		taken, took := 0, false
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			at = rapid.OneOf(
				rapid.Map(rapid.Int64Range(-int64(20*time.Second), int64(20*time.Second)), func(d int64) int64 { return at + d }),
				rapid.Map(rapid.Int64Range(-int64(2*ttl), int64(2*ttl)), func(d int64) int64 { return at + d }),
				rapid.Map(rapid.Int64Range(-int64(time.Hour), int64(time.Hour)), func(d int64) int64 { return at + d }),
				rapid.Int64(),
			).Draw(t, "at")
			for range rapid.IntRange(0, 4).Draw(t, "sessions") {
				b.deposit(at)
				allowed += percent
			}
			if !rapid.Bool().Draw(t, "takes") {
				continue
			}
			if took && at > last {
				allowed += rate * min(float64(at)/1e9-float64(last)/1e9, ttl.Seconds())
			}
			last, took = at, true
			taken += drain(b, at)
			require.LessOrEqual(t, float64(taken), allowed+0.001)
		}
	})
}
