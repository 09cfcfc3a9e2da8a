package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// shows is the condition that a method is selected: in the address, in the overview and in the detail.
func shows(ref string) string {
	return "decodeURIComponent(location.hash) === " + js("#"+ref) + " && " + q(row(ref)) + ".getAttribute('aria-current') === 'true' && " +
		q(".detail") + ".dataset.ref === " + js(ref)
}

const showsNone = "location.hash === ''"

// focused is the condition that the row of a method has the focus.
func focused(ref string) string { return "document.activeElement === " + q(row(ref)) }

func TestAMethodIsSelectedByTheMouseAndTheBackButton(t *testing.T) {
	t.Parallel()
	page := open(t, newShop(t).served(t), desktop)
	page.point(row(record))
	page.wait(shows(record))
	page.wait(seen("#method-title", record))
	page.point(row(quote) + " .row-name")
	page.wait(shows(quote))
	require.Equal(t, 1, page.count("#stage [aria-current]"))

	page.do(chromedp.NavigateBack())
	page.wait(shows(record))
	page.do(chromedp.NavigateBack())
	page.wait(showsNone)
	page.do(chromedp.NavigateForward())
	page.wait(shows(record))
}

func TestAMethodIsSelectedByTheAddress(t *testing.T) {
	t.Parallel()
	address := newShop(t).served(t)
	page := open(t, address+"#RateService@Quote", desktop)
	page.wait(shows(quote))
	page.do(chromedp.Navigate(address + "#Ledger%40Record"))
	page.wait(shows(record))
	page.do(chromedp.Navigate(address + "#Nobody@Nothing"))
	page.wait(seen("#method-body", "There is no method Nobody@Nothing here, or it was not called yet."))
	require.Equal(t, "No method chosen", page.text("#method-title"))
	page.do(chromedp.Navigate(address + "#<img src=x onerror=throw>"))
	page.wait(seen("#method-body", "There is no method <img src=x onerror=throw> here"))
}

func TestAMethodIsSelectedByTheKeyboard(t *testing.T) {
	t.Parallel()
	page := open(t, newShop(t).served(t), desktop)
	page.click("#view-list")
	page.choose("#sort", "name")
	page.wait("document.querySelectorAll('#stage .row').length === 5")

	page.press("/")
	page.wait("document.activeElement.id === 'search'")
	page.press("card")
	page.wait("document.querySelectorAll('#stage .row').length === 2")
	require.Equal(t, "card", eval[string](page, "document.getElementById('search').value"), "the slash only leads there")
	page.press(kb.ArrowDown)
	page.wait(focused(charge))
	page.press(kb.ArrowDown)
	page.wait(focused(refund))
	page.press(kb.ArrowUp)
	page.press(kb.End)
	page.wait(focused(refund))
	page.press(kb.Enter)
	page.wait(shows(refund))
	page.press(kb.Escape)
	page.wait(showsNone)

	page.press("/")
	page.press(kb.Escape)
	page.wait("document.getElementById('search').value === '' && document.querySelectorAll('#stage .row').length === 5")
	page.press(kb.Escape)
	page.wait("document.activeElement === document.body")
	page.press("/")
	page.press("mail" + kb.Enter)
	page.wait(shows(send))
}

// In the graph the arrow keys go where they point.
func TestArrowKeysMoveInTheGraph(t *testing.T) {
	t.Parallel()
	page := open(t, newShop(t).served(t), desktop)
	page.wait(seen(row(charge), "Charge"))
	eval[any](page, q(row(charge))+".focus()")
	page.press(kb.ArrowDown)
	page.wait(focused(refund))
	page.press(kb.ArrowDown)
	page.wait(focused(record))
	page.press(kb.ArrowUp)
	page.wait(focused(refund))
	page.press(kb.Enter)
	page.wait(shows(refund))

	page.press("/")
	page.press("quote")
	page.wait(q(`.card[data-service="Ledger"]`) + ".hasAttribute('data-dimmed') && !" + q(`.card[data-service="RateService"]`) + ".hasAttribute('data-dimmed')")
	page.press(kb.ArrowDown)
	page.wait(focused(quote))
}
