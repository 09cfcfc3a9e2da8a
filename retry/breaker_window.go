package retry

const (
	// ratioSlack is how much a share may miss a ratio and still reach it: .55 of 100 is 55, though the nearest binary
	// fraction to .55 is a little more.
	ratioSlack = 1e-9
	// smallestRatio is the share of one in the largest window.
	smallestRatio = 1.0 / maxBreakerWindow
)

// callMarks say what the ratios count of one attempt.
type callMarks uint8

const (
	callFailed callMarks = 1 << iota
	callSlow
)

// tally counts results.
type tally struct{ calls, failed, slow int }

// count adds a result, or with -1 takes it out again.
func (n *tally) count(m callMarks, by int) {
	n.calls += by
	if m&callFailed != 0 {
		n.failed += by
	}
	if m&callSlow != 0 {
		n.slow += by
	}
}

// reaches reports whether n of so many calls are the share that opens; a ratio of zero is off.
func reaches(n, calls int, ratio float64) bool {
	return ratio > 0 && float64(n) >= (ratio-ratioSlack)*float64(calls)
}

// breakerWindow holds the results that ratios are taken of. It is used under the breaker's lock.
type breakerWindow interface {
	// add puts in a result of time t and returns the count of all that are in the window now.
	add(m callMarks, t int64) tally
	// at is the count of all that are in the window at time t. To look changes nothing.
	at(t int64) tally
	// clear forgets everything.
	clear()
}

// newBreakerWindow returns the window that the settings ask for.
func newBreakerWindow(s BreakerSettings) breakerWindow {
	switch {
	case s.WindowTime > 0:
		return &timeWindow{clock: newSliceClock(int64(s.WindowTime))}
	case s.Window > 0:
		return &callWindow{ring: make([]callMarks, s.Window)}
	}
	return new(allCalls)
}

// callWindow is a window of the latest calls.
type callWindow struct {
	ring []callMarks
	next int // the place of the next result, which is the oldest one's when the window is full
	tally
}

func (w *callWindow) add(m callMarks, _ int64) tally {
	if w.calls == len(w.ring) {
		w.count(w.ring[w.next], -1)
	}
	w.ring[w.next] = m
	w.next++
	if w.next == len(w.ring) {
		w.next = 0
	}
	w.count(m, 1)
	return w.tally
}

func (w *callWindow) at(int64) tally { return w.tally }

func (w *callWindow) clear() { w.tally = tally{} }

// timeWindow is a window of the latest slices of time.
type timeWindow struct {
	clock  sliceClock
	slices [ringSlices]timeSlice
}

// timeSlice holds the results of one slice of time.
type timeSlice struct {
	slice uint64
	tally
}

func (w *timeWindow) add(m callMarks, t int64) tally {
	slice, _, leapt := w.clock.advance(t)
	if leapt {
		w.clear()
	}
	cell := &w.slices[slice%ringSlices]
	if cell.slice != slice {
		*cell = timeSlice{slice: slice}
	}
	cell.count(m, 1)
	return w.sum(slice)
}

func (w *timeWindow) at(t int64) tally {
	clock := w.clock
	slice, _, leapt := clock.advance(t)
	if leapt {
		return tally{}
	}
	return w.sum(slice)
}

// sum counts the results of the window that ends with the slice.
func (w *timeWindow) sum(slice uint64) (sum tally) {
	for i := range w.slices {
		if c := &w.slices[i]; slice-c.slice < ringSlices {
			sum.calls += c.calls
			sum.failed += c.failed
			sum.slow += c.slow
		}
	}
	return sum
}

func (w *timeWindow) clear() { clear(w.slices[:]) }

// allCalls is no window at all: it counts what has come since the last transition.
type allCalls struct{ tally }

func (w *allCalls) add(m callMarks, _ int64) tally {
	w.count(m, 1)
	return w.tally
}

func (w *allCalls) at(int64) tally { return w.tally }

func (w *allCalls) clear() { w.tally = tally{} }
