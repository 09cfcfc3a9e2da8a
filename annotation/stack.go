package annotation

import "github.com/backstay/backstay/retry"

// stack is one declaration's layers: the container's, those of its Defaults, and what is set by hand.
type stack struct {
	container *layer
	defaults  *typeDefaults
	hand      *layer
}

// policies are the lists that hold for the declaration: the one that was last replaced, and what was added to it since.
// With it comes the layer of the last replacement: 0 for the table, 1 for the container, then the levels of Defaults.
func (s *stack) policies() (lists [][]retry.PolicyFactory, replaced int) {
	lists = [][]retry.PolicyFactory{defaultPolicies}
	at := func(layer int, of []listing) {
		for _, l := range of {
			if l.add {
				lists = append(lists, l.factories)
				continue
			}
			lists, replaced = [][]retry.PolicyFactory{l.factories}, layer
		}
	}
	at(1, s.container.lists)
	for i, l := range s.defaults.levels {
		at(2+i, l.lists)
	}
	at(2+len(s.defaults.levels), s.hand.lists)
	return lists, replaced
}

// brought are the policies that attributes bring in: those that are set by hand, and those that are set in a layer that is
// not farther than the one that last replaced the list, so that nothing that is written goes unenforced.
func (s *stack) brought(replaced int) []retry.PolicyFactory {
	var brought []retry.PolicyFactory
	at := func(layer int, a attribute) {
		if layer >= replaced || a == attribute(ignoreErrors) {
			brought = append(brought, a.about().brings)
		}
	}
	for _, x := range s.container.settings {
		at(1, x.attr)
	}
	for _, x := range s.defaults.settings {
		at(2+x.level, x.attr)
	}
	for _, x := range s.hand.settings {
		brought = append(brought, x.attr.about().brings)
	}
	return brought
}
