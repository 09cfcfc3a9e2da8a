package aspects

import (
	"fmt"
	"math"
	"time"

	"github.com/backstay/backstay/aspect"
)

// RateLimit says how often a method may be called. [RateLimitAspect] reads it.
type RateLimit struct {
	// PerSecond is how many tokens come in a second, evenly; each call takes one. It is above zero, may be below one, and
	// has to be written.
	PerSecond float64
	// Burst is how many tokens there are after a pause, and so how many calls may come at once. 0 is one second's worth,
	// and one at least.
	Burst int
	// Wait is how long a call waits for its token at most. One that would have to wait longer is refused at once. 0: nobody
	// waits.
	Wait time.Duration
	// Name lets methods share one limit, all with the same PerSecond and Burst. Without a name the method has one of its own.
	Name string
}

// Validate says what is wrong with the settings.
func (r RateLimit) Validate() error {
	var perSecond, burst error
	if !(r.PerSecond > 0) || math.IsInf(r.PerSecond, 0) {
		perSecond = fmt.Errorf("perSecond is %v; write how many calls may come in a second, such as 50 or 0.5", r.PerSecond)
	}
	if r.Burst < 0 {
		burst = fmt.Errorf("burst %d is below zero", r.Burst)
	}
	return joined(perSecond, burst, checkDuration("wait", r.Wait))
}

func (r RateLimit) pace() pace {
	p := pace{r.PerSecond, r.Burst}
	if p.burst == 0 {
		p.burst = int(math.Ceil(min(p.perSecond, math.MaxInt32)))
	}
	return p
}

// RateLimitAspect bounds how often a method is called, as [RateLimit] annotations say, by the token bucket of
// golang.org/x/time/rate. Tokens are given in the order in which calls ask for them. A context that is done while its caller
// waits ends the wait, and the error matches the context's; the token goes back, unless others wait for a later one already. A
// call whose context has a deadline before its token is refused at once.
//
// A refused call ends with a *retry.RejectedError, in which errors.Is finds [ErrRateLimited]; its RetryAfter is the time until
// there would have been a token, which a retry heeds. A method without an error result cannot be refused, and is a definition
// error.
type RateLimitAspect struct {
	byDefault *RateLimit
	methods   methods[*pacedMethod]
	limits    shared[RateLimit, pace, *limiter]
}

var _ aspect.Checker = (*RateLimitAspect)(nil)

// RateLimitOption configures a [RateLimitAspect].
type RateLimitOption func(*RateLimitAspect)

// DefaultRateLimit is what holds for methods that the aspect meets and that have no [RateLimit] annotation.
func DefaultRateLimit(r RateLimit) RateLimitOption {
	return func(a *RateLimitAspect) { a.byDefault = &r }
}

// NewRateLimit returns an aspect whose buckets are all full.
func NewRateLimit(opts ...RateLimitOption) *RateLimitAspect {
	a := &RateLimitAspect{}
	configure(a, opts)
	return a
}

// pacedMethod is what a rate limit knows of one method.
type pacedMethod struct {
	limiter *limiter
	wait    time.Duration
	wrong   error // every call gets it; nil: the annotation fits
}

// Process proceeds with a token.
func (a *RateLimitAspect) Process(jp aspect.JoinPoint) error {
	m, ok := a.methods.of(jp.Ref())
	if !ok {
		m = a.methods.add(met(jp), a.prepare)
	}
	if m.wrong != nil {
		return m.wrong
	}
	if err := m.limiter.take(jp, m.wait); err != nil {
		return err
	}
	return jp.Proceed()
}

// Check says whether a method that the aspect meets can have a rate limit, and which one.
func (a *RateLimitAspect) Check(m aspect.MetMethod) error {
	r, c, err := a.read(m)
	if err != nil || r.Validate() != nil {
		return err // an annotation that is not valid has been reported, and is compared with nothing
	}
	return a.limits.plan(c)
}

// prepare makes what a method's calls need.
func (a *RateLimitAspect) prepare(m aspect.MetMethod) *pacedMethod {
	r, c, err := a.read(m)
	if err != nil {
		return &pacedMethod{wrong: err}
	}
	l, err := a.limits.get(c, newLimiter)
	return &pacedMethod{limiter: l, wait: r.Wait, wrong: err}
}

// read is what a method's annotation says, and the tokens that it claims by that.
func (a *RateLimitAspect) read(m aspect.MetMethod) (r RateLimit, c claim[pace], err error) {
	r, place, err := declared(m, a.byDefault, "aspects.DefaultRateLimit")
	if err == nil && !hasError(m.Method) {
		err = wrong[RateLimit](m.Ref, place, "the method returns no error, so that no call can be refused", "let it return one, or leave it out")
	}
	return r, claim[pace]{r.Name, r.pace(), m.Ref, place}, err
}
