package browser_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each state has a word, a shape and a colour, in the rows of methods and on the cards of services.
func TestRowsAndCardsTellTheirStates(t *testing.T) {
	t.Parallel()
	shop := newShop(t)
	shop.cards.becomes(says503)
	shop.mails.becomes(oneIn(4, errors.New("550 no such mailbox")))
	shop.rates.becomes(oneIn(4, errUnavailable))
	traffic(t, 60, shop.sell)
	page := open(t, shop.served(t), desktop)

	states := map[string]string{charge: "failing", refund: "idle", send: "errors", quote: "retrying", record: "well"}
	for ref, state := range states {
		page.wait(q(row(ref)) + ".dataset.state === " + js(state))
		page.wait(q(row(ref)+" .mark use") + ".getAttribute('href') === " + js("#s-"+state))
		page.wait(q(row(ref)) + ".textContent.startsWith(" + js(state+": ") + ")")
	}
	for service, state := range map[string]string{"CardGateway": "failing", "SMTPMailer": "errors", "RateService": "retrying", "Ledger": "well", "Checkout": "", "InvoiceGateway": ""} {
		require.Equal(t, state, page.attribute(fmt.Sprintf(".card[data-service=%q]", service), "data-state"), service)
	}
	require.Regexp(t, `^failing: Charge [\d.]+/s 0% errors breaker (half-)?open , budget \d+% left$`, page.text(row(charge)))
	require.Regexp(t, `^errors: Send [\d.]+/s 2\d% errors`, page.text(row(send)))

	colours := map[string]string{}
	for ref, state := range states {
		colours[state] = eval[string](page, "getComputedStyle("+q(row(ref)+" .mark")+").color")
	}
	require.Equal(t, colours["failing"], colours["errors"])
	require.Len(t, map[string]bool{colours["failing"]: true, colours["retrying"]: true, colours["well"]: true, colours["idle"]: true}, 4)

	for edge, state := range map[string]string{
		`.edge[data-from="Checkout"][data-to="CardGateway"]`:       "failing",
		`.edge[data-from="Checkout"][data-to="Ledger"]`:            "well",
		`.edge[data-from="CardGateway"][data-to="InvoiceGateway"]`: "in-use",
	} {
		require.Equal(t, state, page.attribute(edge, "data-state"), edge)
	}

	page.click("#view-list")
	page.wait("document.body.dataset.view === 'list'")
	for ref, state := range states {
		page.wait(q(row(ref)) + ".dataset.state === " + js(state))
	}
	require.Equal(t, charge, page.attribute("#stage .row", "data-ref"), "the troubled first")
	page.click("#troubled-only")
	page.wait("document.querySelectorAll('#stage .row').length === 3")
	page.wait(seen("#count", "6 services, 3 of 5 protected methods"))
}
