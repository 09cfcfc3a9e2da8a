package retry_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// phased is a policy of all seven phases that writes down when it is asked.
type phased struct {
	name string
	log  *journal

	enter, limit, take error
	verdict            retry.Verdict // of an error
	wait               time.Duration
}

func (p *phased) Kind() string { return p.name }

func (p *phased) Enter(context.Context) (uint64, error) {
	p.log.add("%s.enter", p.name)
	return uint64(p.name[0]), p.enter
}

func (p *phased) Leave(ticket uint64, s *retry.Session) {
	p.log.add("%s.leave %c session=%t", p.name, rune(ticket), s != nil)
}

func (p *phased) Start(*retry.Session) { p.log.add("%s.start", p.name) }

func (p *phased) Judge(s *retry.Session) retry.Verdict {
	p.log.add("%s.judge", p.name)
	if s.Failure() == nil {
		return retry.Abstain
	}
	return p.verdict
}

func (p *phased) Limit(*retry.Session) error {
	p.log.add("%s.limit", p.name)
	return p.limit
}

func (p *phased) Wait(*retry.Session) time.Duration {
	p.log.add("%s.wait", p.name)
	return p.wait
}

func (p *phased) Take(*retry.Session) error {
	p.log.add("%s.take", p.name)
	return p.take
}

func (p *phased) GiveBack(*retry.Session) { p.log.add("%s.giveBack", p.name) }
func (p *phased) End(*retry.Session)      { p.log.add("%s.end", p.name) }

func TestPhasesAreAskedInOrderAndInEachPhaseTheListIs(t *testing.T) {
	log := new(journal)
	a := &phased{name: "a", log: log, verdict: retry.Again}
	b := &phased{name: "b", log: log}
	op := scripted(errBoom, nil)
	err := retry.With(a, b).Run(t.Context(), func(ctx context.Context) error {
		log.add("attempt")
		return op.run(ctx)
	})
	require.NoError(t, err)
	require.Equal(t, []string{
		"a.enter", "b.enter", "a.start", "b.start",
		"attempt", "a.judge", "b.judge", "a.limit", "b.limit", "a.wait", "b.wait", "a.take", "b.take",
		"attempt", "a.judge", "b.judge",
		"a.end", "b.end", "b.leave b session=true", "a.leave a session=true",
	}, log.all())
}

func TestTheFallbackRunsAfterAllEndHooks(t *testing.T) {
	log := new(journal)
	a := &phased{name: "a", log: log, verdict: retry.Again, limit: errOther}
	err := retry.With(a).
		Fallback(func(context.Context, error) error { log.add("fallback"); return nil }).
		Run(t.Context(), scripted(errBoom).run)
	require.NoError(t, err)
	require.Equal(t, []string{
		"a.enter", "a.start", "a.judge", "a.limit", "a.end", "a.leave a session=true", "fallback",
	}, log.all())
}

func TestGatesPassedBeforeARejectionAreToldOfItInReverse(t *testing.T) {
	log := new(journal)
	refuse := errors.New("full")
	a, b := &phased{name: "a", log: log}, &phased{name: "b", log: log}
	c, d := &phased{name: "c", log: log, enter: refuse}, &phased{name: "d", log: log}
	op := scripted(nil)
	err := retry.With(a, b, c, d).Run(t.Context(), op.run)
	require.ErrorIs(t, err, refuse)
	require.Zero(t, op.calls)
	require.Equal(t, []string{
		"a.enter", "b.enter", "c.enter", "b.leave b session=false", "a.leave a session=false",
	}, log.all(), "nothing starts or ends")
}

func TestEveryGateGetsItsOwnTicketBackOnce(t *testing.T) {
	back := map[uint64]int{}
	var policies []retry.Policy
	for n := range uint64(6) {
		policies = append(policies, gateFuncs{
			enter: func(context.Context) (uint64, error) { return 100 + n, nil },
			leave: func(ticket uint64, s *retry.Session) {
				require.Equal(t, 2, s.Attempt())
				back[ticket]++
			},
		})
	}
	require.NoError(t, retry.With(policies...).Run(t.Context(), scripted(errBoom, nil).run))
	require.Equal(t, map[uint64]int{100: 1, 101: 1, 102: 1, 103: 1, 104: 1, 105: 1}, back)
}

