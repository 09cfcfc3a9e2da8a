package peer

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

var (
	errKeyReused = errors.New("the key belongs to another order")
	errNoCharge  = errors.New("there is no such charge")
)

// ledger writes down every movement of money. A key that it knows moves nothing.
type ledger struct {
	mu      sync.Mutex
	made    int // charges, the forgotten ones included
	charges []Charge
	byKey   map[string]Charge
}

func newLedger() *ledger { return &ledger{byKey: map[string]Charge{}} }

// charge returns the charge of key, and makes it if there is none, or if again says that keys do not count.
func (l *ledger) charge(key string, r ChargeRequest, again bool) (Charge, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c, ok := l.byKey[key]; ok && !again {
		if c.Order != r.Order || c.Cents != r.Cents {
			return Charge{}, errKeyReused
		}
		return c, nil
	}
	l.made++
	c := Charge{
		ID:    fmt.Sprintf("ch_%06d", l.made),
		Key:   key,
		Order: r.Order,
		Cents: r.Cents,
	}
	l.charges = append(l.charges, c)
	l.byKey[key] = c
	return c, nil
}

func (l *ledger) all() Ledger {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Ledger{Charges: slices.Clone(l.charges)}
}

// forget drops the charges up to the one with that ID, and their keys.
func (l *ledger) forget(through string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := slices.IndexFunc(l.charges, func(c Charge) bool { return c.ID == through })
	if last < 0 {
		return errNoCharge
	}
	for _, c := range l.charges[:last+1] {
		if l.byKey[c.Key].ID == c.ID {
			delete(l.byKey, c.Key)
		}
	}
	l.charges = slices.Clone(l.charges[last+1:])
	return nil
}
