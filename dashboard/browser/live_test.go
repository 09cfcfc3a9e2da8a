package browser_test

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

func TestThePageOpensAndIsLive(t *testing.T) {
	t.Parallel()
	shop := newShop(t)
	page := open(t, shop.served(t), desktop)
	page.wait(seen("#connection-text", "Live"))
	page.wait(seen("#calm", "No calls yet."))
	page.wait(seen("#count", "6 services, 5 protected methods"))

	traffic(t, 40, shop.sell)
	page.wait("/^All is well[.] [1-9][0-9.]* calls.s, 100% get an answer[.]$/.test(document.getElementById('calm').innerText)")
	require.Equal(t, "well", page.attribute("#calm", "data-state"))
	require.Equal(t, "All is well · Backstay", eval[string](page, "document.title"))
	clock := page.text("#clock")
	page.wait(q("#clock") + ".innerText !== " + js(clock))
}

// The one who is on call opens the page in the midst of an outage.
func TestWithinTenSecondsAnOutageIsPlain(t *testing.T) {
	t.Parallel()
	l := desktop
	// Seconds are those that the page has shown: a busy machine is no fault of it.
	l.early = `addEventListener('DOMContentLoaded', () => {
		window.seconds = 0;
		new MutationObserver(() => window.seconds++).observe(document.getElementById('clock') ?? document, {childList: true, characterData: true, subtree: true});
	});`
	shop := newShop(t)
	address := shop.served(t)
	page := open(t, "about:blank", l)
	began := time.Now().Truncate(time.Second)
	shop.cards.becomes(says503)
	shop.invoices.becomes(oneIn(5, errUnavailable))
	traffic(t, 60, shop.sell)
	require.Eventually(t, func() bool {
		now := ask(t, address, "").State.Incidents
		return len(now) > 0 && now[0].Refused["budget"] > 0 && now[0].Refused["circuitBreaker"] > 0
	}, patience, 50*time.Millisecond)

	page.do(chromedp.Navigate(address))
	const plain = `(() => {
		const [incident] = document.querySelectorAll('.incident');
		window.told = [incident.querySelector('h3'), ...incident.querySelectorAll('dl > div')].map((e) => e.innerText.trim().replace(/\s+/g, ' '));
		return window.seconds > 0 && /by the breaker.*by the budget/.test(told[2]);
	})()`
	page.wait(plain)
	require.LessOrEqual(t, eval[int](page, "window.seconds"), 10)

	since := ask(t, address, "").State.Incidents[0].Since
	require.GreaterOrEqual(t, since, began.UnixMilli())
	require.Less(t, since, time.Now().UnixMilli())
	told := eval[[]string](page, "window.told")
	require.Len(t, told, 5)
	require.Regexp(t, "^CardGateway@Charge is failing since "+clock(since)+`, for \d+ s$`, told[0])
	require.Regexp(t, `^Callers get, in the last 10 s [\d.<]+% answers, \d+% the fallback InvoiceGateway@Charge, [\d.]+% errors$`, told[1])
	require.Regexp(t, `^Refused [\d.<]+ calls/s by the breaker [\d.<]+ retries/s by the budget( [\d.<]+ retries/s beyond maxAttempts)?$`, told[2])
	require.Regexp(t, `^Breaker (open, next probe in [\d.]+ s|open, a probe is due|half-open, probing)$`, told[3])
	require.Regexp(t, `^Attempts \d+% fail; the last error: 503 Service Unavailable$`, told[4])

	require.Equal(t, "1 failing", page.text("#pill"))
	require.Equal(t, "CardGateway@Charge is failing · Backstay", eval[string](page, "document.title"))
	require.Equal(t, "assets/favicon-alert.svg", page.attribute("#favicon", "href"))
	require.Equal(t, charge, page.attribute(".detail", "data-ref"), "what is failing is shown unasked")
}

func TestABreakerIsSeenToOpenToProbeAndToClose(t *testing.T) {
	t.Parallel()
	shop := newShop(t)
	traffic(t, 60, shop.charge)
	page := open(t, shop.served(t), desktop)
	eval[any](page, "window.loadedOnce = true")
	breaker := func(state string) string { return q(row(charge)) + ".dataset.breaker === " + js(state) }
	page.wait(breaker("closed"))
	page.wait(seen(row(charge)+" .row-breaker", "closed"))

	shop.cards.becomes(says503)
	page.wait(breaker("open"))
	page.wait(seen(row(charge)+" .row-breaker", "open"))
	page.wait(seen(".incident-breaker", "open, next probe in") + " || " + seen(".incident-breaker", "open, a probe is due"))
	page.wait(seen(".detail .guard-state", "open, "))
	require.Equal(t, "#b-open", page.attribute(row(charge)+" .switch-icon use", "href"), "told by shape too")

	answers := make(chan struct{})
	shop.cards.becomes(hangs(answers))
	page.wait(breaker("half-open"))
	page.wait(seen(".incident-breaker", "half-open, probing"))

	close(answers)
	page.wait(breaker("closed"))
	page.wait("document.querySelectorAll('.incident').length === 0")
	page.wait(seen("#notices", charge+" is well again: it was failing from"))
	page.wait(seen("#calm", "No method is failing") + " || " + seen("#calm", "All is well"))
	require.True(t, eval[bool](page, "window.loadedOnce"), "without a reload")
}
