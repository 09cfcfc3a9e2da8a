package dashboard

import (
	"cmp"
	"slices"

	"github.com/backstay/backstay/retry"
)

// doors are the breakers of each method, the one that lets the fewest calls through.
type doors map[string]*breaker

// closedness orders the states of breakers by how little they let through.
var closedness = map[retry.BreakerState]int{
	retry.BreakerForceOpen: 6, retry.BreakerOpen: 5, retry.BreakerHalfOpen: 4,
	retry.BreakerClosed: 3, retry.BreakerMetricsOnly: 2, retry.BreakerForceClosed: 1,
}

func doorsOf(breakers []breaker) doors {
	all := doors{}
	for i := range breakers {
		b := &breakers[i]
		refs := b.status.Methods
		if len(refs) == 0 {
			refs = []string{b.status.Name}
		}
		for _, ref := range refs {
			if other := all[ref]; other == nil || closedness[b.status.State] > closedness[other.status.State] {
				all[ref] = b
			}
		}
	}
	return all
}

// trouble is since when the breaker of a method has been in trouble; 0: it is not.
func (d doors) trouble(ref string) int64 {
	if b := d[ref]; b != nil {
		return b.trouble
	}
	return 0
}

// incident is one, with what it is ordered by.
type incident struct {
	incidentJSON
	errors, fallbacks uint32
	consequence       bool // its service needs another one that is failing
}

// incident is that of a method, if it is one.
func (d *Dashboard) incident(ref string, t *tally, at *moment, doors doors) (i incident, ok bool) {
	trouble := doors.trouble(ref)
	since := t.failingSince(trouble)
	if since == 0 {
		return i, false
	}
	i = incident{errors: t.errors(), fallbacks: t.fallbacks}
	i.incidentJSON = incidentJSON{
		Ref: ref, Since: at.milliseconds(since), AttemptFailureShare: share(t.failed, t.attempts), Error: t.lastError,
		Callers: callersJSON{Succeeded: share(t.succeeded, t.calls), Fallback: share(t.calls-t.succeeded-t.errors(), t.calls), Error: share(t.errors(), t.calls)},
		Refused: d.refused(t, at),
	}
	if b := doors[ref]; b != nil {
		i.Breaker, i.RetryInMs = b.status.State, inMs(b.status.RetryAfter)
	}
	return i, true
}

// sortIncidents puts first what is to be read first. facts tells what needs what.
func sortIncidents(all []incident, facts *wiringFacts) []incidentJSON {
	refs := make([]string, len(all))
	for i := range all {
		refs[i] = all[i].Ref
	}
	for i, is := range facts.consequences(refs) {
		all[i].consequence = is
		all[i].Fallback = facts.fallbacks[all[i].Ref]
	}
	slices.SortFunc(all, func(a, b incident) int {
		if a.consequence != b.consequence {
			if b.consequence {
				return -1
			}
			return 1
		}
		return cmp.Or(
			cmp.Compare(b.errors, a.errors),
			cmp.Compare(b.fallbacks, a.fallbacks),
			cmp.Compare(b.AttemptFailureShare, a.AttemptFailureShare),
			cmp.Compare(a.Since, b.Since),
			cmp.Compare(a.Ref, b.Ref),
		)
	})
	sorted := make([]incidentJSON, len(all))
	for i := range all {
		sorted[i] = all[i].incidentJSON
	}
	return sorted
}
