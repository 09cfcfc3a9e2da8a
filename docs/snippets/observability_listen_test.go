package snippets_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// Pager has pages for whoever is on call. It is told in the goroutine of a call, and returns at once: who sends the pages
// takes them from the channel.
type Pager struct{ Pages chan string }

func NewPager() *Pager { return &Pager{make(chan string, 100)} }

func (p *Pager) On(_ context.Context, e retry.Event) {
	change, ok := e.(retry.BreakerChanged)
	if !ok || change.To != retry.BreakerOpen || change.From == retry.BreakerHalfOpen {
		return // nothing, or what a probe has found to last
	}
	select {
	case p.Pages <- fmt.Sprintf("breaker %s is open", change.Breaker.Name()):
	default: // rather a page that is lost than a call that waits
	}
}

func TestAListenerIsAService(t *testing.T) {
	inTheNight(t, func(t *testing.T) {
		c := container.New()

		c.Provide(NewPager, container.As[retry.Listener](), container.AsSelf())

		peer := wireCards(c)
		theNight(t, c, peer, func() {})
		pager, err := container.Get[*Pager](c)
		require.NoError(t, err)
		require.Equal(t, "breaker CardGateway@Charge is open", <-pager.Pages)
		require.Empty(t, pager.Pages)
		require.Empty(t, c.Notes())
	})
}

// waits adds up how long calls have waited, to show what tells sessions apart.
type waits struct {
	waited map[retry.SessionID]int
	ended  []string
}

func (w *waits) On(_ context.Context, e retry.Event) {
	switch e := e.(type) {
	case retry.RetryScheduled:
		w.waited[e.Session] += int(e.Wait.Milliseconds())
	case retry.Exhausted:
		w.ended = append(w.ended, fmt.Sprintf("%v %s %d", e.Ref(), e.Limit, w.waited[e.Session]))
		delete(w.waited, e.Session)
	case retry.Rejected:
		w.ended = append(w.ended, fmt.Sprintf("%v %s %t", e.Ref(), e.Gate, e.Session != 0))
	}
}

func TestEventsOfOneSessionHaveItsNumber(t *testing.T) {
	inTheNight(t, func(t *testing.T) {
		w := &waits{waited: map[retry.SessionID]int{}}
		c := container.New(container.WithListener(w))
		theNight(t, c, wireCards(c), func() {})
		require.Empty(t, w.waited)
		require.Equal(t, []string{
			"CardGateway@Charge maxAttempts 200",
			"CardGateway@Charge circuitBreaker 100",
			"CardGateway@Charge circuitBreaker true",
		}, w.ended)
	})
}
