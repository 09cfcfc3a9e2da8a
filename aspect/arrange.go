package aspect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/backstay/backstay/annotation"
)

// arrange puts all in the order of the chains, outermost first, and tells each what its orders contradict.
func arrange(all []*advice) {
	slices.SortFunc(all, func(a, b *advice) int {
		return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.given, b.given))
	})
	if !slices.ContainsFunc(all, func(a *advice) bool { return len(a.Orders) > 0 }) {
		return
	}
	for _, a := range all {
		a.disorder = nil
	}
	for _, a := range all {
		for _, o := range a.Orders {
			for _, other := range all {
				if o.means(a, other) && (other.Priority < a.Priority && !o.outside || other.Priority > a.Priority && o.outside) {
					a.disorder = append(a.disorder, a.contradicts(o, other))
				}
			}
		}
	}
	for first := 0; first < len(all); {
		end := first + 1
		for end < len(all) && all[end].Priority == all[first].Priority {
			end++
		}
		newLevel(all[first:end]).arrange()
		first = end
	}
}

// level is the aspects of one priority, as they were given, with who has to be outside of whom. They are few.
type level struct {
	all   []*advice
	says  [][]*advice // by outer and inner: who says so; nil: nobody
	outer [][]bool    // by outer and inner, through others too
}

func newLevel(all []*advice) *level {
	n := len(all)
	l := &level{all: all, says: make([][]*advice, n), outer: make([][]bool, n)}
	for i := range n {
		l.says[i], l.outer[i] = make([]*advice, n), make([]bool, n)
	}
	for i, a := range all {
		for _, o := range a.Orders {
			for j, other := range all {
				switch {
				case !o.means(a, other):
				case o.outside:
					l.says[i][j] = a
				default:
					l.says[j][i] = a
				}
			}
		}
	}
	for i := range n {
		for j := range n {
			if l.says[i][j] != nil {
				l.add(i, j)
			}
		}
	}
	return l
}

// add notes that i is outside of j, and so is what is outside of i of what is inside of j.
func (l *level) add(i, j int) {
	if l.outer[i][j] {
		return
	}
	for x := range l.all {
		if x != i && !l.outer[x][i] {
			continue
		}
		for y := range l.all {
			if y == j || l.outer[j][y] {
				l.outer[x][y] = true
			}
		}
	}
}

// arrange decides every pair: first by the orders, then, for those who have none, as they were given, then for the others
// too. What has been decided before holds.
func (l *level) arrange() {
	l.circles()
	for _, silent := range []bool{true, false} {
		for i, a := range l.all {
			for j := i + 1; j < len(l.all); j++ {
				if (len(a.Orders)+len(l.all[j].Orders) == 0) == silent && !l.outer[j][i] {
					l.add(i, j)
				}
			}
		}
	}
	inside := map[*advice]int{} // of how many
	for i := range l.all {
		for j, other := range l.all {
			if l.outer[i][j] {
				inside[other]++
			}
		}
	}
	slices.SortStableFunc(l.all, func(a, b *advice) int { return cmp.Compare(inside[a], inside[b]) })
}

// circles tells those whose orders go in a circle.
func (l *level) circles() {
	told := make([]bool, len(l.all))
	for i := range l.all {
		if told[i] || !l.outer[i][i] {
			continue
		}
		err := l.circleError(l.circle(i))
		for j, a := range l.all { // on this circle, or on one that meets it
			if l.outer[i][j] && l.outer[j][i] {
				told[j] = true
				a.disorder = append(a.disorder, err)
			}
		}
	}
}

// circle walks outward, from one that is on a circle to another, until it comes back to where it has been. It begins with
// the one on it that was given first.
func (l *level) circle(i int) (walk []int) {
	for {
		if at := slices.Index(walk, i); at >= 0 {
			walk = walk[at:]
			break
		}
		walk = append(walk, i)
		i = l.outward(i)
	}
	first := slices.Index(walk, slices.Min(walk))
	return slices.Concat(walk[first:], walk[:first])
}

// outward is one that has to be outside of i and inside of it too. On a circle there is one.
func (l *level) outward(i int) int {
	for outer, inner := range l.says {
		if inner[i] != nil && l.outer[i][outer] {
			return outer
		}
	}
	panic("aspect: a circle of orders has an end")
}

// circleError draws the circle, with who says each step.
func (l *level) circleError(circle []int) *annotation.DefinitionError {
	steps := make([]string, len(circle))
	for at, inner := range circle {
		outer := circle[(at+1)%len(circle)]
		steps[at] = fmt.Sprintf("%s inside of %s (%s)", l.all[inner].name(), l.all[outer].name(), l.says[outer][inner].Place)
	}
	return &annotation.DefinitionError{
		Problem: "the orders of aspects go in a circle: " + strings.Join(steps, ", "),
		Remedy:  "leave one of these orders out",
		Place:   l.says[circle[1]][circle[0]].Place,
	}
}
