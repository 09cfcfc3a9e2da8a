package container_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

// patient has a Health. K tells patients apart.
type patient[K any] struct{ health func(context.Context) error }

func (p *patient[K]) Health(ctx context.Context) error { return p.health(ctx) }

func provides[K any](c *container.Container, health func(context.Context) error, opts ...container.ProvideOption) {
	c.Provide(func() *patient[K] { return &patient[K]{health} }, opts...)
}

// answers are what the services of a report have said.
func answers(r container.HealthReport) map[string]string {
	all := map[string]string{}
	for _, s := range r.Services {
		all[s.Ref.String()] = "ok"
		if s.Err != nil {
			all[s.Ref.String()] = text(s.Err)
		}
	}
	return all
}

func TestHealthAsksAllServicesAtTheSameTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := container.New(container.HealthTimeout(10 * time.Second))
		provides[one](c, stubborn(time.Second))
		provides[two](c, func(ctx context.Context) error { time.Sleep(2 * time.Second); return errDown }, container.Name("main"))
		provides[three](c, sleeps(time.Hour), container.HealthTimeout(3*time.Second))
		provides[four](c, func(context.Context) error { runtime.Goexit(); return nil })
		c.Provide(func() *A { return &A{} },
			container.OnHealth(func(context.Context, *A) error { time.Sleep(time.Second); return nil }),
			container.OnHealth(func(context.Context, *A) error { return errBroken }))
		c.Provide(func() *B { return &B{} })
		c.Supply(&patient[string]{func(context.Context) error { return nil }})
		require.NoError(t, c.Start(t.Context()))

		began := time.Now()
		r := c.Health(t.Context())
		require.Equal(t, 3*time.Second, time.Since(began))
		require.Equal(t, container.StateRunning, r.State)
		require.Equal(t, map[string]string{
			"patient[one]":      "ok",
			"patient[two]#main": "down",
			"patient[three]":    "has not returned within 3s",
			"patient[four]":     "its goroutine was ended by runtime.Goexit",
			"A":                 "broken",
			"patient[string]":   "ok",
		}, answers(r))
		require.Equal(t, []time.Duration{time.Second, 2 * time.Second, 3 * time.Second, 0, time.Second, 0}, took(r), "in order of registration")
		require.False(t, r.Healthy())
		require.Equal(t, []string{
			"backstay: health of patient[two]#main (HERE): down",
			"backstay: health of patient[three] (HERE): has not returned within 3s",
			"backstay: health of patient[four] (HERE): its goroutine was ended by runtime.Goexit",
			"backstay: health of A (HERE): broken",
		}, texts(t, r.Err()))
		require.ErrorIs(t, r.Err(), errDown)
		require.ErrorIs(t, r.Err(), context.DeadlineExceeded)
		require.NoError(t, c.Stop(t.Context()))
	})
}

func took(r container.HealthReport) (all []time.Duration) {
	for _, s := range r.Services {
		all = append(all, s.Took)
	}
	return all
}

func TestAContainerIsHealthyWhileItRuns(t *testing.T) {
	var asked atomic.Int32
	ask := func(context.Context) error { asked.Add(1); return nil }
	var during container.HealthReport
	c := container.New()
	var j journal
	c.Provide(func() *monitored {
		return &monitored{patient[one]{ask}, unit[one]{&j, "1", func(ctx context.Context) error { during = c.Health(ctx); return nil }, nil}}
	})
	provides[two](c, ask)

	r := c.Health(t.Context())
	require.Equal(t, container.StateNew, r.State)
	require.Equal(t, "backstay: the container is not running, it is new", r.Err().Error())
	require.Empty(t, r.Services, "nothing is built")

	must[*monitored](t, c)
	must[*patient[two]](t, c)
	require.Equal(t, map[string]string{"monitored": "is not started", "patient[two]": "ok"}, answers(c.Health(t.Context())))
	require.EqualValues(t, 1, asked.Load())

	require.NoError(t, c.Start(t.Context()))
	require.Equal(t, container.StateStarting, during.State)
	require.Equal(t, map[string]string{"monitored": "is not started", "patient[two]": "ok"}, answers(during))

	r = c.Health(t.Context())
	require.True(t, r.Healthy())
	require.NoError(t, r.Err())
	require.Equal(t, map[string]string{"monitored": "ok", "patient[two]": "ok"}, answers(r))

	require.NoError(t, c.Stop(t.Context()))
	before := asked.Load()
	r = c.Health(t.Context())
	require.Equal(t, "backstay: the container is not running, it is stopped", r.Err().Error())
	require.Empty(t, r.Services)
	require.Equal(t, before, asked.Load(), "nobody is asked any more")
}

type monitored struct {
	patient[one]
	unit[one]
}

