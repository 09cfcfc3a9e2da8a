package container_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// protected is a container with a method that has a breaker and a budget of one retry, and calls it.
func protected(t *testing.T) (c *container.Container, call func() error) {
	c = container.New()
	c.Provide(func() *Client { return &Client{fail: 100} }, container.As[Caller](),
		container.Annotate[aliases.Retry](Caller.Call, annotation.MaxAttempts(2),
			annotation.Budget(retry.BudgetSettings{TTL: time.Second, MinPerSec: 1})),
		container.Annotate[aliases.CircuitBreaker](Caller.Call, annotation.MaxAttempts(2),
			annotation.Breaker(retry.BreakerSettings{Consecutive: 3, ResetTimeout: time.Hour})))
	return c, func() error { return must[Caller](t, c).Call(t.Context()) }
}

func read(t *testing.T, h http.Handler) (status int, body map[string]any) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body))
	return w.Code, body
}

func TestStatusTellsOfBreakersAndBudgetsBeforeAnythingIsBuilt(t *testing.T) {
	c, call := protected(t)
	s := c.Status()
	require.Len(t, s.Breakers, 1)
	require.Len(t, s.Budgets, 1)
	require.Equal(t, []string{"Client@Call"}, s.Breakers[0].Methods)
	require.Equal(t, []string{"Client@Call"}, s.Budgets[0].Methods)
	require.Equal(t, retry.BreakerClosed, s.Breakers[0].State)
	require.InDelta(t, 1, s.Budgets[0].Balance, 0)

	require.Error(t, call())
	require.Error(t, call())
	s = c.Status()
	require.Equal(t, retry.BreakerOpen, s.Breakers[0].State)
	require.Less(t, s.Budgets[0].Balance, 1.0)
	require.EqualValues(t, 1, s.Budgets[0].Paid)
}

func TestTheStatusOfAContainerWithDefinitionErrorsIsEmpty(t *testing.T) {
	c, _ := protected(t)
	c.Provide(func(*B) *A { return nil })
	require.Equal(t, retry.Status{Breakers: []retry.BreakerStatus{}, Budgets: []retry.BudgetStatus{}}, c.Status())
}

func TestStatusHandlerAnswersWithAllBreakersAndBudgets(t *testing.T) {
	c, call := protected(t)
	require.Error(t, call())
	code, body := read(t, c.StatusHandler())
	require.Equal(t, http.StatusOK, code)
	breaker := body["breakers"].([]any)[0].(map[string]any)
	require.Equal(t, "Client@Call", breaker["name"])
	require.Equal(t, "closed", breaker["state"])
	require.NotEmpty(t, breaker["since"])
	require.InDelta(t, 2, breaker["failuresInRow"], 0)
	budget := body["budgets"].([]any)[0].(map[string]any)
	require.Equal(t, []any{"Client@Call"}, budget["methods"])
	require.Less(t, budget["balance"], 1.0)

	w := httptest.NewRecorder()
	c.StatusHandler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", nil))
	require.Equal(t, http.StatusMethodNotAllowed, w.Code)
}

// A peer that is down is told and makes nobody restart the service that calls it.
func TestHealthTellsOfOpenBreakersAndSpentBudgetsAndStaysHealthy(t *testing.T) {
	c, call := protected(t)
	require.NoError(t, c.Start(t.Context()))
	code, body := read(t, c.HealthHandler())
	require.Equal(t, http.StatusOK, code)
	require.NotContains(t, body, "breakers")
	require.NotContains(t, body, "budgets")

	require.Error(t, call())
	require.Error(t, call())
	code, body = read(t, c.HealthHandler())
	require.Equal(t, http.StatusOK, code)
	require.Equal(t, "open", body["breakers"].([]any)[0].(map[string]any)["state"])
	require.Equal(t, "Client@Call", body["budgets"].([]any)[0].(map[string]any)["name"])
	require.Equal(t, retry.BreakerOpen, c.Health(t.Context()).Status.Breakers[0].State)
	require.NoError(t, c.Stop(context.WithoutCancel(t.Context())))
}
