package container

import (
	"net/http"

	"github.com/backstay/backstay/retry"
)

// HealthHandler answers GET and HEAD with what [Container.Health] says: 200 when the container is healthy, else 503, and as
// JSON the state and the services that were asked. It tells which are not well, not why: what errors say may be secret.
// Breakers that are not closed and budgets that would pay for no retry now are told too, and do not change the status: a
// peer that is down is no reason to restart who calls it. [Container.StatusHandler] tells of all.
//
//	{"state":"running","services":[{"service":"Pool","status":"ok"},{"service":"Queue#mail","status":"failed"}],
//	 "breakers":[{"name":"Gateway@Charge","state":"open","since":"2026-01-02T15:04:05Z", ...}]}
//
// Each request asks the services, and requests at the same time share the answers. The answer is not to be stored. The plan is
// frozen by the first request, not by making the handler, so it may be mounted, or supplied as an http.Handler, while things
// are registered.
func (c *Container) HealthHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !reads(w, r) {
			return
		}
		report := c.Health(r.Context())
		status := http.StatusOK
		if !report.Healthy() {
			status = http.StatusServiceUnavailable
		}
		answer(w, r, status, answerOf(report))
	})
}

// healthAnswer is a report as the handler tells it.
type healthAnswer struct {
	State    State                 `json:"state"`
	Services []serviceAnswer       `json:"services"`
	Breakers []retry.BreakerStatus `json:"breakers,omitempty"`
	Budgets  []retry.BudgetStatus  `json:"budgets,omitempty"`
}

type serviceAnswer struct {
	Service string `json:"service"`
	Status  string `json:"status"` // "ok" or "failed"
}

func answerOf(r HealthReport) healthAnswer {
	a := healthAnswer{State: r.State, Services: make([]serviceAnswer, len(r.Services))}
	for i, s := range r.Services {
		a.Services[i] = serviceAnswer{s.Ref.String(), "ok"}
		if s.Err != nil {
			a.Services[i].Status = "failed"
		}
	}
	for _, b := range r.Status.Breakers {
		if b.State != retry.BreakerClosed {
			a.Breakers = append(a.Breakers, b)
		}
	}
	for _, b := range r.Status.Budgets {
		if b.Balance < 1 {
			a.Budgets = append(a.Budgets, b)
		}
	}
	return a
}
