package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// isNarrow is the condition that nothing makes the page scroll sideways.
const isNarrow = "document.documentElement.scrollWidth === 390 && document.body.scrollWidth === 390"

func TestOnAPhoneThePageIsOneColumn(t *testing.T) {
	t.Parallel()
	shop := newShop(t)
	shop.cards.becomes(says503)
	shop.charge(t.Context())
	traffic(t, 40, shop.sell)
	page := open(t, shop.served(t), phone)
	page.wait(seen(".incident", charge+" is failing since"))
	page.wait(isNarrow)
	require.Equal(t, "list", eval[string](page, "document.body.dataset.view"))
	require.Equal(t, charge, page.attribute("#stage .row", "data-ref"))
	require.False(t, eval[bool](page, q("#method")+".checkVisibility()"), "the method is a view of its own")
	for _, part := range []string{".incident-callers", ".incident-refused", ".incident-breaker", ".incident-error"} {
		require.True(t, eval[bool](page, "((r) => r.width > 100 && r.left >= 0 && r.right <= 390 && r.bottom <= 844)("+q(part)+".getBoundingClientRect())"), "%s is in sight at once", part)
	}

	page.click(row(charge))
	page.wait(seen("#method-title", charge) + " && !" + q("#services") + ".checkVisibility() && !" + q("#incidents") + ".checkVisibility()")
	page.wait("document.querySelectorAll('.session').length > 0 && scrollY === 0")
	page.wait(isNarrow)
	eval[any](page, "document.querySelectorAll('#method details').forEach((d) => { d.open = true; })")
	page.wait("document.querySelectorAll('.as-table tbody tr').length > 2 && " + isNarrow)

	page.click("#back")
	page.wait(seen("#stage", "CardGateway") + " && !" + q("#method") + ".checkVisibility()")
	page.do(chromedp.NavigateBack())
	page.wait(seen("#method-title", charge))
	page.do(chromedp.NavigateBack())
	page.wait(seen("#stage", "CardGateway") + " && location.hash === ''")
	page.click("#view-graph")
	page.wait("document.body.dataset.view === 'graph' && document.querySelectorAll('#stage .card').length === 6 && " + isNarrow)
}

// Who comes back from a method far down finds the list where it was.
func TestOnAPhoneTheListIsWhereItWas(t *testing.T) {
	t.Parallel()
	many := newMarket(t)
	page := open(t, many.served(t), phone)
	page.wait("document.querySelectorAll('#stage .row').length > 300")
	at := "[...document.querySelectorAll('#stage .row')][200]"
	eval[any](page, at+".scrollIntoView({block: 'center'})")
	page.wait("scrollY > 4000")
	ref, before := eval[string](page, at+".dataset.ref"), eval[float64](page, "scrollY")
	page.point(row(ref))
	page.wait(seen("#method-title", ref) + " && scrollY === 0 && " + isNarrow)
	page.point("#back")
	page.wait("Math.abs(scrollY - " + js(before) + ") < 100")
	page.wait(isNarrow)
}