func TestTheLargestVerdictHolds(t *testing.T) {
	for _, c := range []struct {
		name     string
		verdicts []retry.Verdict
		calls    int
	}{
		{"again over abstain", []retry.Verdict{retry.Abstain, retry.Again}, 2},
		{"again over abstain, other order", []retry.Verdict{retry.Again, retry.Abstain}, 2},
		{"never over again", []retry.Verdict{retry.Never, retry.Again}, 1},
		{"never over again, other order", []retry.Verdict{retry.Again, retry.Never}, 1},
		{"all abstain", []retry.Verdict{retry.Abstain, retry.Abstain}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			chain := retry.With(retry.NewMaxAttempts(2))
			for _, v := range c.verdicts {
				chain = chain.With(judgeFunc(func(*retry.Session) retry.Verdict { return v }))
			}
			op := scripted(errBoom)
			require.Same(t, errBoom, chain.Run(t.Context(), op.run))
			require.Equal(t, c.calls, op.calls)
		})
	}
}

func TestTheLargestWaitHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wait := func(d time.Duration) retry.Policy {
			return waitFunc(func(*retry.Session) time.Duration { return d })
		}
		ctx, report := retry.WithReport(t.Context())
		start := time.Now()
		err := retry.With(wait(-time.Hour), wait(2*time.Second), retry.NewSleep(retry.Flat, time.Second)).Max(2).
			Run(ctx, scripted(errBoom).run)
		require.Same(t, errBoom, err)
		require.Equal(t, 2*time.Second, time.Since(start), "one wait, by the loop")
		require.Equal(t, []time.Duration{2 * time.Second}, report.Waits)
	})
}

func TestANegativeWaitIsNoWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		op := scripted(errBoom, nil)
		err := retry.With(waitFunc(func(*retry.Session) time.Duration { return -time.Hour })).Run(t.Context(), op.run)
		require.NoError(t, err)
		require.Equal(t, 2, op.calls)
		require.Zero(t, time.Since(start))
	})
}

func TestTheFirstLimitThatRefusesEndsTheSessionAndNothingElseIsAsked(t *testing.T) {
	log := new(journal)
	a := &phased{name: "a", log: log, verdict: retry.Again}
	b := &phased{name: "b", log: log, limit: errOther}
	c := &phased{name: "c", log: log, limit: errOther}
	err := retry.With(a, b, c).WrapExhausted().Run(t.Context(), scripted(errBoom).run)
	exhaustedBy(t, err, "b", 1)
	require.ErrorIs(t, err, errBoom)
	require.ErrorIs(t, err, errOther, "and what it said")
	require.Equal(t, []string{
		"a.enter", "b.enter", "c.enter", "a.start", "b.start", "c.start", "a.judge", "b.judge", "c.judge",
		"a.limit", "b.limit",
		"a.end", "b.end", "c.end", "c.leave c session=true", "b.leave b session=true", "a.leave a session=true",
	}, log.all())
}

func TestNobodyIsPaidWhereTheWaitWouldPassTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := new(journal)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		a := &phased{name: "a", log: log, verdict: retry.Again, wait: time.Minute}
		err := retry.With(a).Run(ctx, scripted(errBoom).run)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NotContains(t, log.all(), "a.take")
	})
}

func TestAPolicyOfNoPhaseIsADefinitionError(t *testing.T) {
	op := scripted(nil)
	err := retry.With(idle{}, retry.NewMaxAttempts(2)).Run(t.Context(), op.run)
	defined(t, err, "idle", "no phase", "retry.Gate", "retry.Ender")
	require.Zero(t, op.calls)
}

func TestVerdictsPrintThemselves(t *testing.T) {
	require.Equal(t, "abstain", retry.Abstain.String())
	require.Equal(t, "again", retry.Again.String())
	require.Equal(t, "never", retry.Never.String())
}
