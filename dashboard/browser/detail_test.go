package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/explain"
)

// method is what the container explains of a method.
func (s *shop) method(t *testing.T, ref string) explain.Method {
	t.Helper()
	for _, service := range s.Explain().Services {
		for _, m := range service.Methods {
			if service.Ref.String()+"@"+m.Name == ref {
				return m
			}
		}
	}
	t.Fatalf("%s is not in the wiring", ref)
	return explain.Method{}
}

func TestTheDetailShowsThePolicyWithTheOriginOfEachValue(t *testing.T) {
	t.Parallel()
	shop := newShop(t)
	page := open(t, shop.served(t)+"#"+charge, desktop)
	page.wait(shows(charge))

	m := shop.method(t, charge)
	require.NotEmpty(t, m.Attributes)
	rows := page.texts(".is-settings tbody tr")
	require.Len(t, rows, len(m.Attributes))
	for i, a := range m.Attributes {
		require.Equal(t, strings.Join(strings.Fields(a.Key+" "+a.Value+" "+a.Origin), " "), rows[i])
	}
	require.Contains(t, rows, "breaker.window 60 aliases.CircuitBreaker, tag CardGateway._")
	require.Equal(t, m.Policies, page.texts(".chips li"))
	require.Len(t, page.texts(".is-annotations tbody tr"), len(m.Annotations))
	require.Equal(t, []string{"RetryAspect 1000 annotated(annotation.AbstractRetry)"}, page.texts(".is-aspects tbody tr"))
	require.Contains(t, page.texts(".facts > div"), "Provided as browser_test.PaymentGateway")
}

func TestTheDetailShowsSessionsAsTimelinesAndErrorsWithTheirCounts(t *testing.T) {
	t.Parallel()
	shop := newShop(t)
	shop.cards.becomes(says503)
	for range 3 {
		shop.charge(t.Context()) // three attempts each, with waits between them
	}
	address := shop.served(t)
	page := open(t, address+"#"+charge, desktop)
	page.wait(shows(charge) + " && document.querySelectorAll('.session').length === 3")

	told := ask(t, address, charge).Method
	require.Len(t, told.Sessions, 3)
	require.Equal(t, "exhausted", told.Sessions[0].End)
	for i, s := range told.Sessions {
		at := fmt.Sprintf(".session:nth-child(%d)", i+1)
		require.Len(t, s.Attempts, 3)
		require.Equal(t, len(s.Attempts), page.count(at+" rect.session-error"))
		require.Equal(t, 2, len(s.Waits))
		require.Equal(t, len(s.Waits), page.count(at+" rect.session-wait"))
		require.Equal(t, clock(s.At), page.text(at+" .session-at"))
		require.Equal(t, "gave up: maxAttempts", page.text(at+" .session-end"))
		require.Equal(t, "fallback used", page.text(at+" .session-fallback"))
	}
	// What was first is left of what came after it, on one scale.
	places := eval[[]float64](page, "[...document.querySelectorAll('.session:first-child rect')].sort((a, b) => a.x.baseVal.value - b.x.baseVal.value).map((r) => r.x.baseVal.value)")
	require.Len(t, places, 5)
	require.Zero(t, places[0])
	require.Greater(t, places[4], 3*places[1], "two waits of the same length")

	require.Equal(t, "9", strings.TrimSuffix(page.text(".error-count"), "×"))
	require.Len(t, told.Errors, 1)
	require.Equal(t, told.Errors[0].Text, page.text(".error-text"))

	eval[any](page, q(".session")+".focus()")
	page.wait("/gave up: maxAttempts after 3 attempts in .*the fallback succeeded; attempt 1 took .*503 Service Unavailable; .*waited 100.ms, 100.ms/.test(" + q(".session-said") + ".innerText)")
}

func TestTheDetailShowsFiguresChartsBreakerAndBudget(t *testing.T) {
	t.Parallel()
	shop := newShop(t)
	traffic(t, 50, shop.charge)
	page := open(t, shop.served(t)+"#"+charge, desktop)
	page.wait("/^[1-9][0-9.]*.s$/.test(" + q(".figures dd") + ".innerText)")
	page.wait(q(".plot-answer") + "?.getAttribute('d').length > 0 && " + q(".plot-p95") + ".getAttribute('d').length > 0")
	page.wait("/[1-9][0-9]* calls, 0 errors, 0 fallbacks; [0-9]+ attempts, 0 refused/.test(" + q(".chart-readout") + ".innerText)")
	page.wait(seen(".guard-state", "closed since"))
	page.wait("/^0 of the last [1-9][0-9]* attempts failed .opens at 50%, from 40 attempts on. · 0 failed in a row · stays open for 2.s$/.test(" + q(".guard-counts") + ".innerText)")
	page.wait("/retries left$/.test(" + q(".guards + .guards strong") + ".innerText)")

	// The same figures as a table, for who does not see the picture.
	page.click(".as-table summary")
	page.wait("document.querySelectorAll('.as-table[open] tbody tr').length > 1")
	require.Equal(t, "Second Calls Errors Fallbacks Attempts Failed Retries Refused", page.text(".as-table[open] thead tr"))
	require.Regexp(t, `^\d\d:\d\d:\d\d \d+ 0 0 \d+ 0 0 0$`, page.texts(".as-table[open] tbody tr")[0])
}
