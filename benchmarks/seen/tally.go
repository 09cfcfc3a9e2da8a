package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/backstay/backstay/dashboard"
)

// tally is what a contender has told: what can be read of it, and what has gone into the sinks.
type tally struct {
	calls, attempts, retries, fallbacks int
	records, spans, decisions           int
}

// The parts of events that contenders tell.

func nothing(events) tally        { return tally{} }
func infoRecords(e events) tally  { return tally{records: e.info} }
func debugRecords(e events) tally { return tally{records: e.debug} }

func counted(e events) tally {
	return tally{calls: e.calls, attempts: e.attempts, retries: e.retries, fallbacks: e.fallbacks}
}

// onPage leaves retries out: the page has them as a rate.
func onPage(e events) tally {
	return tally{calls: e.calls, attempts: e.attempts, fallbacks: e.fallbacks}
}

// unsampled: the trace begins with the session, so nobody is asked about its attempts.
func unsampled(e events) tally { return tally{decisions: e.calls} }

func sampled(e events) tally {
	return tally{spans: e.calls + e.attempts, decisions: e.calls + e.attempts}
}

func all(e events) tally {
	t := counted(e)
	t.records = e.info
	return t
}

// plus adds two tallies.
func (t tally) plus(u tally) tally {
	return tally{
		t.calls + u.calls, t.attempts + u.attempts, t.retries + u.retries, t.fallbacks + u.fallbacks,
		t.records + u.records, t.spans + u.spans, t.decisions + u.decisions,
	}
}

// take sets what an instrument counts, if it is one of those that are looked at.
func (t *tally) take(instrument string, sum int) {
	switch instrument {
	case "backstay.calls":
		t.calls = sum
	case "backstay.call.attempts":
		t.attempts = sum
	case "backstay.retries":
		t.retries = sum
	case "backstay.fallbacks":
		t.fallbacks = sum
	}
}

// readMetrics collects.
func readMetrics(reader sdkmetric.Reader) (t tally, err error) {
	var collected metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &collected); err != nil {
		return t, err
	}
	for _, scope := range collected.ScopeMetrics {
		for _, m := range scope.Metrics {
			sum := 0
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, p := range data.DataPoints {
					sum += int(p.Value)
				}
			case metricdata.Histogram[int64]:
				for _, p := range data.DataPoints {
					sum += int(p.Sum)
				}
			}
			t.take(m.Name, sum)
		}
	}
	return t, nil
}

// readRegistry gathers.
func readRegistry(r prometheus.Gatherer) (t tally, err error) {
	families, err := r.Gather()
	if err != nil {
		return t, err
	}
	for _, f := range families {
		sum := 0
		for _, m := range f.GetMetric() {
			sum += int(m.GetCounter().GetValue() + m.GetHistogram().GetSampleSum())
		}
		t.take(strings.ReplaceAll(strings.TrimSuffix(f.GetName(), "_total"), "_", "."), sum)
	}
	return t, nil
}

// readBoard asks as a script would. Attempts and fallbacks are those of the sessions that are kept, so of the last ones alone.
func readBoard(d *dashboard.Dashboard) (t tally, err error) {
	var all struct {
		State struct {
			Methods []struct {
				Ref   string
				Calls int
			}
		}
		Method struct {
			Sessions []struct {
				Made     int
				Fallback string
			}
		}
	}
	handler := d.Handler(nil)
	if err := get(handler, "/state", &all); err != nil {
		return t, err
	}
	if n := len(all.State.Methods); n != 1 {
		return t, fmt.Errorf("the dashboard tells of %d methods, want 1", n)
	}
	if err := get(handler, "/state?method="+url.QueryEscape(all.State.Methods[0].Ref), &all); err != nil {
		return t, err
	}
	t.calls = all.State.Methods[0].Calls
	for _, s := range all.Method.Sessions {
		t.attempts += s.Made
		if s.Fallback == "succeeded" {
			t.fallbacks++
		}
	}
	return t, nil
}

// get decodes what a route answers.
func get(h http.Handler, route string, into any) error {
	answer := httptest.NewRecorder()
	h.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, route, nil))
	if answer.Code != http.StatusOK {
		return fmt.Errorf("%s: status %d", route, answer.Code)
	}
	return json.Unmarshal(answer.Body.Bytes(), into)
}

// inTurn calls all of them.
func inTurn(all []func() error) (err error) {
	for _, f := range all {
		err = errors.Join(err, f())
	}
	return err
}
