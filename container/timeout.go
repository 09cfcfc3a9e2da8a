package container

import (
	"fmt"
	"time"

	"github.com/backstay/backstay/annotation"
)

// timeoutKind is what a timeout bounds.
type timeoutKind uint8

const (
	startTimeout timeoutKind = iota
	stopTimeout
	healthTimeout
	timeoutKinds
)

// String is the option that sets it.
func (k timeoutKind) String() string {
	return [...]string{"container.StartTimeout", "container.StopTimeout", "container.HealthTimeout"}[k]
}

// timeouts are those of a container or a registration; zero: not set.
type timeouts [timeoutKinds]time.Duration

var defaultTimeouts = timeouts{15 * time.Second, 15 * time.Second, 5 * time.Second}

// TimeoutOption is what [StartTimeout], [StopTimeout] and [HealthTimeout] return. Given to [New] it holds for all services,
// given to Provide or Supply for one, which beats that.
type TimeoutOption struct {
	kind  timeoutKind
	d     time.Duration
	place string
}

// StartTimeout bounds each Start, and each hook of [OnStart], by d from its call on. Without it that is 15 s. Below a
// microsecond it is a definition error.
func StartTimeout(d time.Duration) TimeoutOption {
	return TimeoutOption{startTimeout, d, annotation.Caller(0)}
}

// StopTimeout bounds each Stop and Close, each hook of [OnStop] and each cleanup, by d from its call on. Without it that is
// 15 s. Below a microsecond it is a definition error.
func StopTimeout(d time.Duration) TimeoutOption {
	return TimeoutOption{stopTimeout, d, annotation.Caller(0)}
}

// HealthTimeout bounds each Health, and each hook of [OnHealth], by d from its call on. Without it that is 5 s. Below a
// microsecond it is a definition error.
func HealthTimeout(d time.Duration) TimeoutOption {
	return TimeoutOption{healthTimeout, d, annotation.Caller(0)}
}

func (o TimeoutOption) option(s *settings) {
	if problem, remedy := o.wrong(); problem != "" {
		s.problems = append(s.problems, &annotation.DefinitionError{Place: o.place, Problem: problem, Remedy: remedy})
	}
	s.timeouts[o.kind] = o.d
}

func (o TimeoutOption) provide(r *registration) {
	if problem, remedy := o.wrong(); problem != "" {
		r.problem(problem, remedy)
	}
	r.timeouts[o.kind] = o.d
}

// wrong says why the timeout cannot be one; the problem is empty if it can.
func (o TimeoutOption) wrong() (problem, remedy string) {
	switch {
	case o.d <= 0:
		return fmt.Sprintf("%v(%v) is no time", o.kind, o.d), "give it a timeout above zero, or leave it out for the default"
	case o.d < time.Microsecond:
		return fmt.Sprintf("%v(%d) is %v", o.kind, int64(o.d), o.d), fmt.Sprintf("write %d*time.Millisecond", int64(o.d))
	}
	return "", ""
}

// timeout is what bounds a call that belongs to the registration: its own, else the container's, else the default.
func (p *plan) timeout(r *registration, k timeoutKind) time.Duration {
	for _, t := range [...]*timeouts{&r.timeouts, &p.container.settings.timeouts} {
		if t[k] > 0 {
			return t[k]
		}
	}
	return defaultTimeouts[k]
}
