package aspects

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// ErrRateLimited is why a rate limit has refused a call. A caller gets it in a *retry.RejectedError, whose RetryAfter says
// when there will be a token.
var ErrRateLimited = errors.New("rate limit is reached")

// rateLimited is the reason of one refusal.
type rateLimited struct{ after time.Duration }

func (e *rateLimited) Error() string {
	return fmt.Sprintf("%v; there is a token in %v", ErrRateLimited, e.after)
}
func (e *rateLimited) Unwrap() error             { return ErrRateLimited }
func (e *rateLimited) RetryAfter() time.Duration { return e.after }

// pace is what a bucket is made of.
type pace struct {
	perSecond float64
	burst     int
}

func (p pace) String() string { return fmt.Sprintf("perSecond %v, burst %d", p.perSecond, p.burst) }

// limiter hands out the tokens of one bucket.
type limiter struct {
	// mu makes looking at the next token and leaving it one step. Between them another could reserve the one after, and a
	// reservation that is cancelled does not give back what others have reserved behind it: each crowd of refused calls
	// would take tokens with it. It also puts readings of the clock in order.
	mu     sync.Mutex
	bucket *rate.Limiter
}

func newLimiter(p pace) *limiter {
	return &limiter{bucket: rate.NewLimiter(rate.Limit(p.perSecond), p.burst)}
}

// take returns with a token, after most at the latest, or says why not.
func (l *limiter) take(jp aspect.JoinPoint, most time.Duration) error {
	l.mu.Lock()
	now := time.Now()
	if l.bucket.AllowN(now, 1) {
		l.mu.Unlock()
		return nil
	}
	ctx := jp.Context()
	if deadline, ok := ctx.Deadline(); ok {
		most = min(most, deadline.Sub(now))
	}
	token := l.bucket.ReserveN(now, 1)
	delay := token.DelayFrom(now)
	if delay > most {
		token.CancelAt(now)
		l.mu.Unlock()
		return &retry.RejectedError{Ref: jp.Ref(), Reason: &rateLimited{delay}}
	}
	l.mu.Unlock()

	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		l.mu.Lock()
		defer l.mu.Unlock()
		token.CancelAt(time.Now())
		return waitEnded(ctx, jp.Ref(), "a token")
	}
}
