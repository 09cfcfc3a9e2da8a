package retry

import (
	"math/bits"
	"sync"
	"sync/atomic"
	"time"
)

// retryCost is what a retry costs. Budgets count in thousandths of a retry.
const retryCost = 1000

// budget decides whether a retry may be paid for. Sessions pay in by deposit, retries are paid for by take. The rule
// that it keeps: of the retries in a window, sessions of that window pay for at most their percentage; the reserve,
// filled by time alone, pays the rest, or the retry is refused.
//
// It needs no goroutine and no timer: the window moves when somebody looks. All methods are safe for concurrent use;
// deposit takes no lock.
type budget struct {
	name     string                 // the shared one, or none
	called   atomic.Pointer[string] // what it pays for first
	settings BudgetSettings
	deposits deposits
	percent  uint64 // what a session pays for, in thousandths of a retry

	mu   sync.Mutex
	paid uint64 // retries, since it was made
	books

	refused atomic.Uint64 // retries, since it was made
}

// books are what a budget has left, but for the deposits, and when that was.
type books struct {
	clock   sliceClock
	spent   spending // what sessions have paid for
	reserve reserve
}

// budgetTicket tells what a take was paid from, so that exactly that can be given back. The zero ticket paid nothing.
// It packs the slice of the take, and below it, in ticketBits, what sessions paid plus one; the reserve paid the rest.
type budgetTicket struct{ v uint64 }

// ticketBits hold 1 to retryCost+1. Above them there is room for any slice, the shortest being 100 µs.
const ticketBits = 10

// newBudget returns a budget with a full reserve. The settings must pass check.
func newBudget(name string, s BudgetSettings) *budget {
	b := &budget{name: name, settings: s, percent: thousandths(s.Percent)}
	b.clock = newSliceClock(int64(s.TTL))
	b.deposits.init(b.clock.width)
	size := s.reserveSize()
	b.reserve = reserve{rate: s.reserveRate(), size: size, have: size}
	return b
}

// deposit pays for a session that was admitted, or that has succeeded, at time t.
func (b *budget) deposit(t int64) {
	if b.percent != 0 {
		b.deposits.add(t)
	}
}

// take pays for a retry at time t, or reports false and takes nothing.
func (b *budget) take(t int64) (budgetTicket, bool) {
	if b.percent == 0 && b.reserve.rate == 0 {
		b.refused.Add(1)
		return budgetTicket{}, false
	}
	b.mu.Lock()
	defer b.mu.Unlock()

	slice, leapt := b.advance(t, b.settings.TTL)
	if leapt {
		b.deposits.clear()
	}
	paid := min(b.earned(slice), retryCost)
	if !b.reserve.take(retryCost - paid) {
		b.refused.Add(1)
		return budgetTicket{}, false
	}
	b.spent.add(paid)
	b.paid++
	return budgetTicket{slice<<ticketBits | (paid + 1)}, true
}

// advance moves the window and the reserve to time t, and returns the slice that it is in. It reports whether that is another
// clock's time, by which no deposit is in the window.
func (k *books) advance(t int64, ttl time.Duration) (slice uint64, leapt bool) {
	slice, passed, leapt := k.clock.advance(t)
	k.spent.advance(slice)
	k.reserve.fill(min(passed, uint64(ttl)))
	return slice, leapt
}

// earned is what the sessions of the window that ends with the slice can still pay for. Nothing is owed when what paid
// has left the window before what it paid for.
func (b *budget) earned(slice uint64) uint64 {
	if b.percent == 0 {
		return 0
	}
	return b.unspent(b.deposits.sum(slice, b.clock.leap) * b.percent)
}

// unspent is what is left of what was earned.
func (k *books) unspent(earned uint64) uint64 { return earned - min(k.spent.total, earned) }

// giveBack undoes the take that returned the ticket, for a retry that does not start after all. Each ticket may be given
// back once; the zero ticket undoes nothing.
func (b *budget) giveBack(k budgetTicket) {
	if k == (budgetTicket{}) {
		return
	}
	slice, paid := k.v>>ticketBits, k.v&(1<<ticketBits-1)-1
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent.takeBack(slice, paid)
	b.reserve.put(retryCost - paid)
	b.paid--
}

// spending is what the sessions of a window have paid for, slice by slice, and in all.
type spending struct {
	slice uint64 // the last one of the window
	paid  [ringSlices]uint64
	total uint64
}

// advance moves the window until it ends with the slice. One before the last is another clock's: it is as far as can be, so
// nothing is left then.
func (s *spending) advance(slice uint64) {
	if slice-s.slice >= ringSlices {
		*s = spending{slice: slice}
		return
	}
	for s.slice < slice {
		s.slice++
		place := &s.paid[s.slice%ringSlices]
		s.total -= *place
		*place = 0
	}
}

// add adds to the last slice.
func (s *spending) add(paid uint64) {
	s.paid[s.slice%ringSlices] += paid
	s.total += paid
}

// takeBack undoes an add, unless its slice has left the window.
func (s *spending) takeBack(slice, paid uint64) {
	if s.slice-slice >= ringSlices {
		return
	}
	place := &s.paid[slice%ringSlices]
	paid = min(paid, *place)
	*place -= paid
	s.total -= paid
}

// reserve is what time alone earns, in thousandths of a retry. What it earns is exact to a billionth of that.
type reserve struct {
	rate uint64 // earned per second
	size uint64 // held at most
	have uint64
	rest uint64 // billionths of a thousandth, not yet one
}

// fill adds what so many nanoseconds earn. They are at most those of an hour, and the rate at most 10⁹, so that what is
// divided fits in two words and the quotient in one.
func (r *reserve) fill(passed uint64) {
	if r.have >= r.size {
		return
	}
	const second = 1_000_000_000
	hi, lo := bits.Mul64(passed, r.rate)
	lo, carry := bits.Add64(lo, r.rest, 0)
	earned, rest := bits.Div64(hi+carry, lo, second)
	r.rest = rest
	r.put(earned)
}

// put adds n, up to the size.
func (r *reserve) put(n uint64) {
	r.have += n
	if r.have >= r.size {
		r.have, r.rest = r.size, 0
	}
}

// take removes n, or reports false and removes nothing.
func (r *reserve) take(n uint64) bool {
	if n > r.have {
		return false
	}
	r.have -= n
	return true
}
