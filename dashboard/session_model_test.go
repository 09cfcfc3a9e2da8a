package dashboard_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

// modelSession is a session as whoever runs it sees it.
type modelSession struct {
	ref      retry.MethodRef
	id       retry.SessionID
	began    time.Time
	resumes  time.Time // when the attempt that is under way began; in the future while it waits
	failed   bool      // the last attempt, and nothing has come after
	told     session
	endedAt  int64 // the second
	awaiting bool  // a fallback may come
}

// model is sessions of two methods, in any interleaving, and what is to be told of them.
type model struct {
	board    *dashboard.Dashboard
	running  []*modelSession
	awaiting []*modelSession
	free     []retry.SessionID
	ended    map[string][]*modelSession  // by method, in order
	seconds  map[string]map[int64]*point // by method and second
}

func newModel(board *dashboard.Dashboard) *model {
	m := &model{board: board, ended: map[string][]*modelSession{}, seconds: map[string]map[int64]*point{}}
	for id := range 6 {
		m.free = append(m.free, retry.SessionID(id+1)*64)
	}
	return m
}

func (m *model) on(e retry.Event) { m.board.On(context.Background(), e) }

// second is what happens in a method now.
func (m *model) second(ref retry.MethodRef) *point { return m.at(ref, time.Now().Unix()) }

func (m *model) at(ref retry.MethodRef, at int64) *point {
	all := m.seconds[ref.String()]
	if all == nil {
		all = map[int64]*point{}
		m.seconds[ref.String()] = all
	}
	if all[at] == nil {
		all[at] = &point{T: at}
	}
	return all[at]
}

// begin begins a session with a number that nobody has; nil when all are taken.
func (m *model) begin(t step) *modelSession {
	if len(m.free) == 0 {
		return nil
	}
	i := t.Number % len(m.free)
	s := &modelSession{id: m.free[i], began: time.Now(), resumes: time.Now(), ref: []retry.MethodRef{charge, refund}[t.Number%2]}
	m.free = slices.Delete(m.free, i, i+1)
	s.told = session{At: ms(s.began), Attempts: []attempt{}, Waits: []wait{}}
	return s
}

func (s *modelSession) since(at time.Time) float64 {
	return float64(at.Sub(s.began)) / float64(time.Millisecond)
}

// attempted notes an attempt that is over.
func (m *model) attempted(s *modelSession, err string) {
	s.told.Attempts = append(s.told.Attempts, attempt{s.since(s.resumes), s.since(time.Now()), err})
	s.told.Made++
	now := m.second(s.ref)
	now.Attempts++
	if s.told.Made > 1 {
		now.Retries++
	}
	if err != "" {
		now.Failed++
		s.told.Error = err
	}
}

func (m *model) end(s *modelSession, how string) {
	s.told.End, s.told.ElapsedMs, s.endedAt = how, s.since(time.Now()), time.Now().Unix()
	m.running = slices.DeleteFunc(m.running, func(r *modelSession) bool { return r == s })
	m.ended[s.ref.String()] = append(m.ended[s.ref.String()], s)
	now := m.second(s.ref)
	now.Calls++
	if how != "succeeded" {
		now.Errors++
	}
	if s.told.Limit != "" {
		now.Refused++
	}
	if s.awaiting {
		m.awaiting = append(m.awaiting, s)
	} else {
		m.free = append(m.free, s.id)
	}
}

func (m *model) elapsed(s *modelSession) time.Duration { return time.Since(s.began) }

// difference is the first one between the model and what is told.
type difference struct{ text string }

func (d *difference) Errorf(format string, args ...any) {
	if d.text == "" {
		d.text = fmt.Sprintf(format, args...)
	}
}

func (d *difference) FailNow() {} // whoever plays looks at the text

// play plays a plan, and reports whether what is told then differs.
func (m *model) play(plan []step) string {
	d := &difference{}
	for i, t := range plan {
		time.Sleep(t.Pause)
		a := actions[t.Action]
		if s := a.of(m, t); s != nil {
			a.do(m, t, s)
		}
		if i%10 == 9 {
			m.check(d)
		}
		if d.text != "" {
			return fmt.Sprintf("after step %d, %s: %s", i, a.name, d.text)
		}
	}
	time.Sleep(time.Second)
	m.check(d)
	return d.text
}

// kind is how a session is kept: for itself, or as a sample of those of its second.
func kind(s session) string {
	switch {
	case s.Made == 0:
		return "without attempts"
	case s.Made == 1 && s.End == "succeeded":
		return "plain"
	}
	return "eventful"
}

// sessions are those that are to be told of one kind, newest first. Of samples it is the first of each second.
func (m *model) sessions(ref string, of string) (all []session) {
	last := int64(0)
	for _, s := range m.ended[ref] {
		if kind(s.told) != of || of != "eventful" && s.endedAt == last {
			continue
		}
		last = s.endedAt
		told := s.told
		if n := len(told.Attempts); n > 12 {
			told.Attempts = slices.Concat(told.Attempts[:8], told.Attempts[n-4:])
		}
		if n := len(told.Waits); n > 12 {
			told.Waits = slices.Concat(told.Waits[:8], told.Waits[n-4:])
		}
		all = append(all, told)
	}
	slices.Reverse(all)
	return all
}

func (m *model) check(t require.TestingT) {
	h := m.board.Handler(nil)
	for ref := range m.seconds {
		_, told := lookAt(t, h, ref)
		for _, of := range []string{"eventful", "without attempts", "plain"} {
			var got []session
			for _, s := range told.Sessions {
				if kind(s) == of {
					got = append(got, s)
				}
			}
			require.Equal(t, m.sessions(ref, of), got, "%s: %s", ref, of)
		}
		for _, p := range without(told.Series) {
			want := point{T: p.T}
			if some := m.seconds[ref][p.T]; some != nil {
				want = *some
			}
			require.Equal(t, want, p, ref)
		}
	}
}

func TestSessionsAreToldAsTheModelSaw(t *testing.T) {
	for range 3 { // rapid makes a hundred checks
		rapid.Check(t, func(rt *rapid.T) {
			plan, text := drawPlan(rt), ""
			synctest.Test(t, func(*testing.T) { text = newModel(dashboard.New(dashboard.WithSessions(1000))).play(plan) })
			require.Empty(rt, text)
		})
	}
}
