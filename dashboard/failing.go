package dashboard

const (
	forgiving = 5  // good seconds in a row end a failing: a few among bad ones do not
	passing   = 2  // so many end what has not come to be one
	many      = 10 // failed attempts and rejected calls: more than a call or two
	sparse    = 60 // bad seconds not further apart belong together; a method may be called seldom
)

// failing is the present run of bad seconds of a method. The zero value is that of one that is well.
type failing struct {
	since   int64 // the Unix second in which it began; 0: there is none
	lastBad int64
	good    int // seconds in a row

	// What was tried since it began, and what of that went wrong.
	tried, troubles uint64
	seconds         int    // bad ones that are over
	calls           uint64 // that began, or were rejected, in bad seconds

	established bool // so much has gone wrong that it is no matter of chance
}

// observe takes the next second: once it is over, or of the present one what has passed.
func (f *failing) observe(s *second, over bool) {
	switch bad := s.isBad(); {
	case bad:
		if s.at-f.lastBad > sparse {
			*f = failing{}
		}
		if f.since == 0 {
			f.since = s.at
		}
		f.lastBad, f.good = s.at, 0
		f.calls += uint64(s.attempts-s.retries) + uint64(s.rejected)
		if over {
			f.seconds++
		}
	case f.since == 0 || s.tried() == 0:
		return
	case !s.isGood():
		f.good = 0
	default:
		if f.good++; f.good >= forgiving || f.good >= passing && !f.established {
			*f = failing{}
			return
		}
	}
	f.tried += s.tried()
	f.troubles += s.troubles()
	f.established = f.established || f.isCertain()
}

// isCertain reports whether it is no matter of a single call, nor of one that a retry has made good here and there.
func (f *failing) isCertain() bool {
	return f.troubles >= many && 2*f.troubles >= f.tried || f.seconds >= 2 && 2*f.troubles > f.tried
}

// isRecent reports whether it has not passed: what went wrong is not older than the figures beside it or, when that was more
// than one call, not so old that the next one might have come.
func (f *failing) isRecent(now int64) bool {
	limit := int64(window)
	if f.calls >= 2 {
		limit = sparse
	}
	return f.since != 0 && now-f.lastBad <= limit
}
