package dashboard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

var (
	charge = retry.MethodRef{Class: "CardGateway", Method: "Charge"}
	refund = retry.MethodRef{Class: "CardGateway", Name: "backup", Method: "Refund"}
)

// numbered is one of many methods.
func numbered(i int) retry.MethodRef {
	return retry.MethodRef{Class: fmt.Sprintf("Service%d", i/10), Method: fmt.Sprintf("Method%d", i%10)}
}

// What the dashboard serves, as a script reads it.
type (
	state struct {
		Now, Started int64
		Controls     bool
		Methods      []summary
		Breakers     []retry.BreakerStatus
		Budgets      []retry.BudgetStatus
		Incidents    []incident
	}
	summary struct {
		Ref                                        string
		Calls                                      int
		Rate, AttemptRate, RetryRate, FallbackRate float64
		ErrorShare, AttemptFailureShare            float64
		P50Ms, P95Ms                               float64
		Refused                                    map[string]float64
		LastError                                  string
		LastErrorAt, FailingSince                  int64
	}
	incident struct {
		Ref                 string
		Since               int64
		AttemptFailureShare float64
		Error               string
		Callers             callers
		Fallback            string
		Refused             map[string]float64
		Breaker             retry.BreakerState
		RetryInMs           float64
	}
	callers struct{ Succeeded, Fallback, Error float64 }
	method  struct {
		Ref      string
		Series   []point
		Sessions []session
		Errors   []errorCount
	}
	point struct {
		T                                                            int64
		Calls, Errors, Fallbacks, Attempts, Failed, Retries, Refused int
		P50Ms, P95Ms                                                 float64
	}
	session struct {
		At                          int64
		ElapsedMs                   float64
		End, Limit, Fallback, Error string
		Made                        int
		Attempts                    []attempt
		Waits                       []wait
	}
	attempt struct {
		StartMs, EndMs float64
		Error          string
	}
	wait       struct{ StartMs, Ms float64 }
	errorCount struct {
		At    int64
		Text  string
		Count int
	}
)

func get(h http.Handler, target string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, target, nil))
	return w
}

// look is the state, and what is told of a method.
func look(t testing.TB, h http.Handler, ref string) (state, method) {
	t.Helper()
	return lookAt(t, h, ref)
}

func lookAt(t require.TestingT, h http.Handler, ref string) (state, method) {
	w := get(h, "/state?method="+url.QueryEscape(ref))
	require.Equal(t, http.StatusOK, w.Code)
	var answer struct {
		State  state
		Method method
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer))
	return answer.State, answer.Method
}

// one is the summary of the only method.
func one(t testing.TB, board *dashboard.Dashboard) summary {
	t.Helper()
	s, _ := look(t, board.Handler(nil), "")
	require.Len(t, s.Methods, 1)
	return s.Methods[0]
}

// ms is a time as the page reads it.
func ms(t time.Time) int64 { return t.UnixMilli() }

// failing is a peer that is down.
func failing(context.Context) error { return err503 }
