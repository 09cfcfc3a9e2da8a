package annotation

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/backstay/backstay/retry"
)

// rank orders the settings of one attribute. The highest holds; two of equal rank must agree.
type rank uint64

// containerRank is that of container defaults: above the table, which has none, and below everything declared.
const containerRank rank = 1

// rankOf is the rank of what a declaration says: the nearer before the farther; then by hand before Defaults; then
// registration before tag; then the mark of the outer struct before that of one it embeds.
func rankOf(nearness int, byHand, registration bool, depth int) rank {
	r := rank(1)<<40 | rank(nearness)<<20
	if byHand {
		r |= 1 << 19
	}
	if registration {
		r |= 1 << 18
	}
	return r | rank(1<<10-1-min(depth, 1<<10-1))
}

// candidate is one setting that asks to hold.
type candidate struct {
	setting
	rank rank
	from Origin
	tag  string       // the key method of the mark that says so, which tells two marks of one struct apart
	by   *Declaration // nil: the container
}

// where is the origin in full.
func (c *candidate) where() string { return join(" ", c.from.String(), c.tag) }

// merging collects the settings of all declarations of one method.
type merging struct {
	best   []candidate         // of each attribute that somebody sets, in the order of the table: the highest so far
	rivals map[int][]candidate // by the attribute's index: of equal rank, with other values
	united []candidate         // of the attributes whose settings unite
}

// of is the highest setting of the attribute, nil if nobody sets it. It holds until the next offer.
func (m *merging) of(a attribute) *candidate {
	if i, ok := m.find(a.about().index); ok {
		return &m.best[i]
	}
	return nil
}

// find is where in best the attribute of that index is, or belongs.
func (m *merging) find(index int) (at int, found bool) {
	return slices.BinarySearchFunc(m.best, index, func(c candidate, index int) int { return cmp.Compare(c.attr.about().index, index) })
}

func (m *merging) offer(c candidate) {
	a := c.attr.about()
	if a.unites != highest {
		m.united = append(m.united, c)
		return
	}
	i, found := m.find(a.index)
	if !found {
		m.best = slices.Insert(m.best, i, c)
		return
	}
	best := &m.best[i]
	switch {
	case c.rank > best.rank:
		*best = c
		delete(m.rivals, a.index)
	case c.rank == best.rank && !c.attr.same(c.value, best.value):
		if m.rivals == nil {
			m.rivals = map[int][]candidate{}
		}
		m.rivals[a.index] = append(m.rivals[a.index], c)
	}
}

// offerAll offers everything that a declaration's layers say. One that only tunes a mark of its type leaves the Defaults to
// the mark.
func (m *merging) offerAll(a *admitted, nearness int, tunes bool) {
	byDefault, byHand := rankOf(nearness, false, !a.tag, a.depth), rankOf(nearness, true, !a.tag, a.depth)
	for _, s := range a.layers.defaults.settings {
		if !tunes {
			m.offer(candidate{setting: s.setting, rank: byDefault, from: Origin{LayerAnnotation, s.by.String(), a.place}, by: a.Declaration})
		}
	}
	for _, s := range a.hand.settings {
		m.offer(candidate{s, byHand, a.origin(), a.methodTag(), a.Declaration})
	}
}

// conflict is two settings of equal rank that differ, and the declaration that says one of them.
type conflict struct {
	mistake
	by *Declaration
}

// conflicts are the attributes for which settings of equal rank differ. Which two of them are named, and which of the two
// first, depends on what they say and not on which was met first.
func (m *merging) conflicts() []conflict {
	if len(m.rivals) == 0 {
		return nil
	}
	var found []conflict
	for _, i := range slices.Sorted(maps.Keys(m.rivals)) {
		a := table[i]
		all := append(m.rivals[i], *m.of(a))
		slices.SortFunc(all, func(x, y candidate) int {
			return cmp.Or(cmp.Compare(x.where(), y.where()), cmp.Compare(a.show(x.value), a.show(y.value)),
				cmp.Compare(x.by.typ.String(), y.by.typ.String()), cmp.Compare(x.by.place, y.by.place))
		})
		one := all[0]
		other := all[slices.IndexFunc(all, func(c candidate) bool { return !a.same(c.value, one.value) })]
		found = append(found, conflict{mistake{
			problem: fmt.Sprintf("%s is %s (%s) and %s (%s), of equal rank", a.about().key, a.show(one.value), one.where(), a.show(other.value), other.where()),
			remedy:  "keep one of the two",
		}, one.by})
	}
	return found
}

// store writes what holds into d, over the table's defaults.
func (m *merging) store(d *MethodDefinition) {
	d.Origins = map[string]Origin{}
	for i := range m.best {
		c := &m.best[i]
		a := c.attr.about()
		c.attr.store(d, c.value, c.from)
		d.Origins[a.key] = c.from
		if c.rank > containerRank {
			d.BudgetWritten = d.BudgetWritten || a.inGroup(budgetGroup)
			d.BreakerWritten = d.BreakerWritten || a.inGroup(breakerGroup)
		}
	}
	slices.SortStableFunc(m.united, func(a, b candidate) int { return cmp.Compare(b.rank, a.rank) })
	m.storeConditions(d)
	for _, c := range m.united {
		if c.attr.about().unites == all {
			m.unite(d, c)
		}
	}
}

func (m *merging) unite(d *MethodDefinition, c candidate) {
	c.attr.store(d, c.value, c.from)
	if _, ok := d.Origins[c.attr.about().key]; !ok {
		d.Origins[c.attr.about().key] = c.from
	}
}

// storeConditions unites the conditions of the highest rank that has any. Where they say nothing of errors, errors are
// retried as the container's defaults say, or else all of them.
func (m *merging) storeConditions(d *MethodDefinition) {
	top := m.topCondition()
	ofErrors := false
	for _, c := range m.united {
		if c.attr.about().unites == conditions && c.rank == top {
			m.unite(d, c)
			ofErrors = ofErrors || c.attr != attribute(retryIfResult)
		}
	}
	for _, c := range m.united {
		if !ofErrors && c.rank == containerRank && (c.attr == attribute(retryErrors) || c.attr == attribute(retryIfError)) {
			m.unite(d, c)
			ofErrors = true
		}
	}
	if !ofErrors {
		d.Settings.RetryErrors = []retry.Matcher{retry.AnyError}
	}
	d.Settings.RetryErrors = withoutNone(d.Settings.RetryErrors, len(d.RetryErrorRefs))
}

// topCondition is the highest rank that has a condition; 0 if none has.
func (m *merging) topCondition() rank {
	var top rank
	for _, c := range m.united {
		if c.attr.about().unites == conditions {
			top = max(top, c.rank)
		}
	}
	return top
}

// withoutNone takes retry.NoError out of a list in which other matchers say more.
func withoutNone(list []retry.Matcher, named int) []retry.Matcher {
	if len(list)+named < 2 {
		return list
	}
	return slices.DeleteFunc(list, isNone)
}
