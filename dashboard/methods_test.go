package dashboard_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

// calls are those of each method, by reference.
func calls(t *testing.T, board *dashboard.Dashboard) map[string]int {
	s, _ := look(t, board.Handler(nil), "")
	all := map[string]int{}
	for _, m := range s.Methods {
		all[m.Ref] = m.Calls
	}
	return all
}

func succeed(t *testing.T, board *dashboard.Dashboard, refs ...retry.MethodRef) {
	for _, ref := range refs {
		board.On(t.Context(), retry.Succeeded{MethodRef: ref, Attempts: 1})
	}
}

func TestMethodsAreToldByTheirReferences(t *testing.T) {
	board := dashboard.New()
	succeed(t, board, charge, refund, charge, retry.MethodRef{Name: "rates"}, retry.MethodRef{}, retry.MethodRef{Class: "Func", Method: "Call"},
		retry.MethodRef{Name: "CardGateway@Charge"}) // a chain that reads the same is the same
	require.Equal(t, map[string]int{"CardGateway@Charge": 3, "CardGateway#backup@Refund": 1, "rates": 1, "unnamed": 1, "Func@Call": 1}, calls(t, board))
}

func TestMethodsBeyondTheMostAreCountedTogether(t *testing.T) {
	for _, c := range []struct{ most, want int }{{3, 3}, {1, 1}, {0, 1}, {-5, 1}} {
		board := dashboard.New(dashboard.WithMethods(c.most))
		for range 2 {
			for i := range 10 {
				succeed(t, board, numbered(i))
			}
		}
		want := map[string]int{"others": 2 * (10 - c.want)}
		for i := range c.want {
			want[numbered(i).String()] = 2
		}
		require.Equal(t, want, calls(t, board))
		_, m := look(t, board.Handler(nil), "others")
		require.NotEmpty(t, m.Sessions)
	}
}

func TestTwoThousandMethodsAreToldApart(t *testing.T) {
	board := dashboard.New()
	for i := range 2100 {
		succeed(t, board, retry.MethodRef{Name: fmt.Sprint("chain ", i)})
	}
	all := calls(t, board)
	require.Len(t, all, 2001)
	require.Equal(t, 100, all["others"])
}

// Everything at once, for the race detector: methods that turn up, events of all kinds, and those who look.
func TestEverythingAtTheSameTime(t *testing.T) {
	board := dashboard.New(dashboard.WithMethods(30), dashboard.WithControls(anybody))
	h := board.Handler(&told{})
	breaker := known(t, board, "rates")
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			id := retry.SessionID(g+1) * 64
			for i := range 300 {
				ref := numbered((g*7 + i) % 40)
				board.On(t.Context(), retry.Succeeded{MethodRef: ref, Attempts: 1, Session: id})
				board.On(t.Context(), retry.AttemptFailed{MethodRef: ref, Attempt: 1, Err: fmt.Errorf("%d", i%10), Session: id})
				board.On(t.Context(), retry.RetryScheduled{MethodRef: ref, Attempt: 2, Wait: 1, Session: id})
				switch i % 4 {
				case 0:
					board.On(t.Context(), retry.Succeeded{MethodRef: ref, Attempts: 2, Session: id})
				case 1:
					board.On(t.Context(), retry.Exhausted{MethodRef: ref, Limit: fmt.Sprint(i % 20), Attempts: 1, Session: id})
					board.On(t.Context(), retry.FallbackSucceeded{MethodRef: ref, Session: id})
				case 2:
					board.On(t.Context(), retry.Aborted{MethodRef: ref, Attempts: 2, Session: id})
				case 3:
					board.On(t.Context(), retry.Rejected{MethodRef: ref, Reason: err503, Gate: "quota", Session: id})
					board.On(t.Context(), retry.FallbackFailed{MethodRef: ref, Err: err503, Session: id})
				}
			}
		})
	}
	for range 2 {
		all.Go(func() {
			for range 20 {
				look(t, h, "Service0@Method3")
				press(h, "rates", "open")
				breaker.Reset()
			}
		})
	}
	all.Wait()
	n := 0
	for _, calls := range calls(t, board) {
		n += calls
	}
	require.Equal(t, 8*300*2+1, n)
}
