package aspect

// Aspect is code that runs around join points. One value serves all calls, so it must be safe for concurrent use.
type Aspect interface {
	// Process calls jp.Proceed, once, more often, or not at all. The error it returns is the method's error result; on a
	// method without one, an error is raised as a panic.
	Process(jp JoinPoint) error
}

// Func is a func that is an aspect.
type Func func(jp JoinPoint) error

// Process calls f.
func (f Func) Process(jp JoinPoint) error { return f(jp) }

// RetryPriority is the priority of [RetryAspect]. A larger one is outside the retry: once per call. A smaller one is
// inside: once per attempt.
const RetryPriority = 1000
