package dashboard

import (
	"cmp"
	"slices"
	"strings"
)

// ring keeps the last so many.
type ring[T any] struct {
	items []T
	next  int // where the oldest is, once it is full
	size  int
}

func (r *ring[T]) add(item T) {
	switch {
	case r.size == 0:
	case len(r.items) < r.size:
		r.items = append(r.items, item)
	default:
		r.items[r.next] = item
		r.next = (r.next + 1) % r.size
	}
}

// newest are the last n, newest first.
func (r *ring[T]) newest(n int) []T {
	all := slices.Concat(r.items[r.next:], r.items[:r.next])
	slices.Reverse(all)
	return all[:min(n, len(all))]
}

// keptSessions are the last sessions of a method: those that are worth looking at and, so that they do not push those out,
// apart from them samples of the others.
type keptSessions struct {
	eventful ring[*session] // with an attempt that failed
	refused  ring[*session] // without any attempt
	plain    ring[sample]   // succeeded at once

	refusedAt, plainAt int64 // the second of the last sample
}

func newKeptSessions(n int) keptSessions {
	return keptSessions{eventful: ring[*session]{size: n}, refused: ring[*session]{size: n}, plain: ring[sample]{items: make([]sample, 0, min(n, defaultSessions)), size: n}}
}

// add keeps a session that has ended, and reports whether it did: of those without attempts, one in a second.
func (k *keptSessions) add(s *session) bool {
	if k.eventful.size == 0 {
		return false
	}
	if s.made > 0 {
		k.eventful.add(s)
		return true
	}
	if at := secondOf(s.ended); at > k.refusedAt {
		k.refusedAt = at
		s.err = strings.Clone(s.err) // it may be part of a larger text
		k.refused.add(s)
		return true
	}
	return false
}

// addPlain keeps a plain success: one in a second.
func (k *keptSessions) addPlain(s sample) {
	if at := secondOf(s.ended); at > k.plainAt {
		k.plainAt = at
		k.plain.add(s)
	}
}

// newest are as many as there is room for, newest first. Of samples of each kind there are a quarter of that at least, if
// there are so many.
func (k *keptSessions) newest() []session {
	n := k.eventful.size
	if n == 0 {
		return nil
	}
	quarter := max(n/4, 1)
	refused, plain := k.refused.newest(n), k.plain.newest(n)
	reserved := min(len(refused), quarter) + min(len(plain), quarter)
	eventful := k.eventful.newest(max(n-reserved, 1))

	rest := n - len(eventful)
	refused = refused[:min(len(refused), max(rest-min(len(plain), quarter), 0))]
	plain = plain[:min(len(plain), rest-len(refused))]

	all := make([]session, 0, len(eventful)+len(refused)+len(plain))
	for _, s := range slices.Concat(eventful, refused) {
		all = append(all, *s)
	}
	for _, s := range plain {
		all = append(all, s.session())
	}
	slices.SortStableFunc(all, func(a, b session) int { return cmp.Compare(b.ended, a.ended) })
	return all
}

// session is the timeline of a plain success.
func (s sample) session() session {
	one := session{ended: s.ended, elapsed: s.took, end: succeeded, made: 1}
	one.attempts = []attempt{{one.began(), s.ended, ""}}
	return one
}
