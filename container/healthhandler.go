package container

import (
	"encoding/json"
	"net/http"
)

// HealthHandler answers GET and HEAD with what [Container.Health] says: 200 when the container is healthy, else 503, and as
// JSON the state and the services that were asked. It tells which are not well, not why: what errors say may be secret.
//
//	{"state":"running","services":[{"service":"Pool","status":"ok"},{"service":"Queue#mail","status":"failed"}]}
//
// Each request asks the services, and requests at the same time share the answers. The answer is not to be stored. The plan is
// frozen by the first request, not by making the handler, so it may be mounted, or supplied as an http.Handler, while things
// are registered.
func (c *Container) HealthHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		report := c.Health(r.Context())
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		if report.Healthy() {
			w.WriteHeader(http.StatusOK)
		} else {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		if r.Method == http.MethodGet {
			_ = json.NewEncoder(w).Encode(answerOf(report)) // who has gone away does not read it
		}
	})
}

// healthAnswer is a report as the handler tells it.
type healthAnswer struct {
	State    State           `json:"state"`
	Services []serviceAnswer `json:"services"`
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
	return a
}
