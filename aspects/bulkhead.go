package aspects

import (
	"errors"
	"fmt"
	"time"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// Bulkhead says how many calls of a method may be under way at a time. [BulkheadAspect] reads it.
type Bulkhead struct {
	// MaxConcurrent is how many calls run at most: 1 or more. It has to be written.
	MaxConcurrent int
	// MaxQueue is how many more may wait for their turn, in the order in which they came. 0: nobody waits.
	MaxQueue int
	// MaxWait is how long one of them waits at most. 0: as long as its context lets it.
	MaxWait time.Duration
	// Name lets methods share one bulkhead, all with the same MaxConcurrent and MaxQueue. Without a name the method has one
	// of its own.
	Name string
}

// Validate says what is wrong with the settings.
func (b Bulkhead) Validate() error {
	var concurrent, queue, idle error
	if b.MaxConcurrent < 1 {
		concurrent = fmt.Errorf("maxConcurrent is %d; write how many calls may run, 1 or more", b.MaxConcurrent)
	}
	if b.MaxQueue < 0 {
		queue = fmt.Errorf("maxQueue %d is below zero", b.MaxQueue)
	}
	if b.MaxWait > 0 && b.MaxQueue == 0 {
		idle = errors.New("it has a maxWait, and nobody waits; write a maxQueue")
	}
	return joined(concurrent, queue, idle, checkDuration("maxWait", b.MaxWait))
}

// ErrBulkheadFull is why a bulkhead has refused a call: as many as may run and wait did, or it has waited for as long as it
// may. A caller gets it in a *retry.RejectedError, whose text tells which of the two it was. It says of itself that it is not
// worth a retry.
var ErrBulkheadFull error = bulkheadFull{}

type bulkheadFull struct{}

func (bulkheadFull) Error() string   { return "bulkhead is full" }
func (bulkheadFull) Retryable() bool { return false }

// bulkheadRefusal is the reason of one kind of refusal.
type bulkheadRefusal struct{ why string }

func (e *bulkheadRefusal) Error() string { return ErrBulkheadFull.Error() + ": " + e.why }
func (e *bulkheadRefusal) Unwrap() error { return ErrBulkheadFull }

// BulkheadAspect bounds how many calls of a method are under way, as [Bulkhead] annotations say. A permit comes back whatever
// way out a call takes. A context that is done while its caller waits ends the wait; the error matches the context's.
//
// A method without an error result cannot be refused, and is a definition error. A call that has a permit and makes another
// that shares its bulkhead may wait for itself; MaxWait or the context ends that.
type BulkheadAspect struct {
	byDefault *Bulkhead
	methods   methods[*boundedMethod]
	permits   shared[Bulkhead, permitLimits, *permits]
}

var _ aspect.Checker = (*BulkheadAspect)(nil)

// BulkheadOption configures a [BulkheadAspect].
type BulkheadOption func(*BulkheadAspect)

// DefaultBulkhead is what holds for methods that the aspect meets and that have no [Bulkhead] annotation.
func DefaultBulkhead(b Bulkhead) BulkheadOption {
	return func(a *BulkheadAspect) { a.byDefault = &b }
}

// NewBulkhead returns an aspect whose permits are all free.
func NewBulkhead(opts ...BulkheadOption) *BulkheadAspect {
	a := &BulkheadAspect{}
	configure(a, opts)
	return a
}

// boundedMethod is what a bulkhead knows of one method.
type boundedMethod struct {
	permits *permits
	maxWait time.Duration
	full    error // who finds no place gets it: one value for all calls, so that refusing allocates nothing
	late    error // who has waited for maxWait gets it; likewise
	wrong   error // every call gets it; nil: the annotation fits
}

// Process proceeds with a permit.
func (a *BulkheadAspect) Process(jp aspect.JoinPoint) error {
	m, ok := a.methods.of(jp.Ref())
	if !ok {
		m = a.methods.add(met(jp), a.prepare)
	}
	if m.wrong != nil {
		return m.wrong
	}
	switch m.permits.acquire(jp, m.maxWait) {
	case waitFull:
		return m.full
	case waitLate:
		return m.late
	case waitDone:
		return waitEnded(jp.Context(), jp.Ref(), "a permit")
	}
	defer m.permits.release()
	return jp.Proceed()
}

// Check says whether a method that the aspect meets can have a bulkhead, and which one.
func (a *BulkheadAspect) Check(m aspect.MetMethod) error {
	b, c, err := a.read(m)
	if err != nil || b.Validate() != nil {
		return err // an annotation that is not valid has been reported, and is compared with nothing
	}
	return a.permits.plan(c)
}

// prepare makes what a method's calls need.
func (a *BulkheadAspect) prepare(m aspect.MetMethod) *boundedMethod {
	b, c, err := a.read(m)
	if err != nil {
		return &boundedMethod{wrong: err}
	}
	p, err := a.permits.get(c, newPermits)
	refusal := func(why string) error { return &retry.RejectedError{Ref: m.Ref, Reason: &bulkheadRefusal{why}} }
	return &boundedMethod{
		permits: p, maxWait: b.MaxWait, wrong: err,
		full: refusal(fmt.Sprintf("it has %v", c.settings)),
		late: refusal(fmt.Sprintf("there was no permit within maxWait %v", b.MaxWait)),
	}
}

// read is what a method's annotation says, and the permits that it claims by that.
func (a *BulkheadAspect) read(m aspect.MetMethod) (b Bulkhead, c claim[permitLimits], err error) {
	b, place, err := declared(m, a.byDefault, "aspects.DefaultBulkhead")
	if err == nil && !hasError(m.Method) {
		err = wrong[Bulkhead](m.Ref, place, "the method returns no error, so that no call can be refused", "let it return one, or leave it out")
	}
	return b, claim[permitLimits]{b.Name, permitLimits{b.MaxConcurrent, b.MaxQueue}, m.Ref, place}, err
}
