package dashboard

import (
	"cmp"
	"fmt"

	"github.com/backstay/backstay/retry"
)

// breaker is one as the page shows it.
type breaker struct {
	*retry.Breaker // nil where only the source has its handle
	status         retry.BreakerStatus
	trouble        int64 // since when it has not been as it should be; 0: it is
}

// breakersOf lists those of a source and those that only events tell of, under names that differ.
func (d *Dashboard) breakersOf(source Source, status []retry.BreakerStatus) []breaker {
	var all []breaker
	at, names := map[string]int{}, names{map[string]bool{}, map[string]int{}}
	for _, s := range status {
		b := breaker{status: s}
		if isTrouble(s.State) {
			b.trouble = s.Since.UnixNano()
		}
		at[s.Name], names.taken[s.Name] = len(all), true
		all = append(all, b)
	}
	for _, known := range d.breakers.list() {
		if i, ok := at[known.Name()]; ok {
			if own, err := source.Breaker(known.Name()); err == nil && own == known.Breaker {
				if all[i].trouble != 0 && known.trouble != 0 {
					all[i].trouble = known.trouble
				}
				continue
			}
		}
		b := breaker{Breaker: known.Breaker, status: known.Status()}
		if isTrouble(b.status.State) {
			b.trouble = cmp.Or(known.trouble, b.status.Since.UnixNano())
		}
		if len(b.status.Methods) == 0 {
			b.status.Methods = known.refs
		}
		b.status.Name = names.free(known.Name())
		all = append(all, b)
	}
	return all
}

// names gives names that differ.
type names struct {
	taken map[string]bool
	last  map[string]int // the last number that a name got
}

// free is a name that nobody has: the breaker's own, if possible.
func (n *names) free(own string) string {
	name := own
	if own == "" || n.taken[name] {
		first := 2
		if own == "" {
			own, first = unnamedRef, 1
		}
		for number := max(first, n.last[own]+1); ; number++ {
			if name = fmt.Sprintf("%s (%d)", own, number); !n.taken[name] {
				n.last[own] = number
				break
			}
		}
	}
	n.taken[name] = true
	return name
}
