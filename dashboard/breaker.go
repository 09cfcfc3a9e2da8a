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
func (d *Dashboard) breakersOf(source Source, status []retry.BreakerStatus, now *moment) []breaker {
	var all []breaker
	at, names := map[string]int{}, names{}
	for _, s := range status {
		b := breaker{status: s}
		if isTrouble(s.State) {
			b.trouble = now.unix(s.Since)
		}
		at[s.Name], names[s.Name] = len(all), true
		all = append(all, b)
	}
	for _, known := range d.breakers.list() {
		if i, ok := at[known.name]; ok {
			if own, err := source.Breaker(known.name); err == nil && own == known.Breaker {
				if all[i].trouble != 0 && known.trouble != 0 {
					all[i].trouble = known.trouble
				}
				continue
			}
		}
		b := breaker{Breaker: known.Breaker, status: known.Status()}
		if isTrouble(b.status.State) {
			b.trouble = cmp.Or(known.trouble, now.unix(b.status.Since))
		}
		if len(b.status.Methods) == 0 {
			b.status.Methods = known.refs
		}
		b.status.Name = names.free(known.name, known.nth)
		all = append(all, b)
	}
	return all
}

// names are those that are taken.
type names map[string]bool

// free is a name that nobody has, for the nth breaker of a name: its own, if possible.
func (n names) free(own string, nth int) string {
	name := own
	if own == "" {
		own = unnamedRef
	}
	if name == "" || nth > 1 || n[name] {
		if name != "" {
			nth = max(nth, 2)
		}
		for name = numbered(own, nth); n[name]; name = numbered(own, nth) {
			nth++
		}
	}
	n[name] = true
	return name
}

func numbered(name string, n int) string { return fmt.Sprintf("%s (%d)", name, n) }
