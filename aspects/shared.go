package aspects

import (
	"fmt"
	"slices"
	"sync"

	"github.com/backstay/backstay/retry"
)

// claim is what one method's annotation writes for what it shares by a name.
type claim[S comparable] struct {
	name     string // empty: it shares nothing
	settings S
	by       retry.MethodRef
	place    string // of the annotation, as far as it is known
}

// claims are those of several methods, in the order in which they came. All for one name have the same settings.
type claims[S comparable] []claim[S]

// add takes a claim in, in place of an earlier one of its method. One that contradicts another is left out, and the other is
// returned.
func (all *claims[S]) add(c claim[S]) (other *claim[S]) {
	*all = slices.DeleteFunc(*all, func(old claim[S]) bool { return old.by == c.by })
	if c.name == "" {
		return nil
	}
	for _, known := range *all {
		if known.name == c.name && known.settings != c.settings {
			return &known
		}
	}
	*all = append(*all, c)
	return nil
}

// shared holds what methods share by the name in their annotations of type A: each T is made of settings S, and all who
// share it have to write the same. The zero value is ready.
//
// What is planned and what is called are kept apart, since a plan may be thrown away, corrected and made again: no call knows
// of the first one. Among plans, what a method claimed last counts.
type shared[A any, S comparable, T any] struct {
	mu      sync.Mutex
	planned claims[S]
	called  claims[S]
	made    map[string]T
}

// plan says what is wrong with a claim beside those of other methods that have been planned.
func (h *shared[A, S, T]) plan(c claim[S]) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return contradiction[A](c, h.planned.add(c))
}

// get is what is claimed, or what is wrong with that beside the claims of other methods that have been called. Without a name
// it is a T of the method's own.
func (h *shared[A, S, T]) get(c claim[S], create func(S) T) (what T, err error) {
	if c.name == "" {
		return create(c.settings), nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := contradiction[A](c, h.called.add(c)); err != nil {
		return what, err
	}
	what, ok := h.made[c.name]
	if !ok {
		what = create(c.settings)
		if h.made == nil {
			h.made = map[string]T{}
		}
		h.made[c.name] = what
	}
	return what, nil
}

// contradiction is the mistake of a method that shares what another one has with other settings; nil if there is no other.
func contradiction[A any, S comparable](mine claim[S], other *claim[S]) error {
	if other == nil {
		return nil
	}
	at := ""
	if other.place != "" {
		at = " (" + other.place + ")"
	}
	return wrong[A](mine.by, mine.place,
		fmt.Sprintf("it has %v, and %v%s, which shares the name %q, has %v", mine.settings, other.by, at, mine.name, other.settings),
		"write the same for both, or another name")
}
