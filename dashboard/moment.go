package dashboard

import "time"

// moment is when somebody looks. What has happened is known by the dashboard's clock and told by the wall's, so that a page
// names the same times as logs do.
type moment struct {
	now       int64   // by the dashboard's clock
	wallAhead int64   // of it
	span      float64 // how many seconds the window is long
}

// moment is now.
func (d *Dashboard) moment() moment {
	now := d.clock.now()
	whole := window*int64(time.Second) + now%int64(time.Second)
	span := time.Duration(min(whole, max(now-d.clock.started(), int64(time.Second)))).Seconds()
	return moment{now, d.clock.wallAhead(), span}
}

// milliseconds is a time of the dashboard's clock as the page reads it; 0 is never.
func (m *moment) milliseconds(t int64) int64 {
	if t == 0 {
		return 0
	}
	return (t + m.wallAhead) / int64(time.Millisecond)
}

// seconds is a second of the dashboard's clock as the page reads it.
func (m *moment) seconds(at int64) int64 { return at + m.wallAhead/int64(time.Second) }

// unix is a time of the wall's clock by the dashboard's.
func (m *moment) unix(t time.Time) int64 { return t.UnixNano() - m.wallAhead }

// rate is how often something has happened in the window, per second.
func (m *moment) rate(n uint32) float64 { return hundredths(float64(n) / m.span) }
