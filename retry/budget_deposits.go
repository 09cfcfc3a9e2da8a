package retry

import (
	"math/bits"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
)

// maxDepositStripes is how many lines colliding depositors are spread over at most. A take reads them all.
const maxDepositStripes = 16

// deposits counts the sessions of a window, slice by slice. To add takes no lock: it is one compare-and-swap of a word
// that holds both a slice's number and its count, so that a slice begins and counts its first session in one step.
//
// Depositors share one line of words until two of them collide; from then on each picks one of several lines by chance.
type deposits struct {
	width     uint64 // nanoseconds in a slice
	countBits uint   // of a word; the lap is above them
	stripes   atomic.Pointer[[]depositLine]
	_         [64]byte // what every depositor reads stays in cache while the line is written
	shared    depositLine
}

// depositLine is a ring with a word for each slice. Slice n has the place n%ringSlices; the word's upper bits hold
// n/ringSlices+1, the lap, and the lower ones the count. A word of a lap that is over is as good as empty.
type depositLine struct {
	words [ringSlices]atomic.Uint64
	_     [128 - 8*ringSlices]byte // two lines never share a cache line, nor the pair that is fetched together
}

// init sets the width of a slice. The lap gets as many bits as the whole range of time has laps, so laps never wrap and
// can be compared however long nothing happened; the count has the rest, which is 2²⁰ for the shortest window and for
// every window more than processors can count in a slice.
func (d *deposits) init(width uint64) {
	d.width = width
	laps := ^uint64(0)/(width*ringSlices) + 1
	d.countBits = uint(64 - bits.Len64(laps))
}

// lapOf returns the lap and the place of a slice.
func lapOf(slice uint64) (lap, place uint64) { return slice/ringSlices + 1, slice % ringSlices }

// add counts a session at time t.
func (d *deposits) add(t int64) {
	lap, place := lapOf(instant(t) / d.width)
	stripes := d.stripes.Load()
	if stripes == nil {
		if d.tryAdd(&d.shared.words[place], lap) {
			return
		}
		stripes = d.stripe()
	}
	lines := *stripes
	// The nanoseconds of the clock are chance enough, and already paid for; where two still collide, draw.
	pick := uint32(uint64(t) * 0x9E3779B97F4A7C15 >> 32)
	for !d.tryAdd(&lines[pick&uint32(len(lines)-1)].words[place], lap) {
		pick = rand.Uint32()
	}
}

// tryAdd counts one session in the word of a slice, and reports false when another depositor came between.
func (d *deposits) tryAdd(word *atomic.Uint64, lap uint64) bool {
	shift := d.countBits & 63 // spares the compiler the case of 64 and more
	old := word.Load()
	switch have := old >> shift; {
	case have == lap:
		if old == lap<<shift|(1<<shift-1) {
			return true // full: the sessions beyond pay for nothing
		}
		return word.CompareAndSwap(old, old+1)
	case have > lap:
		return true // a reading so old that its slice has left the window
	}
	return word.CompareAndSwap(old, lap<<shift|1)
}

// stripe makes the lines that depositors are spread over, or returns those that another has just made. Their number is
// a power of two, and such that two for each processor suffice.
func (d *deposits) stripe() *[]depositLine {
	n := min(1<<bits.Len(uint(2*runtime.GOMAXPROCS(0)-1)), maxDepositStripes)
	lines := make([]depositLine, n)
	d.stripes.CompareAndSwap(nil, &lines)
	return d.stripes.Load()
}

// each calls f with every line.
func (d *deposits) each(f func(*depositLine)) {
	f(&d.shared)
	if stripes := d.stripes.Load(); stripes != nil {
		for i := range *stripes {
			f(&(*stripes)[i])
		}
	}
}

// sum counts the sessions of the window that ends with the slice. Later ones do not count yet: they would stay longer
// than what they pay for. Those that are ahead by more than leap nanoseconds are another clock's and are forgotten.
func (d *deposits) sum(slice, leap uint64) (n uint64) {
	lap, last := lapOf(slice)
	shift := d.countBits & 63
	d.each(func(l *depositLine) {
		for place := range uint64(ringSlices) {
			// The one lap whose slice at this place is in the window.
			want := lap
			if place > last {
				want--
			}
			word := l.words[place].Load()
			switch have := word >> shift; {
			case have == want:
				n += word & (1<<shift - 1)
			case have > want && (have-want)*ringSlices > leap/d.width:
				l.words[place].CompareAndSwap(word, 0)
			}
		}
	})
	return n
}

// clear forgets every session.
func (d *deposits) clear() {
	d.each(func(l *depositLine) {
		for i := range l.words {
			l.words[i].Store(0)
		}
	})
}
