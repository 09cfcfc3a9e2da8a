package dashboard

import (
	"github.com/backstay/backstay/explain"
	"github.com/backstay/backstay/retry"
)

// wiringFacts are what incidents need to know of a wiring. The zero value knows nothing.
type wiringFacts struct {
	fallbacks map[string]string // by the reference of the method
	services  map[string]int    // the index of the service of a method
	needs     [][]int           // of each service: those that its methods may call
}

func factsOf(w *explain.Wiring) *wiringFacts {
	f := &wiringFacts{map[string]string{}, map[string]int{}, make([][]int, len(w.Services))}
	for i := range w.Services {
		s := &w.Services[i]
		for _, n := range s.Needs {
			if n.To != explain.Nobody && isCalled(n.Kind) {
				f.needs[i] = append(f.needs[i], n.To)
			}
		}
		for _, m := range s.Methods {
			ref := retry.MethodRef{Class: s.Ref.Class, Name: s.Ref.Name, Method: m.Name}.String()
			f.services[ref] = i
			for _, a := range m.Attributes {
				if a.Key == "fallback" {
					f.fallbacks[ref] = a.Value
				}
			}
		}
	}
	return f
}

// isCalled reports whether what is needed in this way is called by the service's methods, and fails them by failing. What
// annotations and aspects need stands beside.
func isCalled(k explain.NeedKind) bool {
	return k != explain.Reference && k != explain.Policy && k != explain.Surround
}

// needsAny reports whether the service of a method needs, directly or not, another service of one of the methods.
func (f *wiringFacts) needsAny(ref string, refs []string) bool {
	from, ok := f.services[ref]
	if !ok {
		return false
	}
	wanted := map[int]bool{}
	for _, r := range refs {
		if i, ok := f.services[r]; ok && i != from {
			wanted[i] = true
		}
	}
	if len(wanted) == 0 {
		return false
	}
	seen := map[int]bool{from: true}
	for open := []int{from}; len(open) > 0; {
		i := open[len(open)-1]
		open = open[:len(open)-1]
		for _, to := range f.needs[i] {
			if wanted[to] {
				return true
			}
			if !seen[to] {
				seen[to] = true
				open = append(open, to)
			}
		}
	}
	return false
}
