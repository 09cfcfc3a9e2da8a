package dashboard_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/explain"
	"github.com/backstay/backstay/retry"
)

// odd is a source that tells just this.
type odd struct{ *explain.Wiring }

func (s odd) Explain() *explain.Wiring              { return s.Wiring }
func (odd) Status() retry.Status                    { return retry.Status{} }
func (odd) Breaker(any) (b *retry.Breaker, _ error) { return b, nil }

// A source need not be a container, and what it tells need not be complete.
func TestASourceMayTellLittle(t *testing.T) {
	need := func(to int) []explain.Need { return []explain.Need{{To: to, Kind: explain.Parameter}} }
	for name, w := range map[string]*explain.Wiring{
		"nothing":                      nil,
		"no services":                  {},
		"a need of nobody it lists":    {Services: []explain.Service{service("Shop", need(7)...), service("Gateway")}},
		"a need of less than nobody":   {Services: []explain.Service{service("Shop", need(-7)...), service("Gateway")}},
		"what is wrong, and no more":   {Problems: []string{"nobody provides a Gateway"}},
		"services that nothing is of":  {Services: []explain.Service{service("Till")}},
		"services without any methods": {Services: []explain.Service{{Ref: retry.MethodRef{Class: "Shop"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				board := dashboard.New(dashboard.WithControls(anybody))
				fail(t.Context(), board, call("Shop"), 30, 0, 0)
				fail(t.Context(), board, call("Gateway"), 20, 0, 0)
				h := board.Handler(odd{w})
				s, _ := look(t, h, "")
				require.Equal(t, []string{"Shop@Call", "Gateway@Call"}, refs(s.Incidents))
				wiring := get(h, "/wiring")
				require.Equal(t, http.StatusOK, wiring.Code)
				require.Regexp(t, `^{"services":\[.*\]`, wiring.Body.String())
				require.Equal(t, http.StatusNotFound, press(h, "Shop@Call", "open").Code)
				if w != nil && name == "no services" {
					require.Nil(t, w.Services, "what it has given is left as it is")
				}
			})
		})
	}
}

// The first request freezes a container's plan, which takes its time.
func TestTheStateIsOfWhenItsSourceHasAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		src := &told{status: func([]retry.BreakerStatus) {
			time.Sleep(5 * time.Second)
			play(t.Context(), board, ok(0))
		}}
		s, _ := look(t, board.Handler(src), "")
		require.Equal(t, ms(time.Now()), s.Now)
		require.Equal(t, 0.2, s.Methods[0].Rate)
	})
}
