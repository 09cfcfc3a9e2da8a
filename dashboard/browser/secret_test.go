package browser_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

// stream is what the first events of a stream say.
func stream(t *testing.T, address string, ticks int) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	var read strings.Builder
	lines := bufio.NewReader(answer.Body)
	for ticks > 0 {
		line, err := lines.ReadString('\n')
		require.NoError(t, err)
		read.WriteString(line)
		if line == "event: tick\n" {
			ticks--
		}
	}
	return read.String()
}

// What calls are given, and what they return, is nowhere: not in what is served, and so not on the page.
func TestArgumentsAndResultsAreNowhere(t *testing.T) {
	t.Parallel()
	const secret = "4242-4242-4242-4242"
	shop := newShop(t)
	shop.rates.becomes(oneIn(2, errUnavailable))
	buy := func(ctx context.Context) {
		_, _ = shop.checkout.payments.Charge(ctx, secret)
		_, _ = shop.checkout.payments.Refund(ctx, secret)
		_, _ = shop.checkout.rates.Quote(ctx, secret)
		_ = shop.checkout.mailer.Send(ctx, secret)
	}
	receipt, err := shop.checkout.payments.Charge(t.Context(), secret)
	require.NoError(t, err)
	require.Contains(t, receipt, secret, "it is in the results")
	buy(t.Context())
	shop.cards.becomes(says503)
	shop.mails.becomes(says503)
	traffic(t, 40, buy)

	address := shop.served(t)
	page := open(t, address+"#"+charge, desktop)
	page.wait(seen(".incident", "is failing since") + " && document.querySelectorAll('.session').length > 2 && " + seen(".chips", "circuitBreaker"))
	eval[any](page, "document.querySelectorAll('details').forEach((d) => { d.open = true; })")
	page.wait("document.querySelectorAll('.as-table tbody tr').length > 5")
	require.NotContains(t, eval[string](page, "document.documentElement.outerHTML"), secret)
	require.NotContains(t, get(t, address+"wiring"), secret)
	for _, ref := range []string{charge, refund, quote, send} {
		served := get(t, address+"state?method="+ref)
		require.Contains(t, served, `"sessions":[{`)
		require.NotContains(t, served, secret)
	}
	served := stream(t, address+"stream?method="+charge, 2)
	require.Contains(t, served, "event: method\n")
	require.NotContains(t, served, secret)
}

// Texts and names from elsewhere are shown as they are, and do nothing.
func TestMarkupInErrorsAndNamesIsText(t *testing.T) {
	t.Parallel()
	const markup = `<img src=x onerror="window.hit = true"><script>window.hit = true</script>&lt;`
	board, failing := dashboard.New(), &peer{}
	failing.becomes(says(fmt.Errorf("550 %s", markup)))
	c := container.New(container.WithListener(board))
	c.Provide(func() *SMTPMailer { return &SMTPMailer{peer: failing} }, container.As[Mailer](), container.Name("<b>eu</b>"))
	mailer, err := container.Get[Mailer](c, container.Name("<b>eu</b>"))
	require.NoError(t, err)
	chain := retry.For[int]().Named(markup).Max(2).Listen(board)
	traffic(t, 40, func(ctx context.Context) {
		_ = mailer.Send(ctx, "order 41")
		_, _ = chain.Call(ctx, func(context.Context) (int, error) { return 0, failing.call(ctx) })
	})

	page := open(t, served(t, board, c), desktop)
	const mail = "SMTPMailer#<b>eu</b>@Send"
	page.wait("document.querySelectorAll('.incident, .incident-line').length === 2")
	require.ElementsMatch(t, []string{mail, markup}, page.texts(".incident-ref"))
	page.wait("document.querySelectorAll('#stage .row').length === 2 && document.querySelectorAll('.card').length === 2")
	for _, ref := range []string{mail, markup} {
		page.wait("[...document.querySelectorAll('#stage .row')].some((r) => r.dataset.ref === " + js(ref) + ")")
		eval[any](page, "[...document.querySelectorAll('#stage .row')].find((r) => r.dataset.ref === "+js(ref)+").click()")
		page.wait("decodeURIComponent(location.hash) === " + js("#"+ref) + " && " + q(".detail") + ".dataset.ref === " + js(ref) + " && document.querySelectorAll('.session').length > 2")
		require.Equal(t, ref, page.text("#method-title"))
		require.Equal(t, "550 "+markup, page.text(".error-text"))
		eval[any](page, q(".session")+".focus()")
		page.wait(q(".session-said") + ".innerText.includes(" + js(markup) + ")")
	}
	require.Equal(t, "550 "+markup, eval[string](page, q(".incident-error")+".textContent"))
	require.Contains(t, eval[string](page, "document.getElementById('announce').textContent"), markup)
	require.Contains(t, eval[string](page, "document.title"), "is failing (+1) · Backstay")
	page.click("#view-list")
	page.wait("document.querySelectorAll('#stage .list .row').length === 2")

	require.Zero(t, page.count("img, b:not(.meter > b), script:not([src])"))
	require.True(t, eval[bool](page, "window.hit === undefined"))
}

// The page's policy forbids what would be needed to break in, and the tests would see it.
func TestThePolicyForbidsWhatIsNotThePages(t *testing.T) {
	t.Parallel()
	page := open(t, newShop(t).served(t), desktop)
	page.wait(seen("#connection-text", "Live"))
	require.Empty(t, page.unexpected())
	eval[any](page, `(() => {
		const script = document.createElement('script');
		script.textContent = 'window.hit = true';
		const style = document.createElement('style');
		style.textContent = 'body { display: none }';
		const image = document.createElement('img');
		image.src = 'http://127.0.0.1:9/x.png';
		document.body.append(script, style, image);
	})()`)
	require.True(t, eval[bool](page, "window.hit === undefined && getComputedStyle(document.body).display !== 'none'"))
	require.Equal(t, "blocked", eval[string](page, "fetch('http://127.0.0.1:9/').then(() => 'answered', () => 'blocked')"))
	for _, directive := range []string{"script-src-elem: inline", "style-src-elem: inline", "img-src: http://127.0.0.1:9", "connect-src: http://127.0.0.1:9"} {
		require.Eventually(t, func() bool { return strings.Contains(fmt.Sprint(page.unexpected()), "violates "+directive) }, patience, 10*time.Millisecond, directive)
	}
	page.expect("violates", "Content Security Policy", "http://127.0.0.1:9", "request failed: ")
}
