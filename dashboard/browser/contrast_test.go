package browser_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// colours are functions that find which colours are painted: paint lays colours over white, ground finds what is behind the
// text of an element.
const colours = `
const canvas = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
const paint = (layers) => {
	canvas.fillStyle = '#fff';
	canvas.fillRect(0, 0, 1, 1);
	for (const colour of layers) {
		canvas.fillStyle = colour;
		canvas.fillRect(0, 0, 1, 1);
	}
	return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((c) => c / 255);
};
const layers = (e) => (e ? [...layers(e.parentElement), getComputedStyle(e).backgroundColor] : []);
const ground = (e) => paint(layers(e));
`

// written is a text on the page.
type written struct {
	Text   string
	Colour [3]float64
	Ground [3]float64
	Size   float64 // pixels
	Bold   bool
}

const everyText = "(() => {" + colours + `
	const all = new Map();
	const note = (text, e, colour, style) => {
		const w = {Text: text.trim().slice(0, 60), Colour: paint([...layers(e), colour]), Ground: ground(e), Size: parseFloat(style.fontSize), Bold: style.fontWeight >= 700};
		all.set(JSON.stringify([w.Colour, w.Ground, w.Size, w.Bold]), w);
	};
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let node; (node = walk.nextNode());) {
		const e = node.parentElement, style = getComputedStyle(e);
		if (!node.data.trim() || !e.checkVisibility({checkVisibilityCSS: true}) || e.closest('.vh, noscript, option, title, desc')) continue;
		note(node.data, e, e.namespaceURI.endsWith('svg') ? style.fill : style.color, style);
	}
	for (const e of document.querySelectorAll('input[placeholder]')) {
		note(e.placeholder, e, getComputedStyle(e, '::placeholder').color, getComputedStyle(e));
	}
	return [...all.values()];
})()`

// luminance is that of a colour, as WCAG 2 defines it.
func luminance(colour [3]float64) (l float64) {
	for i, weight := range [3]float64{0.2126, 0.7152, 0.0722} {
		c := colour[i]
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		l += weight * c
	}
	return l
}

// contrast is that of two colours: 1 to 21.
func contrast(a, b [3]float64) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func TestContrastIsThatOfWCAG(t *testing.T) {
	require.InDelta(t, 21, contrast([3]float64{0, 0, 0}, [3]float64{1, 1, 1}), 0.01)
	require.InDelta(t, 1, contrast([3]float64{1, 0, 0}, [3]float64{1, 0, 0}), 0.01)
	grey := [3]float64{0x76 / 255., 0x76 / 255., 0x76 / 255.}
	require.InDelta(t, 4.54, contrast(grey, [3]float64{1, 1, 1}), 0.01, "the lightest grey that is read on white")
}

func TestEveryTextIsReadableInBothThemes(t *testing.T) {
	t.Parallel()
	for _, theme := range []struct {
		name string
		dark bool
	}{{"light", false}, {"dark", true}} {
		t.Run(theme.name, func(t *testing.T) {
			t.Parallel()
			shop := busyShop(t)
			shop.mails.becomes(says503)
			traffic(t, 40, shop.sell)
			page := open(t, shop.served(t)+"#"+charge, look{width: 1440, height: 900, dark: theme.dark})
			page.wait(shows(charge) + " && document.querySelectorAll('.session').length > 2 && " + seen(".incident", send+" is failing") + " && " + seen(".incident-line", charge+" is shut off"))
			require.Equal(t, theme.dark, eval[bool](page, isDark))
			eval[any](page, "document.querySelectorAll('details').forEach((d) => { d.open = true; })")
			page.click("[data-action=metrics]")
			page.wait(seen(".confirm", "Metrics only"))
			page.readable()
			page.click("#view-list")
			page.wait("document.body.dataset.view === 'list' && " + seen(row(charge), "forced open"))
			page.readable()
			eval[any](page, "document.body.dataset.connection = 'lost'")
			page.readable()
		})
	}
}

// readable requires the contrast that WCAG 2.2 asks for at level AA.
func (tb *tab) readable() {
	tb.t.Helper()
	texts := eval[[]written](tb, everyText)
	require.Greater(tb.t, len(texts), 15, "different ways to write")
	for _, w := range texts {
		least := 4.5
		if w.Size >= 24 || w.Bold && w.Size >= 18.66 {
			least = 3
		}
		require.GreaterOrEqual(tb.t, contrast(w.Colour, w.Ground), least, "%q is %v on %v", w.Text, w.Colour, w.Ground)
	}
}
