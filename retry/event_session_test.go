package retry_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// told collects events.
type told struct {
	mu  sync.Mutex
	all []retry.Event
}

func (l *told) On(_ context.Context, e retry.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, e)
}

// sessionOf is the session that an event is of, and whether it ends it.
func sessionOf(e retry.Event) (id retry.SessionID, ends bool) {
	switch e := e.(type) {
	case retry.AttemptFailed:
		return e.Session, false
	case retry.RetryScheduled:
		return e.Session, false
	case retry.BudgetRefused:
		return e.Session, false
	case retry.Succeeded:
		return e.Session, true
	case retry.Failed:
		return e.Session, true
	case retry.Exhausted:
		return e.Session, true
	case retry.Rejected:
		return e.Session, true
	case retry.Aborted:
		return e.Session, true
	case retry.FallbackSucceeded:
		return e.Session, false
	case retry.FallbackFailed:
		return e.Session, false
	}
	return 0, false
}

// Sessions of one method that run at the same time, with one context, are told apart by their numbers.
func TestEventsOfSessionsAtTheSameTimeAreToldApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := new(told)
		chain := retry.WhenThrows().Max(4).Sleep(time.Second).Listen(log)
		var all sync.WaitGroup
		for n := range 50 {
			op := &counting{errs: []error{errBoom, errBoom, errBoom}[:n%4]}
			all.Go(func() {
				assert.NoError(t, chain.Run(t.Context(), func(ctx context.Context) error { _, err := op.run(ctx); return err }))
			})
		}
		all.Wait()
		attempts := map[retry.SessionID]int{}
		sessions := 0
		for _, e := range log.all {
			id, ends := sessionOf(e)
			require.NotZero(t, id)
			if failed, ok := e.(retry.AttemptFailed); ok {
				attempts[id]++
				require.Equal(t, attempts[id], failed.Attempt, "attempts of one session come in order")
			}
			if ends {
				require.Equal(t, attempts[id]+1, e.(retry.Succeeded).Attempts)
				delete(attempts, id)
				sessions++
			}
		}
		require.Empty(t, attempts)
		require.Equal(t, 50, sessions)
	})
}

func TestEverySessionEndsOnceWhateverEndsIt(t *testing.T) {
	open := func() retry.Policy {
		p := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Hour})
		retry.BreakerOf(p).ForceOpen()
		return p
	}
	full := gateFuncs{enter: func(context.Context) (uint64, error) { return 0, errOther }}
	canceled := func(ctx context.Context) context.Context {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		return ctx
	}
	for name, test := range map[string]struct {
		chain   retry.ErrorChain
		attempt func(context.Context) error
		ctx     func(context.Context) context.Context
		want    retry.Event // without Elapsed and Session
	}{
		"success":                      {chain: three(), attempt: scripted(nil).run, want: retry.Succeeded{Attempts: 1}},
		"failure":                      {chain: three(), attempt: scripted(retry.Permanent(errBoom)).run, want: retry.Failed{Attempts: 1, Err: retry.Permanent(errBoom)}},
		"no more attempts":             {chain: three(), attempt: scripted(errBoom).run, want: retry.Exhausted{Attempts: 3, Limit: "maxAttempts", Err: errBoom}},
		"a context that is done":       {chain: three(), attempt: scripted(nil).run, ctx: canceled, want: retry.Failed{Canceled: true}},
		"an open breaker":              {chain: retry.With(open()).Max(3), attempt: scripted(nil).run, want: retry.Rejected{Reason: retry.ErrCircuitOpen, Gate: "circuitBreaker"}},
		"a gate of the user's":         {chain: retry.With(full).Max(3), attempt: scripted(nil).run, want: retry.Rejected{Reason: errOther, Gate: "gate"}},
		"no time":                      {chain: three().Within(0), attempt: scripted(nil).run, want: retry.Rejected{Reason: retry.ErrTimeout, Gate: "timeout"}},
		"a panic":                      {chain: three(), attempt: func(context.Context) error { panic("lost") }, want: retry.Aborted{Attempts: 1}},
		"Goexit":                       {chain: three(), attempt: func(context.Context) error { runtime.Goexit(); return nil }, want: retry.Aborted{Attempts: 1}},
		"a panic of a judge":           {chain: retry.With(judgeFunc(func(*retry.Session) retry.Verdict { panic("judge") })).Max(3), attempt: scripted(errBoom).run, want: retry.Aborted{Attempts: 1}},
		"a panic before any attempt":   {chain: retry.With(starterFunc(func(*retry.Session) { panic("start") })).Max(3), attempt: scripted(nil).run, want: retry.Aborted{}},
		"a panic of a second attempt":  {chain: three(), attempt: panicsAt(2), want: retry.Aborted{Attempts: 2}},
		"a panic when it has ended":    {chain: retry.With(enderFunc(func(*retry.Session) { panic("end") })).Max(3), attempt: scripted(nil).run, want: retry.Succeeded{Attempts: 1}},
		"a panic of what is to follow": {chain: three().Fallback(func(context.Context, error) error { panic("fallback") }), attempt: scripted(errBoom).run, want: retry.Exhausted{Attempts: 3, Limit: "maxAttempts", Err: errBoom}},
	} {
		t.Run(name, func(t *testing.T) {
			log := new(told)
			ctx, done := t.Context(), make(chan struct{})
			if test.ctx != nil {
				ctx = test.ctx(ctx)
			}
			go func() {
				defer close(done)
				defer func() { _ = recover() }()
				_ = test.chain.Listen(log).Run(ctx, test.attempt)
			}()
			<-done
			var ends []retry.Event
			for _, e := range log.all {
				if _, is := sessionOf(e); is {
					ends = append(ends, bare(e))
				}
			}
			require.Equal(t, []retry.Event{test.want}, ends)
		})
	}
}

