package dashboard

import (
	"sync"
	"sync/atomic"
)

// maxLimits is how many limits are told apart; the last stands for all others.
const maxLimits = 16

// limitNames numbers the limits that refuse: kinds of policies, and the session loop's own. Numbers are given as limits turn
// up and stay for good, so that what is counted needs no names.
type limitNames struct {
	mu    sync.Mutex
	known atomic.Pointer[[]string] // only ever grows
}

// number is that of a limit.
func (l *limitNames) number(name string) int {
	if i := find(l.all(), name); i >= 0 {
		return i
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	known := l.all()
	if i := find(known, name); i >= 0 {
		return i
	}
	if len(known) == maxLimits-1 {
		return maxLimits - 1
	}
	longer := append(known[:len(known):len(known)], name)
	l.known.Store(&longer)
	return len(known)
}

// find is the index of a name; -1 when it is not there.
func find(names []string, name string) int {
	for i, n := range names {
		if n == name {
			return i
		}
	}
	return -1
}

// name is that of a number.
func (l *limitNames) name(number int) string {
	if known := l.all(); number < len(known) {
		return known[number]
	}
	return "other"
}

func (l *limitNames) all() []string {
	if known := l.known.Load(); known != nil {
		return *known
	}
	return nil
}
