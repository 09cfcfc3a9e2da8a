package container

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/retry"
)

// HealthReport is what [Container.Health] returns.
type HealthReport struct {
	State    State           // of the container
	Services []ServiceHealth // those that were asked, in order of registration
	Status   retry.Status    // of breakers and budgets; it does not make a container healthy or not

	wrong error // why nothing can be asked
}

// ServiceHealth is what one service has answered.
type ServiceHealth struct {
	Ref   retry.MethodRef // class and name
	Place string          // of its registration
	Err   error           // nil: it is well
	Took  time.Duration   // by its slowest answer, or how long it has been waited for in vain
}

// Healthy reports whether the container runs and all services are well.
func (r HealthReport) Healthy() bool { return r.Err() == nil }

// Err is nil for a healthy container. Else it says that the container does not run, joined with what each service that is
// not well has answered.
func (r HealthReport) Err() error {
	errs := []error{r.wrong}
	if r.wrong == nil && r.State != StateRunning {
		errs[0] = fmt.Errorf("backstay: the container is not running, it is %s", r.State)
	}
	for _, s := range r.Services {
		if s.Err != nil {
			errs = append(errs, fmt.Errorf("backstay: health of %v (%s): %w", s.Ref, s.Place, s.Err))
		}
	}
	return errors.Join(errs...)
}

// Health asks all built singletons and supplied values that have a method
//
//	Health(context.Context) error
//
// or hooks of [OnHealth], all at the same time, how they are. A woven interface that has Health is asked through its weave.
// Each call has 5 s, or what [HealthTimeout] says; what has not returned by then is not well. The values of ctx reach the
// calls, its end does not: it ends the waiting. One who asks while another does shares the answers, and a call that does
// not return is not made again as long as it runs. A panic is an error, a *retry.PanicError, which has its stack.
//
// A container is healthy when it runs, that is after [Container.Start] and before [Container.Stop]. Health may be called at
// any time. A service that is to be started and is not is not asked, and not well. When the container stops or has stopped
// nobody is asked. Its definition errors are the report's error. Health freezes the plan.
func (c *Container) Health(ctx context.Context) HealthReport {
	if c == nil {
		return HealthReport{State: StateNew, wrong: noContainer(annotation.Caller(0))}
	}
	p, err := c.current()
	if err != nil {
		return HealthReport{State: c.State(), wrong: err}
	}
	report := HealthReport{Status: p.weaver.Shared().Status()}
	c.life.mu.Lock()
	report.State = c.life.current()
	nodes := c.life.nodes
	c.life.mu.Unlock()
	switch {
	case c.life.over.Load():
		return report
	case nodes == nil:
		nodes = p.nodes()
	}
	report.Services = c.life.checks.ask(ctx, p, nodes)
	return report
}
