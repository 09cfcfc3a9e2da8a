package dashboard

const (
	forgiving = 2  // good seconds in a row end a failing: a single one among bad ones does not
	sparse    = 60 // bad seconds not further apart belong together; a method may be called seldom
)

// failing is the present run of bad seconds of a method. The zero value is that of one that is well.
type failing struct {
	since   int64 // the Unix second in which it began; 0: the method is well
	lastBad int64
	good    int // seconds since then

	// What has gone wrong since it began.
	seconds      int
	troubles     uint64
	unsuccessful uint64 // calls
}

// observe takes the next second, once it is over.
func (f *failing) observe(s *second) {
	switch {
	case s.isBad():
		if s.at-f.lastBad > sparse {
			*f = failing{}
		}
		if f.since == 0 {
			f.since = s.at
		}
		f.lastBad, f.good = s.at, 0
		f.seconds++
		f.troubles += uint64(s.troubles())
		f.unsuccessful += uint64(s.calls - s.succeeded)
	case s.isGood() && f.since != 0:
		if f.good++; f.good == forgiving {
			*f = failing{}
		}
	}
}

// isPresent reports whether the method is still failing: what went wrong is not older than the figures beside it or, when calls
// have failed one after the other, not so old that the next one might have come.
func (f *failing) isPresent(now int64) bool {
	limit := int64(window)
	if f.unsuccessful >= 2 {
		limit = sparse
	}
	return f.since != 0 && now-f.lastBad <= limit
}

// isEstablished reports whether so much has gone wrong that it is no matter of a single call.
func (f *failing) isEstablished() bool { return f.seconds >= 2 || f.troubles >= 10 }
