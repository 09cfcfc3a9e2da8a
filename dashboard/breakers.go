package dashboard

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"weak"

	"github.com/backstay/backstay/retry"
)

// Most breakers and most methods of each that are remembered from events.
const (
	maxBreakers       = 1000
	maxBreakerMethods = 100
)

// knownBreakers are those that have told of a change: all that is known of those of chains and weavers. It keeps none alive: a
// breaker whose chains are gone is gone.
type knownBreakers struct {
	mu  sync.Mutex
	all map[weak.Pointer[retry.Breaker]]*knownBreaker
	n   int // how many there have been
}

type knownBreaker struct {
	number  int
	refs    []string // of the methods that have told of it
	trouble int64    // when it left closed and did not come back since; 0: it is as it should be

	name string
	nth  int // of that name; 0: nobody has asked yet
}

// isTrouble reports whether a breaker in this state keeps calls away from its peer, or does not trust it yet.
func isTrouble(s retry.BreakerState) bool {
	return s == retry.BreakerOpen || s == retry.BreakerHalfOpen || s == retry.BreakerForceOpen
}

func (k *knownBreakers) changed(now int64, e retry.BreakerChanged) {
	if e.Breaker == nil {
		return
	}
	pointer, ref := weak.Make(e.Breaker), textOf(e.MethodRef)
	k.mu.Lock()
	defer k.mu.Unlock()
	b := k.all[pointer]
	if b == nil {
		if k.forget(); len(k.all) == maxBreakers {
			return
		}
		if k.all == nil {
			k.all = map[weak.Pointer[retry.Breaker]]*knownBreaker{}
		}
		k.n++
		b = &knownBreaker{number: k.n}
		k.all[pointer] = b
	}
	if len(b.refs) < maxBreakerMethods && !slices.Contains(b.refs, ref) {
		b.refs = append(b.refs, strings.Clone(ref))
	}
	switch {
	case !isTrouble(e.To):
		b.trouble = 0
	case b.trouble == 0:
		b.trouble = now
	}
}

// forget drops those that are gone. The lock is held.
func (k *knownBreakers) forget() {
	for pointer := range k.all {
		if pointer.Value() == nil {
			delete(k.all, pointer)
		}
	}
}

// toldBreaker is one of those that are there, with what is known of it.
type toldBreaker struct {
	*retry.Breaker
	*knownBreaker
}

// list are those that are there, in the order in which they became known.
func (k *knownBreakers) list() (all []toldBreaker) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.forget()
	for pointer, known := range k.all {
		if b := pointer.Value(); b != nil {
			all = append(all, toldBreaker{b, known})
		}
	}
	slices.SortFunc(all, func(a, b toldBreaker) int { return cmp.Compare(a.number, b.number) })
	tellApart(all)
	for i := range all {
		known := *all[i].knownBreaker
		known.refs = slices.Clone(known.refs)
		all[i].knownBreaker = &known
	}
	return all
}

// tellApart counts those of each name. Whoever has been counted stays the nth when others go: an operator who turns the second
// one, which the page has shown, turns no other.
func tellApart(all []toldBreaker) {
	last := map[string]int{}
	for _, b := range all {
		if name := b.Name(); name != b.name { // its first chain had none, perhaps
			b.name, b.nth = name, 0
		}
		last[b.name] = max(last[b.name], b.nth)
	}
	for _, b := range all {
		if b.nth == 0 {
			last[b.name]++
			b.nth = last[b.name]
		}
	}
}
