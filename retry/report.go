package retry

import (
	"context"
	"time"
)

// Report is the account of one call. Read it when the call has returned.
type Report struct {
	Ref      MethodRef
	Attempts int
	Waits    []time.Duration // one before each retry
	Errors   []error         // one for each attempt that was not a success; nil where its result was the reason
	Ended    Ending
	Limit    string    // the limit that refused, when exhausted
	Reason   error     // as in ExhaustedError
	Fallback bool      // whether a fallback ran
	Children []*Report // sessions that ran inside this one
}

// Ending says what ended a session.
type Ending string

// The endings.
const (
	EndSucceeded Ending = "succeeded"
	EndFailed    Ending = "failed"    // not worth a retry, or OnlyIf forbade it
	EndExhausted Ending = "exhausted" // worth a retry, but a limit refused
	EndRejected  Ending = "rejected"  // by a gate, before the first attempt
	EndCanceled  Ending = "canceled"  // by the context
	EndAborted   Ending = "aborted"   // by a panic or runtime.Goexit
)

// WithReport returns a context and the report that the first session under it fills. Sessions inside that one are its
// children; sessions beside it and after it are not told of.
func WithReport(ctx context.Context) (context.Context, *Report) {
	r := new(Report)
	return withScope(ctx, func(sc *scope) { sc.report = &claim{report: r} }), r
}

// reportFor returns the report that a session of ref under sc has to fill, or nil. It is a child of the outer session's,
// also when it is one that a context inside has asked for.
func (sc *scope) reportFor(ref MethodRef) *Report {
	var r *Report
	if sc.report != nil && sc.report.taken.CompareAndSwap(false, true) {
		r = sc.report.report
		r.Ref = ref
	}
	if sc.outer == nil {
		return r
	}
	if x := sc.outer.more.Load(); x != nil && x.report != nil {
		if r == nil {
			r = &Report{Ref: ref}
		}
		x.mu.Lock()
		x.report.Children = append(x.report.Children, r)
		x.mu.Unlock()
	}
	return r
}

// report is the session's report, or nil.
func (s *Session) report() *Report {
	if x := s.more.Load(); x != nil {
		return x.report
	}
	return nil
}
