package retry

import "slices"

// modelMark is what a session inside has given up.
type modelMark struct {
	err            *modelError
	method         int
	attempt, first int // of the session that keeps the mark
}

// nested reports whether the failure was given up by a session inside, so that this one must not retry it.
func (s *modelSession) nested() bool {
	return slices.ContainsFunc(s.marks, func(m modelMark) bool { return s.failure.has(m.err.same) })
}

// spent reports whether this method has given up in an earlier attempt of a session around.
func (s *modelSession) spent() bool {
	for o := s.outer; o != nil && !o.m.Nested; o = o.outer {
		for _, m := range o.marks {
			if m.method == s.method && m.first < o.attempt {
				return true
			}
		}
	}
	return false
}

// giveUp leaves an error with the sessions around, out to one that retries nested failures.
func (s *modelSession) giveUp(err *modelError) {
	for o := s.outer; o != nil && !o.m.Nested; o = o.outer {
		mark := modelMark{err, s.method, o.attempt, o.attempt}
		earlier := slices.IndexFunc(o.marks, func(m modelMark) bool { return m.method == s.method && m.attempt < o.attempt })
		if earlier >= 0 {
			mark.first = o.marks[earlier].first
			o.marks[earlier] = mark
		} else {
			o.marks = append(o.marks, mark)
		}
	}
}
