package dashboard_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/explain"
	"github.com/backstay/backstay/retry"
)

// fail makes a method fail, so often and with so many fallbacks.
func fail(ctx context.Context, board *dashboard.Dashboard, ref retry.MethodRef, errors, fallbacks, successes int) {
	for i := range errors + fallbacks {
		board.On(ctx, retry.AttemptFailed{MethodRef: ref, Attempt: 1, Err: err503, Session: 64})
		board.On(ctx, retry.Exhausted{MethodRef: ref, Limit: "maxAttempts", Attempts: 1, Err: err503, Session: 64})
		if i < fallbacks {
			board.On(ctx, retry.FallbackSucceeded{MethodRef: ref, Cause: err503, Session: 64})
		}
	}
	for range successes {
		board.On(ctx, retry.Succeeded{MethodRef: ref, Attempts: 1, Session: 64})
	}
}

func refs(all []incident) (refs []string) {
	for _, i := range all {
		refs = append(refs, i.Ref)
	}
	return refs
}

func TestTheMostSevereIncidentComesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		h := board.Handler(nil)
		for i, c := range []struct{ errors, fallbacks, successes int }{
			0: {10, 10, 0},
			1: {20, 0, 0},
			2: {10, 20, 0},
			3: {0, 30, 0},
			4: {10, 20, 20},
		} {
			fail(t.Context(), board, numbered(i), c.errors, c.fallbacks, c.successes)
		}
		time.Sleep(time.Second)
		for i := 6; i > 4; i-- { // as much as the third, but later
			fail(t.Context(), board, numbered(i), 10, 20, 0)
		}
		s, _ := look(t, h, "")
		require.Equal(t, []string{"Service0@Method1", "Service0@Method2", "Service0@Method5", "Service0@Method6", "Service0@Method4", "Service0@Method0", "Service0@Method3"}, refs(s.Incidents))
	})
}

// service is one of a wiring, with a method Call.
func service(class string, needs ...explain.Need) explain.Service {
	return explain.Service{Ref: retry.MethodRef{Class: class}, Needs: needs, Methods: []explain.Method{{Name: "Call"}}}
}

func call(class string) retry.MethodRef { return retry.MethodRef{Class: class, Method: "Call"} }

// Whoever fails because of somebody else comes after them, though more callers may see it.
func TestTheCauseComesBeforeItsConsequences(t *testing.T) {
	need := func(to int, kind explain.NeedKind) explain.Need { return explain.Need{To: to, Kind: kind} }
	for _, c := range []struct {
		name   string
		wiring []explain.Service
		want   []string
	}{
		{"without a wiring", nil, []string{"Shop@Call", "Gateway@Call"}},
		{"no need", []explain.Service{service("Shop"), service("Gateway")}, []string{"Shop@Call", "Gateway@Call"}},
		{"a need", []explain.Service{service("Shop", need(1, explain.Parameter)), service("Gateway")}, []string{"Gateway@Call", "Shop@Call"}},
		{"asked for later", []explain.Service{service("Shop", need(1, explain.Lazy)), service("Gateway")}, []string{"Gateway@Call", "Shop@Call"}},
		{"through another", []explain.Service{
			service("Shop", need(2, explain.Parameter)), service("Gateway"), service("Till", need(explain.Nobody, explain.Parameter), need(1, explain.Group)),
		}, []string{"Gateway@Call", "Shop@Call"}},
		{"the other way", []explain.Service{service("Shop"), service("Gateway", need(0, explain.Parameter))}, []string{"Shop@Call", "Gateway@Call"}},
		{"both ways", []explain.Service{service("Shop", need(1, explain.Lazy)), service("Gateway", need(0, explain.Parameter))}, []string{"Shop@Call", "Gateway@Call"}},
		{"as a fallback", []explain.Service{service("Shop", need(1, explain.Reference)), service("Gateway")}, []string{"Shop@Call", "Gateway@Call"}},
		{"in a circle with itself", []explain.Service{
			service("Shop", need(2, explain.Parameter)), service("Gateway"), service("Till", need(0, explain.Lazy)),
		}, []string{"Shop@Call", "Gateway@Call"}},
		{"in a circle of others", []explain.Service{
			service("Shop", need(2, explain.Parameter)), service("Gateway"), service("A", need(3, explain.Lazy)), service("B", need(2, explain.Lazy)),
		}, []string{"Shop@Call", "Gateway@Call"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				board := dashboard.New()
				fail(t.Context(), board, call("Shop"), 30, 0, 0)
				fail(t.Context(), board, call("Gateway"), 20, 0, 0)
				s, _ := look(t, board.Handler(&told{wiring: &explain.Wiring{Services: c.wiring}}), "")
				require.Equal(t, c.want, refs(s.Incidents))
			})
		})
	}
}

func TestAnIncidentNamesTheFallbackThatIsDeclared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		gateway := service("CardGateway")
		gateway.Methods[0].Attributes = []explain.Attribute{{Key: "base", Value: "1s"}, {Key: "fallback", Value: "InvoiceGateway#paper@Charge"}}
		src := &told{wiring: &explain.Wiring{Services: []explain.Service{gateway}}}
		h := board.Handler(src)
		fail(t.Context(), board, call("CardGateway"), 0, 30, 0)
		s, _ := look(t, h, "")
		require.Equal(t, "InvoiceGateway#paper@Charge", s.Incidents[0].Fallback)

		gateway.Methods[0].Attributes = nil
		time.Sleep(time.Minute + time.Second)
		fail(t.Context(), board, call("CardGateway"), 0, 30, 0)
		s, _ = look(t, h, "")
		require.Empty(t, s.Incidents[0].Fallback, "the wiring is asked again after a while")
	})
}
