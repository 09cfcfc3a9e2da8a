package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

const (
	isLight = "getComputedStyle(document.body).backgroundColor === 'rgb(244, 245, 247)'"
	isDark  = "getComputedStyle(document.body).backgroundColor === 'rgb(16, 19, 23)'"
)

func TestTheThemeIsTheSystemsUntilOneIsChosen(t *testing.T) {
	t.Parallel()
	page := open(t, newShop(t).served(t), desktop)
	page.wait(isLight)
	page.prefer(true, false)
	page.wait(isDark)
	page.prefer(false, false)
	page.wait(isLight)
	require.Empty(t, eval[string](page, "document.getElementById('theme').value"))

	page.choose("#theme", "dark")
	page.wait(isDark)
	page.do(chromedp.Reload())
	page.wait(isDark)
	page.wait("document.getElementById('theme').value === 'dark'")

	page.prefer(true, false)
	page.choose("#theme", "light")
	page.wait(isLight)
	page.do(chromedp.Reload())
	page.wait(isLight)

	page.choose("#theme", "")
	page.wait(isDark)
	page.do(chromedp.Reload())
	page.wait(isDark)
	require.Empty(t, eval[string](page, "document.getElementById('theme').value"))
}

// A page that was switched to dark does not flash: the theme is there before anything is painted.
func TestTheThemeIsThereBeforeThePage(t *testing.T) {
	t.Parallel()
	l := desktop
	// Looks as soon as there is a body, which is before the modules run.
	l.early = `new MutationObserver((_, o) => {
		if (!document.body) return;
		window.first = document.documentElement.dataset.theme ?? 'none';
		o.disconnect();
	}).observe(document, {childList: true, subtree: true});`
	page := open(t, newShop(t).served(t), l)
	require.Equal(t, "none", eval[string](page, "window.first"))
	page.choose("#theme", "dark")
	page.do(chromedp.Reload())
	require.Equal(t, "dark", eval[string](page, "window.first"))
}

// Whoever wants no motion gets none, also where a style says otherwise.
func TestReducedMotionIsNoMotion(t *testing.T) {
	t.Parallel()
	page := open(t, newShop(t).served(t), look{width: 1440, height: 900, still: true})
	page.wait(seen(row(charge), "Charge"))
	eval[any](page, "Object.assign("+q("#pill")+".style, {transition: 'opacity 2s', animation: 'turn 3s infinite'})")
	const moves = "[...document.querySelectorAll('*')].filter((e) => ((s) => s.animationName !== 'none' || parseFloat(s.transitionDuration) > 0)(getComputedStyle(e))).map((e) => e.id || e.className)"
	require.Empty(t, eval[[]string](page, moves))
	page.prefer(false, false)
	require.Equal(t, []string{"pill"}, eval[[]string](page, moves), "where motion is welcome the style holds")
}