// panicsAt is an operation that fails until its n-th call, which panics.
func panicsAt(n int) func(context.Context) error {
	calls := 0
	return func(context.Context) error {
		if calls++; calls == n {
			panic("lost")
		}
		return errBoom
	}
}

// bare is the event that ends a session, without what differs from run to run.
func bare(e retry.Event) retry.Event {
	switch e := e.(type) {
	case retry.Succeeded:
		e.Elapsed, e.Session = 0, 0
		return e
	case retry.Failed:
		e.Elapsed, e.Session = 0, 0
		return e
	case retry.Exhausted:
		e.Elapsed, e.Session = 0, 0
		return e
	case retry.Rejected:
		e.Session = 0
		return e
	case retry.Aborted:
		e.Elapsed, e.Session = 0, 0
		return e
	}
	return e
}

func TestAFallbackIsToldWithTheNumberOfItsSession(t *testing.T) {
	open := retry.NewCircuitBreaker(retry.BreakerSettings{ResetTimeout: time.Hour})
	retry.BreakerOf(open).ForceOpen()
	for name, chain := range map[string]retry.ErrorChain{"of an exhausted one": three(), "of a rejected one": retry.With(open).Max(3)} {
		for how, err := range map[string]error{"that succeeds": nil, "that fails": errOther} {
			t.Run(name+" "+how, func(t *testing.T) {
				log := new(told)
				_ = chain.Listen(log).Fallback(func(context.Context, error) error { return err }).Run(t.Context(), scripted(errBoom).run)
				last := log.all[len(log.all)-2:]
				ended, ends := sessionOf(last[0])
				require.True(t, ends)
				of, _ := sessionOf(last[1])
				require.NotZero(t, of)
				require.Equal(t, ended, of)
			})
		}
	}
}

// Who keeps what it is told of a session until a fallback has run keeps nothing of one that none follows.
func TestARejectionHasANumberIfAFallbackFollows(t *testing.T) {
	done, cancel := context.WithCancel(t.Context())
	cancel()
	good := func(context.Context, *retry.Session, error) error { return nil }
	for name, c := range map[string]struct {
		ctx      context.Context
		fallback func(context.Context, *retry.Session, error) error
		want     bool
	}{
		"a fallback":                           {t.Context(), good, true},
		"none":                                 {t.Context(), nil, false},
		"one that a context keeps from coming": {done, good, false},
	} {
		t.Run(name, func(t *testing.T) {
			log := new(told)
			h := compiled(t, retry.Definition{
				Settings: settings(retry.Fallback, retry.CircuitBreaker, retry.MaxAttempts), Listener: log, NoError: true, // asks no context before gates
				Hooks: retry.Hooks{Fallback: c.fallback},
			})
			retry.BreakerOf(h.Policies()[1]).ForceOpen()
			log.all = nil
			_ = run(c.ctx, h, scripted(nil).run)
			require.Equal(t, c.want, log.all[0].(retry.Rejected).Session != 0)
		})
	}
}

func TestABudgetsRefusalIsToldWithTheNumberOfItsSession(t *testing.T) {
	log := new(told)
	_ = retry.With(retry.NewBudget(retry.BudgetSettings{TTL: time.Second})).WhenThrows().Listen(log).Run(t.Context(), scripted(errBoom).run)
	require.Len(t, log.all, 3)
	first, _ := sessionOf(log.all[0])
	require.Equal(t, first, log.all[1].(retry.BudgetRefused).Session)
	require.Equal(t, first, log.all[2].(retry.Exhausted).Session)
}

func TestAFailureThatIsNotWorthARetryIsToldAsFinal(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	defer cancel()
	for name, test := range map[string]struct {
		chain retry.ErrorChain
		ctx   context.Context
		err   error
		want  []bool
	}{
		"classified out":            {retry.WhenThrows(retry.Is(errOther)).Max(3), t.Context(), errBoom, []bool{true}},
		"for good":                  {three(), t.Context(), retry.Permanent(errBoom), []bool{true}},
		"worth a retry":             {three(), t.Context(), errBoom, []bool{false, false, false}},
		"worth one that is refused": {three().Max(1), t.Context(), errBoom, []bool{false}},
		"of a caller that has gone": {three(), gone, context.Canceled, []bool{false}},
	} {
		t.Run(name, func(t *testing.T) {
			log := new(told)
			_ = test.chain.Listen(log).Run(test.ctx, func(context.Context) error {
				if test.ctx == gone {
					cancel()
				}
				return test.err
			})
			var got []bool
			for _, e := range log.all {
				if failed, ok := e.(retry.AttemptFailed); ok {
					got = append(got, failed.Final)
				}
			}
			require.Equal(t, test.want, got)
		})
	}
}
