package dashboard

import "time"

// detail is what the page shows of the method that is selected. One that was never called has nothing to show.
func (d *Dashboard) detail(ref string) methodJSON {
	at := d.moment()
	all := methodJSON{Ref: ref, Series: []pointJSON{}, Sessions: []sessionJSON{}, Errors: []errorJSON{}}
	m := d.methods.find(ref)
	if m == nil {
		return all
	}
	points, sessions, errors := m.copies(at.now)
	present := secondOf(at.now)
	for second := max(present-seriesLength, secondOf(d.clock.started())); second < present; second++ {
		p := points[second%seriesLength].json(second)
		p.T = at.seconds(second)
		all.Series = append(all.Series, p)
	}
	for i := range sessions {
		all.Sessions = append(all.Sessions, sessions[i].json(&at))
	}
	for _, e := range errors {
		all.Errors = append(all.Errors, errorJSON{at.milliseconds(e.at), e.text, e.count})
	}
	return all
}

// copies are of what the lock guards. What sessions point to is not changed any more.
func (m *method) copies(now int64) ([seriesLength]point, []session, []errorCount) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.advance(now)
	m.collect(m.latest)
	return m.series, m.sessions.newest(), m.errors.all()
}

// json is the point of a second; an empty one when this is the point of an earlier one.
func (p *point) json(at int64) pointJSON {
	if int64(p.at) != at {
		return pointJSON{}
	}
	return pointJSON{
		Calls: p.calls, Errors: p.errors, Fallbacks: p.fallbacks, Attempts: p.attempts, Failed: p.failed,
		Retries: p.retries, Refused: p.refused, P50Ms: hundredths(float64(p.p50)), P95Ms: hundredths(float64(p.p95)),
	}
}

func (s *session) json(at *moment) sessionJSON {
	began := s.began()
	since := func(t int64) float64 { return inMs(time.Duration(max(t-began, 0))) }
	j := sessionJSON{
		At: at.milliseconds(began), ElapsedMs: inMs(s.elapsed), End: s.end, Limit: s.limit, Fallback: s.fallback, Error: s.err,
		Made: s.made, Attempts: []attemptJSON{}, Waits: []waitJSON{},
	}
	for _, a := range s.attempts {
		j.Attempts = append(j.Attempts, attemptJSON{since(a.from), since(a.to), a.err})
	}
	for _, w := range s.waits {
		j.Waits = append(j.Waits, waitJSON{since(w.from), inMs(w.long)})
	}
	return j
}
