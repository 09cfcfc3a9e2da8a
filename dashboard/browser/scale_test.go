package browser_test

import (
	"context"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

func TestThreeHundredServicesAreAListThatIsSearched(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	failing := m.of(t, "OfferStore#shop-17")
	failing.becomes(says503)
	traffic(t, 40, func(ctx context.Context) { _ = failing.Load(ctx, "offer 41") })
	page := open(t, m.served(t), desktop)
	page.wait(seen("#count", "300 services, 600 protected methods"))
	require.Equal(t, "list", eval[string](page, "document.body.dataset.view"), "a graph of three hundred is a map that nobody reads")
	require.Equal(t, 600, page.count("#stage .row"))
	page.wait(seen(".incident", "OfferStore#shop-17@Load is failing since"))
	page.wait("document.querySelector('#stage .row').dataset.ref === 'OfferStore#shop-17@Load' && document.querySelector('#stage .row').dataset.state === 'failing'")

	page.press("/")
	page.press("tax shop-3")
	page.wait(seen("#count", "300 services, 20 of 600 protected methods"))
	require.Equal(t, 20, page.count("#stage .row"))
	page.press("9 ref")
	page.wait("document.querySelectorAll('#stage .row').length === 1")
	page.press(kb.Enter)
	page.wait(shows("TaxTable#shop-39@Refresh"))
	page.press(kb.Escape)
	page.wait("document.querySelectorAll('#stage .row').length === 600")

	// The graph is there for who wants it, and shows where the selected service stands.
	page.click("#view-graph")
	page.wait("document.querySelectorAll('#stage .card').length === 300 && document.querySelectorAll('#stage .edge').length === 300")
	page.wait(`((g, c) => c.left >= g.left && c.right <= g.right && c.top >= g.top && c.bottom <= g.bottom)(` +
		q("#stage .graph") + ".getBoundingClientRect(), " + q("#stage [data-selected]") + ".getBoundingClientRect())")
}

func TestOneServiceReadsWell(t *testing.T) {
	t.Parallel()
	board, books := dashboard.New(), &peer{}
	c := container.New(container.WithListener(board))
	c.Provide(func() *Ledger { return &Ledger{peer: books} }, container.As[Books]())
	ledger, err := container.Get[Books](c)
	require.NoError(t, err)
	traffic(t, 40, func(ctx context.Context) { _ = ledger.Record(ctx, "order 41") })
	page := open(t, served(t, board, c), desktop)
	page.wait(seen("#count", "1 service, 1 protected method"))
	page.wait(q(row(record)) + ".dataset.state === 'well'")
	require.Equal(t, "graph", eval[string](page, "document.body.dataset.view"))
	require.Equal(t, 1, page.count(".card"))
	page.wait(q(".detail") + ".dataset.ref === " + js(record))
	books.becomes(says503)
	page.wait(seen(".incident", record+" is failing since"))
	page.wait(seen(".incident-breaker", "none"))
}

// Chains have no container; what is known of them is what events tell.
func TestChainsAreShownByTheirNames(t *testing.T) {
	t.Parallel()
	board := dashboard.New()
	rates := retry.For[float64]().Named("rates").Max(3).Listen(board)
	prices := retry.For[float64]().Named("prices").Max(3).With(retry.NewCircuitBreaker(retry.BreakerSettings{Consecutive: 5, ResetTimeout: time.Minute})).Listen(board)
	traffic(t, 40, func(ctx context.Context) {
		_, _ = rates.Call(ctx, func(context.Context) (float64, error) { return 1.07, nil })
		_, _ = prices.Call(ctx, func(context.Context) (float64, error) { return 0, errUnavailable })
	})
	page := open(t, served(t, board, nil), desktop)
	page.wait(seen(".incident", "prices is failing since"))
	page.wait(q(row("prices")) + ".dataset.breaker === 'open' && " + q(row("rates")) + ".dataset.state === 'well'")
	page.click(row("rates"))
	page.wait(shows("rates"))
	page.wait(seen("#method-body", "It is a chain or was woven elsewhere: the wiring does not tell of its policies."))
}

// A page that is left open all night must not work for what stays as it is.
func TestATickTouchesOnlyTheRowsThatHaveChanged(t *testing.T) {
	t.Parallel()
	m := newMarket(t)
	busy, other := m.of(t, "CatalogStore#shop-03"), m.of(t, "StockStore#shop-44")
	traffic(t, 50, func(ctx context.Context) { _ = busy.Load(ctx, "item 41") })
	page := open(t, m.served(t), desktop)
	page.wait("document.querySelectorAll('#stage .row').length === 600 && " + q(row(busy.ref+"@Load")) + ".dataset.state === 'well'")
	before := page.count("#stage *")
	require.Less(t, before, 600*32)
	eval[any](page, q(row(other.ref+"@Refresh"))+".scrollIntoView()")
	page.wait(q(row(other.ref+"@Refresh")) + ".dataset.state === 'idle'")

	// Rows are written when they come into sight, and the others bit by bit.
	eval[any](page, `(() => {
		const blank = new Set(document.querySelectorAll('#stage .row:not([data-state])'));
		window.touched = new Set();
		const note = (node) => {
			const row = (node.nodeType === 1 ? node : node.parentElement).closest('.list > li')?.querySelector('.row');
			if (!blank.has(row)) touched.add(row?.dataset.ref ?? 'the list');
		};
		new MutationObserver((all) => {
			for (const m of all) for (const node of m.target.matches?.('.list') ? [...m.addedNodes, ...m.removedNodes] : [m.target]) note(node);
		}).observe(document.getElementById('stage'), {subtree: true, childList: true, characterData: true, attributes: true});
		window.ticks = 0;
		new MutationObserver(() => ticks++).observe(document.getElementById('clock'), {subtree: true, childList: true, characterData: true});
	})()`)
	traffic(t, 50, func(ctx context.Context) { _ = other.Refresh(ctx, "item 41") })
	page.wait(q(row(other.ref+"@Refresh")) + ".dataset.state === 'well'")
	page.wait("window.ticks >= 4")
	touched := eval[[]string](page, "[...window.touched]")
	require.Contains(t, touched, other.ref+"@Refresh")
	require.Subset(t, []string{busy.ref + "@Load", other.ref + "@Refresh"}, touched)
	require.Equal(t, before, page.count("#stage *"))
}
