package peer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Plan says how the peer fails. The zero value is a peer that never does. Shares are of the attempts to charge and add up
// to 1 at most.
type Plan struct {
	Busy       float64 `json:"busy"`       // 503, and Retry-After as RetryAfter says
	Overloaded float64 `json:"overloaded"` // 503, and a Retry-After of half a minute
	Pending    float64 `json:"pending"`    // 200, but nothing is charged yet
	Reset      float64 `json:"reset"`      // charged, and the connection is reset in the middle of the answer
	Slow       float64 `json:"slow"`       // charged, and the answer comes late, by SlowBy

	RetryAfter time.Duration `json:"retryAfter"` // in whole seconds, as the header is
	SlowBy     time.Duration `json:"slowBy"`

	// The full outage, counted from the plan's beginning: connections are reset, or the load balancer says 503.
	OutageFrom time.Duration `json:"outageFrom"`
	OutageTo   time.Duration `json:"outageTo"`

	// IgnoreKeys makes the peer charge again whatever the key: the bug that an audit has to notice.
	IgnoreKeys bool `json:"ignoreKeys"`
}

// plans are the ways to fail that have a name.
var plans = map[string]Plan{
	"none": {},
	"flaky": {
		Busy: .025, Overloaded: .005, Pending: .02, Reset: .02, Slow: .01,
		RetryAfter: time.Second,
		SlowBy:     1500 * time.Millisecond,
		OutageFrom: 5 * time.Second,
		OutageTo:   7500 * time.Millisecond,
	},
	"outage": {
		OutageFrom: 800 * time.Millisecond,
		OutageTo:   13 * time.Second,
	},
}

// PlanNamed returns the plan of that name: none, flaky or outage.
func PlanNamed(name string) (Plan, error) {
	if p, ok := plans[name]; ok {
		return p, nil
	}
	return Plan{}, fmt.Errorf("no faults are called %q; write none, flaky or outage", name)
}

// down reports whether the peer is down at a time, counted from the plan's beginning.
func (p Plan) down(at time.Duration) bool { return at >= p.OutageFrom && at < p.OutageTo }

// String tells what the plan does, in a few words.
func (p Plan) String() string {
	var what []string
	if total := p.Busy + p.Overloaded + p.Pending + p.Reset + p.Slow; total > 0 {
		what = append(what, fmt.Sprintf("%.3g %% of attempts fail", 100*total))
	}
	if p.OutageTo > p.OutageFrom {
		what = append(what, fmt.Sprintf("down from %v to %v", p.OutageFrom, p.OutageTo))
	}
	if p.IgnoreKeys {
		what = append(what, "keys are ignored")
	}
	if len(what) == 0 {
		return "never fails"
	}
	return strings.Join(what, ", ")
}

// check tells what no plan can do.
func (p Plan) check() error {
	total := 0.0
	for _, share := range []float64{p.Busy, p.Overloaded, p.Pending, p.Reset, p.Slow} {
		if share < 0 {
			return fmt.Errorf("the share %v is below 0", share)
		}
		total += share
	}
	if total > 1 {
		return fmt.Errorf("the shares of faults add up to %v; write 1 at most", total)
	}
	if slices.Min([]time.Duration{p.RetryAfter, p.SlowBy, p.OutageFrom, p.OutageTo}) < 0 {
		return errors.New("a time is below 0")
	}
	return nil
}
