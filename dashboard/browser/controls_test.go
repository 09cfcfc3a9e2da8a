package browser_test

import (
	"errors"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

func anybody(*http.Request) error { return nil }

// becomes waits until a breaker is in a state.
func becomes(t *testing.T, b *retry.Breaker, state retry.BreakerState) {
	t.Helper()
	require.Eventually(t, func() bool { return b.State() == state }, patience, 10*time.Millisecond, "breaker is not %s", state)
}

func TestWithoutControlsThereAreNone(t *testing.T) {
	t.Parallel()
	shop := newShop(t)
	address := shop.served(t)
	page := open(t, address+"#"+charge, desktop)
	page.wait(seen(".guard-state", "closed since"))
	require.False(t, eval[bool](page, "[...document.querySelectorAll('.controls, [data-action], [data-confirm]')].some((e) => e.checkVisibility())"))

	answer, err := http.PostForm(address+"breaker", url.Values{"name": {charge}, "action": {"open"}})
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusNotFound, answer.StatusCode)
	require.Equal(t, retry.BreakerClosed, shop.breaker(t).State())
}

func TestABreakerIsTurnedByHandAfterAQuestion(t *testing.T) {
	t.Parallel()
	shop := newShop(t, dashboard.WithControls(anybody))
	breaker := shop.breaker(t)
	page := open(t, shop.served(t)+"#"+charge, desktop)
	page.wait(seen(".controls", "Force open Force closed Metrics only Reset"))

	page.click("[data-action=open]")
	page.wait(seen(".confirm", "Force open CardGateway@Charge? Every call will be refused until somebody resets it."))
	page.wait("document.activeElement === " + q("[data-cancel]"))
	page.press(kb.Escape)
	page.wait("!" + q(".confirm") + ".checkVisibility() && document.activeElement === " + q("[data-action=open]"))
	require.Equal(t, "#"+charge, eval[string](page, "location.hash"), "Escape has closed the question only")
	page.press(kb.Enter)
	page.wait("document.activeElement === " + q("[data-cancel]"))
	page.press(kb.Enter)
	page.wait("!" + q(".confirm") + ".checkVisibility()")
	require.Equal(t, retry.BreakerClosed, breaker.State(), "two keys by mistake have done nothing")

	turn := func(action string) {
		t.Helper()
		page.click("[data-action=" + action + "]")
		page.click("[data-confirm]")
	}
	turn("open")
	becomes(t, breaker, retry.BreakerForceOpen)
	page.wait(seen(".told", "breaker CardGateway@Charge is forced open."))
	require.Equal(t, "yes", page.attribute(".told", "data-done"))
	page.wait(q(row(charge)) + ".dataset.breaker === 'force-open'")
	page.wait(q("[data-action=open]") + ".getAttribute('aria-pressed') === 'true'")
	page.wait(seen(".incident h3", "CardGateway@Charge is shut off since"))
	page.wait(seen(".incident-breaker", "forced open: refuses every call until it is reset"))

	turn("close")
	becomes(t, breaker, retry.BreakerForceClosed)
	page.wait(seen("#notices", "Breaker CardGateway@Charge is forced closed since"))
	turn("metrics")
	becomes(t, breaker, retry.BreakerMetricsOnly)
	page.wait(seen(row(charge)+" .row-breaker", "metrics only"))
	turn("reset")
	becomes(t, breaker, retry.BreakerClosed)
	page.wait(seen(".told", "breaker CardGateway@Charge is reset."))
	page.wait(seen(row(charge)+" .row-breaker", "closed"))
	page.wait("document.querySelectorAll('.incident').length === 0")
}

func TestWhatTheGuardRefusesIsToldAndChangesNothing(t *testing.T) {
	t.Parallel()
	shop := newShop(t, dashboard.WithControls(func(*http.Request) error { return errors.New("not on call") }))
	page := open(t, shop.served(t)+"#"+charge, desktop)
	page.expect("answer 403: ", "the server responded with a status of 403 (Forbidden)")
	page.click("[data-action=open]")
	page.click("[data-confirm]")
	page.wait(seen(".told", "not done, the server answered 403: forbidden."))
	require.Equal(t, "no", page.attribute(".told", "data-done"))
	require.Equal(t, retry.BreakerClosed, shop.breaker(t).State())
	page.wait("!" + q(".confirm") + ".checkVisibility() && document.activeElement === " + q("[data-action=open]"))
}
