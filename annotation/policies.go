package annotation

import (
	"slices"

	"github.com/backstay/backstay/retry"
)

// canonical is the union of lists of policies: the built-in ones in canonical order, and each of a user's own beside the
// neighbour that it has in the first list that names it: after the nearest built-in one before it, else before the one
// after it. One without such a neighbour goes to the end. The zero value is left out.
func canonical(lists [][]retry.PolicyFactory) []retry.PolicyFactory {
	var before, after map[retry.PolicyFactory][]retry.PolicyFactory // of built-in ones
	placed := []retry.PolicyFactory{{}}
	var last []retry.PolicyFactory
	for _, list := range lists {
		for i, f := range list {
			if f.IsBuiltin() || slices.Contains(placed, f) {
				continue
			}
			if placed = append(placed, f); before == nil {
				before, after = map[retry.PolicyFactory][]retry.PolicyFactory{}, map[retry.PolicyFactory][]retry.PolicyFactory{}
			}
			if n, ok := neighbour(slices.Backward(list[:i])); ok {
				after[n] = append(after[n], f)
			} else if n, ok := neighbour(slices.All(list[i+1:])); ok {
				before[n] = append(before[n], f)
			} else {
				last = append(last, f)
			}
		}
	}
	builtin := retry.BuiltinPolicies()
	union := make([]retry.PolicyFactory, 0, len(builtin))
	for _, f := range builtin {
		if slices.ContainsFunc(lists, func(list []retry.PolicyFactory) bool { return slices.Contains(list, f) }) {
			union = append(append(append(union, before[f]...), f), after[f]...)
		}
	}
	return append(union, last...)
}

// neighbour is the first built-in policy.
func neighbour(list func(func(int, retry.PolicyFactory) bool)) (retry.PolicyFactory, bool) {
	for _, f := range list {
		if f.IsBuiltin() {
			return f, true
		}
	}
	return retry.PolicyFactory{}, false
}
