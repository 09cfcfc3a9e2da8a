package retry

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Whatever happens in a small world of methods, budgets and breakers, step by step: each call's events, hooks, attempts,
// results, errors and report are the model's, and so are the breakers. The test sets the clock, and shares the models of
// budgets and breakers, so it is an internal one.
func TestSessionsAgreeWithTheirModel(t *testing.T) {
	for range 2 { // rapid makes a hundred checks
		rapid.Check(t, func(rt *rapid.T) {
			plan := drawModelPlan(rt)
			difference := ""
			synctest.Test(t, func(t *testing.T) { difference = plan.compare(t) })
			require.Empty(rt, difference)
		})
	}
}

// compare plays the plan and says where the product and the model differ first.
func (p *modelPlan) compare(t *testing.T) (difference string) {
	base := clockBase
	clockBase = time.Now().Add(-p.Clock)
	defer func() { clockBase = base }()
	play, w := newModelPlay(t, p), newModelWorld(p, now())
	defer play.end()
	for i, s := range p.Steps {
		time.Sleep(time.Millisecond) // so that no two calls begin, wait or end together
		synctest.Wait()
		w.advance(w.now + int64(time.Millisecond))
		root := -1
		switch s.Op {
		case "finish":
			root = w.number(w.blocked(s))
		case "cancel":
			root = w.number(w.live(s))
		}
		w.do(s)
		play.do(t, s, root)
		require.Equal(t, w.now, now())
		if want, got := w.String(), play.String(); want != got {
			return fmt.Sprintf("step %d, %+v\nthe model:\n%s\nthe product:\n%s", i, s, want, got)
		}
	}
	return ""
}

func (w *modelWorld) number(root *modelRoot) int {
	for i, r := range w.roots {
		if r == root {
			return i
		}
	}
	return -1
}

// String is all that can be seen of the world.
func (w *modelWorld) String() string {
	var b strings.Builder
	for i, r := range w.roots {
		fmt.Fprintf(&b, "call %d\n", i)
		for _, line := range r.journal {
			fmt.Fprintln(&b, " ", line)
		}
		if r.ended != "" {
			fmt.Fprintln(&b, " ", r.ended)
			if r.reports {
				fmt.Fprintln(&b, " ", r.report)
			}
		}
	}
	for i, m := range w.breakers {
		fmt.Fprintln(&b, "breaker", i, m.stateAt(w.now), m.retryAfter(w.now), m.told)
	}
	return b.String()
}

// String is all that can be seen of the play.
func (p *modelPlay) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var b strings.Builder
	for i, r := range p.roots {
		fmt.Fprintf(&b, "call %d\n", i)
		for _, line := range r.journal {
			fmt.Fprintln(&b, " ", line)
		}
		if r.done {
			fmt.Fprintln(&b, " ", r.ended)
			if r.report != nil {
				fmt.Fprintln(&b, " ", reportInModelWords(r.report))
			}
		}
	}
	for i, x := range p.breakers {
		fmt.Fprintln(&b, "breaker", i, x.State(), x.RetryAfter(), p.told[i])
	}
	return b.String()
}
