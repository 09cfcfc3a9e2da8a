package main

import (
	"math"
	"slices"
	"strings"

	"github.com/backstay/backstay/benchmarks/calls"
	"github.com/backstay/backstay/benchmarks/harness"
	"github.com/backstay/backstay/benchmarks/wiring"
)

// measurement finds the value of a goal in the results, and who decided it: ok is false where something that it needs was
// not measured.
type measurement func(*harness.Results) (value float64, who string, ok bool)

// place is one contender at one work.
type place struct{ work, contender string }

// at returns the samples at the places; ok is false if some were not measured.
func at(r *harness.Results, places ...place) (all []*harness.Series, ok bool) {
	for _, p := range places {
		s := r.Of(p.work, p.contender)
		if s == nil {
			return nil, false
		}
		all = append(all, s)
	}
	return all, true
}

// places are all contenders at all works.
func places(works, contenders []string) (all []place) {
	for _, w := range works {
		for _, c := range contenders {
			all = append(all, place{w, c})
		}
	}
	return all
}

// short is a contender's name where it is clear whose it is.
func short(contender string) string { return strings.TrimPrefix(contender, "Backstay, ") }

// most is the greatest value of f at any of the places, rounded: a measurement of allocations counts a few of the
// runtime's own.
func most(ours []place, f func(*harness.Series) float64) measurement {
	return func(r *harness.Results) (value float64, who string, ok bool) {
		all, ok := at(r, ours...)
		if !ok {
			return 0, "", false
		}
		for i, s := range all {
			if v := math.Round(f(s)); v > value || i == 0 {
				value, who = v, short(ours[i].contender)
			}
		}
		return value, who, true
	}
}

func allocations(ours []place) measurement { return most(ours, (*harness.Series).Allocs) }
func allocated(ours []place) measurement   { return most(ours, (*harness.Series).Bytes) }

// faster is how many times as fast as a peer at the same work the worst of ours is.
func faster(ours []place, peer string) measurement {
	return func(r *harness.Results) (value float64, who string, ok bool) {
		for i, p := range ours {
			s, ok := at(r, place{p.work, peer}, p)
			if !ok {
				return 0, "", false
			}
			if v := harness.Ratio(s[0], s[1]); v < value || i == 0 {
				value, who = v, short(p.contender)
			}
		}
		return value, who, true
	}
}

// slower is how many times as long as a peer at the same work the worst of ours takes.
func slower(ours []place, peer string) measurement {
	faster := faster(ours, peer)
	return func(r *harness.Results) (float64, string, bool) {
		value, who, ok := faster(r)
		return 1 / value, who, ok
	}
}

// beyond is how many nanoseconds more than another contender ours takes.
func beyond(ours place, other string) measurement {
	return func(r *harness.Results) (float64, string, bool) {
		s, ok := at(r, ours, place{ours.work, other})
		if !ok {
			return 0, "", false
		}
		return harness.Difference(s[0], s[1]), short(ours.contender), true
	}
}

// fasterThanAll is how many times as fast the worst of ours is as the fastest peer at any of the works, so that a peer
// that does less must not be faster either.
func fasterThanAll(ours []place, works []string, counts func(calls.Contender) bool) measurement {
	var peers []place
	for _, w := range calls.Works() {
		if !slices.Contains(works, w.Name) {
			continue
		}
		for _, c := range w.Contenders {
			if counts(c) {
				peers = append(peers, place{w.Name, c.Name})
			}
		}
	}
	return func(r *harness.Results) (value float64, who string, ok bool) {
		for _, peer := range peers {
			for _, p := range ours {
				s, found := at(r, peer, p)
				if !found {
					return 0, "", false
				}
				if v := harness.Ratio(s[0], s[1]); v < value || !ok {
					value, who, ok = v, short(p.contender)+" against "+peer.contender, true
				}
			}
		}
		return value, who, ok
	}
}

// retained is how many bytes a closed scope leaves behind, where scopes were measured at all.
func retained(r *harness.Results) (value float64, who string, ok bool) {
	if r.Of(wiring.RequestScope, wiring.NameScoped) == nil {
		return 0, "", false
	}
	value, err := wiring.Retained(100_000)
	return max(0, math.Round(value)), wiring.NameScoped, err == nil
}

func isPeer(c calls.Contender) bool   { return c.Kind == calls.Peer }
func hasTimer(c calls.Contender) bool { return c.Kind == calls.Peer && c.Timer }
