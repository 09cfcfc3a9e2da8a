package retry

import (
	"fmt"
	"time"
)

// modelReport is the account of a session.
type modelReport struct {
	method, attempts int
	waits            []time.Duration
	errors           []string
	ended            Ending
	limit            string
	reason           *modelError
	fallback         bool
	children         []*modelReport
}

func (r *modelReport) String() string {
	return fmt.Sprintf("%s: %d attempts, waits %v, errors %v, %s %s %v, fallback %v, inside %v",
		modelName(r.method), r.attempts, r.waits, r.errors, r.ended, r.limit, r.reason, r.fallback, r.children)
}

func reportInModelWords(r *Report) string {
	errs, inside := make([]string, len(r.Errors)), make([]string, len(r.Children))
	for i, err := range r.Errors {
		errs[i] = inModelWords(err)
	}
	for i, c := range r.Children {
		inside[i] = reportInModelWords(c)
	}
	return fmt.Sprintf("%s: %d attempts, waits %v, errors %v, %s %s %s, fallback %v, inside %v",
		r.Ref.Method, r.Attempts, r.Waits, errs, r.Ended, r.Limit, inModelWords(r.Reason), r.Fallback, inside)
}
