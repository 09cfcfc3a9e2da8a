package container

import (
	"encoding/json"
	"net/http"

	"github.com/backstay/backstay/retry"
)

// Status tells of all circuit breakers and budgets, as data: state and since when, what a breaker has counted, how many retries
// a budget would pay for at once, and the methods that each is for. There are none if what was registered has definition
// errors. It freezes the plan.
func (c *Container) Status() retry.Status {
	p, _ := c.plan()
	if len(p.errs) > 0 {
		return new(retry.Shared).Status()
	}
	return p.weaver.Shared().Status()
}

// StatusHandler answers GET and HEAD with [Container.Status] as JSON, for scripts:
//
//	{"breakers":[{"name":"Gateway@Charge","methods":["Gateway@Charge"],"state":"open","since":"2026-01-02T15:04:05Z", ...}],
//	 "budgets":[{"name":"peer","methods":["Gateway@Charge","Gateway@Refund"],"balance":3.2, ...}]}
//
// The answer is not to be stored. The plan is frozen by the first request, not by making the handler.
func (c *Container) StatusHandler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if reads(w, r) {
			answer(w, r, http.StatusOK, c.Status())
		}
	})
}

// reads reports whether the request only reads, and answers it if not.
func reads(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	return false
}

// answer writes v as JSON that is not to be stored.
func answer(w http.ResponseWriter, r *http.Request, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if r.Method == http.MethodGet {
		_ = json.NewEncoder(w).Encode(v) // who has gone away does not read it
	}
}