func (m *monitored) Health(ctx context.Context) error { return m.patient.Health(ctx) }

func TestThePanicOfAHealthIsItsAnswer(t *testing.T) {
	c := container.New()
	provides[one](c, panickingStart)
	require.NoError(t, c.Start(t.Context()))
	var p *retry.PanicError
	require.ErrorAs(t, c.Health(t.Context()).Err(), &p)
	require.Equal(t, errBroken, p.Value)
	require.Contains(t, string(p.Stack), "panickingStart")
	require.NoError(t, c.Stop(t.Context()))
}

// One who asks again and again leaves one goroutine behind for a service that hangs, not many.
func TestAHealthThatDoesNotReturnIsNotAskedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		c := container.New()
		provides[one](c, func(context.Context) error {
			if asked.Add(1) == 1 {
				time.Sleep(time.Hour)
			}
			return nil
		})
		require.NoError(t, c.Start(t.Context()))
		for range 3 {
			require.Equal(t, map[string]string{"patient[one]": "has not returned within 5s"}, answers(c.Health(t.Context())))
		}
		require.EqualValues(t, 1, asked.Load())
		time.Sleep(time.Hour)
		require.True(t, c.Health(t.Context()).Healthy())
		require.EqualValues(t, 2, asked.Load())
	})
}

func TestThoseWhoAskAtTheSameTimeShareTheAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		type key struct{}
		c := container.New()
		provides[one](c, func(ctx context.Context) error {
			asked.Add(1)
			require.Equal(t, "value", ctx.Value(key{}))
			time.Sleep(2 * time.Second)
			return ctx.Err()
		})
		require.NoError(t, c.Start(t.Context()))
		first, cancel := context.WithTimeout(context.WithValue(t.Context(), key{}, "value"), time.Second)
		defer cancel()
		var wg sync.WaitGroup
		wg.Go(func() {
			require.Equal(t, map[string]string{"patient[one]": "has not answered when the context was done: context deadline exceeded"}, answers(c.Health(first)))
		})
		synctest.Wait()
		wg.Go(func() {
			require.True(t, c.Health(t.Context()).Healthy(), "the end of one who asks is not that of the others")
		})
		wg.Wait()
		require.EqualValues(t, 1, asked.Load())
	})
}

func TestTheHealthOfAContainerWithDefinitionErrors(t *testing.T) {
	c := container.New()
	c.Provide(func(*B) *A { return nil })
	r := c.Health(t.Context())
	require.Equal(t, container.StateNew, r.State)
	require.False(t, r.Healthy())
	require.ErrorContains(t, r.Err(), "nothing provides *container_test.B")
}

func TestHealthHandler(t *testing.T) {
	var sick error
	c := container.New()
	provides[one](c, func(context.Context) error { return sick }, container.Name("main"))
	provides[two](c, func(context.Context) error { return nil })
	h := c.HealthHandler()
	serve := func(method string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, "/health", nil))
		return w
	}
	w := serve(http.MethodGet)
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	require.JSONEq(t, `{"state":"new","services":[]}`, w.Body.String())

	require.NoError(t, c.Start(t.Context()))
	w = serve(http.MethodGet)
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, "application/json", w.Header().Get("Content-Type"))
	require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
	require.JSONEq(t, `{"state":"running","services":[{"service":"patient[one]#main","status":"ok"},{"service":"patient[two]","status":"ok"}]}`, w.Body.String())

	sick = errDown
	w = serve(http.MethodGet)
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	require.NotContains(t, w.Body.String(), "down", "what an error says may be secret")
	var answer struct {
		Services []struct{ Service, Status string }
	}
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer))
	require.Equal(t, "failed", answer.Services[0].Status)
	require.Equal(t, "ok", answer.Services[1].Status)

	w = serve(http.MethodHead)
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	require.Empty(t, w.Body.String())

	w = serve(http.MethodPost)
	require.Equal(t, http.StatusMethodNotAllowed, w.Code)
	require.Equal(t, "GET, HEAD", w.Header().Get("Allow"))

	require.NoError(t, c.Stop(t.Context()))
	require.JSONEq(t, `{"state":"stopped","services":[]}`, serve(http.MethodGet).Body.String())
}

func TestTheHealthHandlerFreezesThePlanByARequestOnly(t *testing.T) {
	c := container.New()
	handler := c.HealthHandler()
	c.Supply(handler, container.As[http.Handler]())
	require.NotNil(t, must[http.Handler](t, c))

	c = container.New()
	handler = c.HealthHandler()
	c.Supply(1)
	handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	c.Supply("late")
	require.ErrorContains(t, c.Verify(), "string: it comes after HealthHandler (http/server.go:")
}
