package retry_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// model says what must come of the call.
func (s scenario) model() (a account) {
	now := 0 // in half seconds
	over := func() string {
		switch {
		case s.CancelAt > 0 && now >= 2*s.CancelAt-1 && (s.DeadlineAt == 0 || s.CancelAt <= s.DeadlineAt):
			return "canceled"
		case s.DeadlineAt > 0 && now >= 2*s.DeadlineAt-1:
			return "expired"
		}
		return ""
	}
	end := func(ended retry.Ending, limit string, last play) account {
		a.Ended, a.Limit, a.Elapsed = ended, limit, time.Duration(now)*time.Second/2
		a.Value, a.Err = last.Value, last.Err
		switch {
		case ended == retry.EndCanceled:
			a.Err = over() + " " + last.Err
		case limit == "deadline":
			a.Err = "expired " + last.Err
		case ended == retry.EndRejected:
			a.Err = "rejected"
		}
		if last.Err == "" && (ended == retry.EndCanceled || limit == "deadline" && s.Fallback == "") {
			a.Value, a.Discarded = 0, a.Discarded+1 // a result does not go beside the context's error
		}
		if ended != retry.EndExhausted && ended != retry.EndRejected {
			return a
		}
		switch {
		case s.Fallback == "":
			if s.Wrap && ended == retry.EndExhausted {
				a.Err = limit + ": " + a.Err
			}
		case s.Fallback == "good":
			a.Value, a.Err, a.Fallback = 10, "", true
		case s.Fallback == "bad":
			a.Value, a.Err, a.Fallback = 11, "fallback of "+a.Err, true
		}
		if a.Fallback && ended == retry.EndExhausted {
			a.Discarded++
		}
		return a
	}
	if s.Rejects {
		return end(retry.EndRejected, "", play{})
	}
	most := s.MaxAttempts
	if most == 0 && s.Timeout < 0 && s.Pays < 0 {
		most = retry.DefaultMaxAttempts
	}
	for n := 1; ; n++ {
		a.Starts = append(a.Starts, time.Duration(now)*time.Second/2)
		o := s.Outcomes[min(n, len(s.Outcomes))-1]
		now += 2 * o.Takes
		again := o.Err == "boom" || o.Err == "busy" || o.Err == "other" && s.RetryOther || o.Err == "" && o.Value == 0 && s.RetryZero
		wait := 0
		for _, w := range append(s.Bases, s.Hint) {
			wait = max(wait, w)
		}
		if o.Err == "busy" {
			wait = max(wait, 1)
		}
		wait = min(wait, s.MaxDelay)
		switch {
		case !again && o.Err == "":
			return end(retry.EndSucceeded, "", o)
		case !again:
			return end(retry.EndFailed, "", o)
		case over() != "":
			return end(retry.EndCanceled, "", o)
		case n == s.VetoAt:
			return end(retry.EndFailed, "", o)
		case s.Once:
			return end(retry.EndExhausted, "once", o)
		case s.Timeout >= 0 && now >= 2*s.Timeout:
			return end(retry.EndExhausted, "timeout", o)
		case n == most:
			return end(retry.EndExhausted, "maxAttempts", o)
		case s.Timeout >= 0 && now+2*wait >= 2*s.Timeout:
			return end(retry.EndExhausted, "timeout", o)
		case s.DeadlineAt > 0 && wait > 0 && now+2*wait >= 2*s.DeadlineAt-1:
			return end(retry.EndExhausted, "deadline", o)
		case s.Pays >= 0 && a.Taken == s.Pays:
			return end(retry.EndExhausted, "taker", o)
		}
		if s.CancelAt > 0 && now+2*wait >= 2*s.CancelAt-1 { // it ends in the wait
			now = 2*s.CancelAt - 1
			return end(retry.EndCanceled, "", o)
		}
		now += 2 * wait
		if n == s.HookFailsAt {
			return end(retry.EndExhausted, "beforeRetry", o)
		}
		if s.Pays >= 0 {
			a.Taken++
		}
		a.Discarded++
		a.Waits = append(a.Waits, time.Duration(wait)*time.Second)
	}
}

func TestASessionDoesWhatTheModelSays(t *testing.T) {
	for range 20 { // rapid makes a hundred checks
		rapid.Check(t, func(rt *rapid.T) {
			s := drawScenario(rt)
			want := s.model()
			if want.Err == "permanent" {
				want.Err = "boom" // the outermost session takes the mark off
			}
			var got account
			synctest.Test(t, func(t *testing.T) { got = s.play(t) })
			require.Equal(rt, want, got, "%+v", s)
		})
	}
}

// However high the tower and whatever its layers do to errors, retries add up over the layers; they never multiply.
func TestRetriesAddUpOverLayersAndNeverMultiply(t *testing.T) {
	passes := map[string]func(error) error{"verbatim": verbatim, "wrapped": wrapped, "joined": joined, "replaced": replaced}
	rapid.Check(t, func(rt *rapid.T) {
		op := scripted(errBoom)
		next, most, largest := op.run, 1, 1
		for i := range rapid.IntRange(1, 5).Draw(rt, "layers") {
			n := rapid.IntRange(1, 4).Draw(rt, fmt.Sprint("attempts of layer ", i))
			pass := passes[rapid.SampledFrom([]string{"verbatim", "wrapped", "joined", "replaced"}).Draw(rt, "pass")]
			next = tower(next, pass, retry.WhenThrows().Max(n))
			most += n - 1
			largest = max(largest, n)
		}
		require.Error(rt, next(t.Context()))
		require.LessOrEqual(rt, op.calls, most)
		require.GreaterOrEqual(rt, op.calls, 1)
		if largest > 1 {
			require.Greater(rt, op.calls, 1)
		}
	})
}
