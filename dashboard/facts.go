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
			if n.To >= 0 && n.To < len(w.Services) && isCalled(n.Kind) { // else nobody, or none that is listed
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

// consequences tells of which of these methods the service needs, directly or not, another service of one of them.
func (f *wiringFacts) consequences(refs []string) []bool {
	failing := make([]bool, len(f.needs))
	for _, ref := range refs {
		if i, ok := f.services[ref]; ok {
			failing[i] = true
		}
	}
	all, known := make([]bool, len(refs)), map[int]bool{}
	for i, ref := range refs {
		from, ok := f.services[ref]
		if !ok {
			continue
		}
		needs, ok := known[from]
		if !ok {
			needs = f.reaches(from, failing)
			known[from] = needs
		}
		all[i] = needs
	}
	return all
}

// reaches reports whether a service needs, directly or not, another one of those that are wanted.
func (f *wiringFacts) reaches(from int, wanted []bool) bool {
	seen := make([]bool, len(f.needs))
	seen[from] = true
	for open := []int{from}; len(open) > 0; {
		i := open[len(open)-1]
		open = open[:len(open)-1]
		for _, to := range f.needs[i] {
			if seen[to] {
				continue
			}
			if wanted[to] {
				return true
			}
			seen[to] = true
			open = append(open, to)
		}
	}
	return false
}
