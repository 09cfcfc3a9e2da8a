package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// live is a run with a page, which somebody watches.
type live struct {
	t         *testing.T
	url       string // of the page
	said      chan string
	interrupt context.CancelFunc
	ended     chan struct{}
	client    *http.Client

	// When it has ended:
	report report
	status int
}

// watch begins r, with a page on any free port.
func watch(t *testing.T, r run) *live {
	t.Helper()
	r.listen = "127.0.0.1:0"
	ctx, interrupt := context.WithCancel(t.Context())
	l := &live{
		t: t, said: make(chan string, 1000), interrupt: interrupt, ended: make(chan struct{}),
		client: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
	}
	out, in := io.Pipe()
	go func() {
		defer close(l.said)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			l.said <- lines.Text()
		}
	}()
	go func() {
		defer close(l.ended)
		defer in.Close()
		l.report, l.status = r.perform(ctx, in, in)
	}()
	t.Cleanup(l.end)
	var found bool
	l.url, found = strings.CutPrefix(<-l.said, "live page: ")
	require.True(t, found, "it is the first line: %s", l.url)
	return l
}

// await waits until the run says a line with that text, and returns the line.
func (l *live) await(text string) string {
	l.t.Helper()
	for line := range l.said {
		if strings.Contains(line, text) {
			return line
		}
	}
	require.Fail(l.t, "it has never said "+text)
	return ""
}

// end interrupts the run and waits for its end.
func (l *live) end() {
	l.interrupt()
	<-l.ended
}

// get asks for a path, relative to the page.
func (l *live) get(path string) *http.Response {
	l.t.Helper()
	resp, err := l.client.Get(l.url + path)
	require.NoError(l.t, err)
	require.Equal(l.t, http.StatusOK, resp.StatusCode)
	return resp
}

// read is the body of the answer to get, and where it has come from.
func (l *live) read(path string) (body, from string) {
	l.t.Helper()
	resp := l.get(path)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(l.t, err)
	return string(text), resp.Request.URL.String()
}

// seen is what the page says, as far as tests look.
type seen struct {
	Controls bool
	Methods  []struct {
		Ref   string
		Calls int
	}
	Breakers  []struct{ Name, State string }
	Incidents []incident
}

type incident struct {
	Ref, Error, Fallback, Breaker string

	Since   int64
	Callers struct{ Succeeded, Fallback, Error float64 }
	Refused map[string]float64
}

// state is what the page shows now.
func (l *live) state() seen {
	l.t.Helper()
	var answer struct{ State seen }
	body, _ := l.read("state")
	require.NoError(l.t, json.Unmarshal([]byte(body), &answer))
	return answer.State
}
