package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// ring is what shows where the focus is.
type ring struct {
	What    string
	Width   float64
	InSight bool
	Colour  [3]float64
	Ground  [3]float64
	Again   bool // it had the focus before: Tab has been everywhere
}

const lookAtFocus = "(() => {" + colours + `
	const e = document.activeElement;
	if (!e || e === document.body) return {What: 'body'};
	window.visited ??= new Set();
	const again = visited.has(e);
	visited.add(e);
	const s = getComputedStyle(e), r = e.getBoundingClientRect();
	const offset = parseFloat(s.outlineOffset);
	return {
		What: e.id || e.dataset.ref || e.dataset.action || e.className?.baseVal || e.className || e.tagName,
		Width: s.outlineStyle === 'none' ? 0 : parseFloat(s.outlineWidth),
		InSight: r.bottom > 0 && r.top < innerHeight && r.right > 0 && r.left < innerWidth,
		Colour: paint([s.outlineColor]), Ground: ground(offset < 0 ? e : e.parentElement), Again: again,
	};
})()`

// What can be used by the mouse can be reached by the Tab key, one after the other, and it is seen where one is.
func TestEverythingIsReachedByTheTabKeyAndShowsIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		dark bool
		list bool
	}{{name: "graph, light"}, {"list, dark", true, true}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			page := open(t, busyShop(t).served(t)+"#"+charge, look{width: 1440, height: 900, dark: c.dark})
			page.wait(shows(charge) + " && document.querySelectorAll('.session').length === 3 && " + seen(".incident", "is shut off"))
			if c.list {
				page.click("#view-list")
				page.wait("document.body.dataset.view === 'list'")
			}
			eval[any](page, "document.querySelector('.key').open = true")
			var reached []string
			for range 150 {
				page.press(kb.Tab)
				at := eval[ring](page, lookAtFocus)
				if at.Again {
					break
				}
				if at.What == "body" { // from the end to the beginning
					continue
				}
				require.GreaterOrEqual(t, at.Width, 1., "%s shows that it has the focus", at.What)
				require.GreaterOrEqual(t, contrast(at.Colour, at.Ground), 3., "%s shows that it has the focus", at.What)
				require.True(t, at.InSight, "%s is scrolled to", at.What)
				reached = append(reached, at.What)
			}
			// Of a list that the arrow keys move in one row is a stop; without its tabindex none would be.
			missed := eval[[]string](page, `[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex]')]
				.filter((e) => e.checkVisibility() && e.tabIndex >= 0 && !window.visited.has(e)).map((e) => e.outerHTML.slice(0, 120))`)
			require.Empty(t, missed, "of %v", reached)
			roving := eval[[]string](page, `[...document.querySelectorAll('a[href], button, input, select, summary')]
				.filter((e) => e.checkVisibility() && e.tabIndex < 0 && !e.closest('ul, ol')?.querySelector('[tabindex="0"]')).map((e) => e.outerHTML.slice(0, 120))`)
			require.Empty(t, roving)
			require.Contains(t, reached, charge)
			require.Contains(t, reached, "reset")
		})
	}
}
