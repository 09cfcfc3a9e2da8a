package annotation

import (
	"maps"
	"slices"
	"strings"
)

// Attribute is what holds for one attribute of a method, and where that was written.
type Attribute struct {
	Key    string // as in a tag: "maxAttempts"; those of a budget and breaker are "budget.ttl", "breaker.window" and so on
	Value  string // as in a tag
	Origin Origin // of settings that unite, the highest
}

// Attributes are those that have an effect on the method, in the order of the table: what is set, and what a policy of its
// list does by default. What is off by default, and stays so, is left out. There are none where no annotation is a retry
// annotation. For those who explain.
func (d *MethodDefinition) Attributes() (all []Attribute) {
	if !d.Retry {
		return nil
	}
	for _, a := range table {
		h := a.about()
		from, set := d.Origins[h.key]
		if h.brings != session && !slices.Contains(d.Settings.Policies, h.brings) {
			continue // nobody enforces it
		}
		value := a.held(d)
		if !set && a.held(&baseline) == value && isOff(a, value) || value == "" {
			continue
		}
		all = append(all, Attribute{h.key, value, from})
	}
	return all
}

// isOff reports whether the default of an attribute says nothing. A base of zero says that there is no wait.
func isOff(a attribute, value string) bool {
	switch value {
	case "", `""`, "0", "0s", "false":
		return a != attribute(base)
	}
	return false
}

// Shares takes over the settings that another method has written for a budget or breaker which both share by name: group is
// "budget" or "breaker". The origins are the other method's. For those who weave.
func (d *MethodDefinition) Shares(group string, of *MethodDefinition) {
	if group == budgetGroup {
		d.Settings.Budget = of.Settings.Budget
	} else {
		d.Settings.Breaker = of.Settings.Breaker
	}
	d.Origins = maps.Clone(d.Origins)
	for _, a := range table {
		if h := a.about(); h.inGroup(group) {
			delete(d.Origins, h.key)
			if from, ok := of.Origins[h.key]; ok {
				d.Origins[h.key] = from
			}
		}
	}
}

// PolicyNames are the policies of the method's list, in canonical order. For those who explain.
func (d *MethodDefinition) PolicyNames() []string {
	names := make([]string, len(d.Settings.Policies))
	for i, f := range d.Settings.Policies {
		names[i] = f.Kind()
	}
	return names
}

// references are functions that attributes name, by comma.
func references(all []Reference) string {
	texts := make([]string, len(all))
	for i, r := range all {
		texts[i] = r.String()
	}
	return strings.Join(texts, ", ")
}
