package dashboard_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

func TestAStreamTellsAllAndThenEverySecondWhatHasChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		client := served(t, &http.Server{Handler: board.Handler(nil)})
		play(t.Context(), board, ok(0))
		board.On(t.Context(), retry.Succeeded{MethodRef: refund, Attempts: 1, Session: 64})
		time.Sleep(20*time.Second + 250*time.Millisecond)

		begin := time.Now()
		stream := watch(t, client, "http://board/stream")
		s := stream.state("all")
		require.Equal(t, ms(begin), s.Now)
		require.Len(t, s.Methods, 2)
		require.Equal(t, "CardGateway#backup@Refund", s.Methods[0].Ref)
		require.Equal(t, "CardGateway@Charge", s.Methods[1].Ref)

		play(t.Context(), board, ok(0))
		s = stream.state("tick")
		require.Equal(t, begin.Add(time.Second), time.Now())
		require.Equal(t, ms(time.Now()), s.Now)
		require.Len(t, s.Methods, 1)
		require.Equal(t, "CardGateway@Charge", s.Methods[0].Ref)
		require.Equal(t, 2, s.Methods[0].Calls)
		require.Equal(t, hundredths(1/10.25), s.Methods[0].Rate)

		for i := range 12 {
			s = stream.state("tick")
			require.Equal(t, begin.Add(time.Duration(i+2)*time.Second), time.Now())
			if i == 9 {
				require.Len(t, s.Methods, 1, "its calls are now out of the window")
				require.Zero(t, s.Methods[0].Rate)
			} else {
				require.Empty(t, s.Methods, "%d: nothing has changed", i)
			}
		}
	})
}

func TestBreakersBudgetsAndIncidentsAreCompleteInEachTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		client := served(t, &http.Server{Handler: board.Handler(nil)})
		_, breaker := guarded("rates", board, time.Minute)
		chain, _ := guarded("rates", board, time.Hour)
		require.NoError(t, chain.Run(t.Context(), healthy))
		stream := watch(t, client, "http://board/stream")
		s := stream.state("all")
		require.Empty(t, s.Breakers)
		require.Empty(t, s.Incidents)
		require.Error(t, chain.Run(t.Context(), failing))
		for range 3 {
			s = stream.state("tick")
			require.Len(t, s.Breakers, 1)
			require.Equal(t, retry.BreakerOpen, s.Breakers[0].State)
			require.Len(t, s.Incidents, 1)
		}
		require.Equal(t, retry.BreakerClosed, breaker.State())
	})
}

func TestAStreamTellsOfTheMethodThatIsSelected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		client := served(t, &http.Server{Handler: board.Handler(nil)})
		stream := watch(t, client, "http://board/stream?method=CardGateway%40Charge")
		stream.state("all")
		m := stream.method()
		require.Equal(t, method{Ref: "CardGateway@Charge", Series: []point{}, Sessions: []session{}, Errors: []errorCount{}}, m)
		for i := range 5 {
			play(t.Context(), board, attemptFails(1), fails(1))
			stream.state("tick")
			m = stream.method()
			require.Len(t, m.Series, i+1)
			require.Equal(t, 1, m.Series[i].Calls)
			require.Len(t, m.Sessions, i+1)
			require.Equal(t, i+1, m.Errors[0].Count)
		}
	})
}

func TestAHundredStreamsAreServedAndNoMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := served(t, &http.Server{Handler: dashboard.New().Handler(nil)})
		var open []*events
		for range 100 {
			stream := watch(t, client, "http://board/stream")
			stream.state("all")
			open = append(open, stream)
		}
		answer, err := client.Get("http://board/stream")
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, http.StatusServiceUnavailable, answer.StatusCode)
		require.Equal(t, "5", answer.Header.Get("Retry-After"))
		require.Equal(t, "no-store", answer.Header.Get("Cache-Control"))

		open[0].close()
		synctest.Wait()
		watch(t, client, "http://board/stream").state("all")
		for _, stream := range open[1:] {
			stream.state("tick")
		}
	})
}

// A hundred that watch see the same, and the work is done once: it is enough for as many methods as there may be.
func TestStreamsOfTheSameMomentAgree(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		client := served(t, &http.Server{Handler: board.Handler(nil)})
		one, another := watch(t, client, "http://board/stream"), watch(t, client, "http://board/stream")
		one.state("all")
		another.state("all")
		for range 5 {
			play(t.Context(), board, ok(0))
			require.Equal(t, one.state("tick"), another.state("tick"))
		}
	})
}

func TestHeadOfAStreamDoesNotStream(t *testing.T) {
	w := httptest.NewRecorder()
	dashboard.New().Handler(nil).ServeHTTP(w, httptest.NewRequest(http.MethodHead, "/stream", nil))
	require.Equal(t, http.StatusOK, w.Code)
	require.Equal(t, "text/event-stream", w.Header().Get("Content-Type"))
	require.Zero(t, w.Body.Len())
}

// Where no deadline can be set, and nobody's server is known, a stream goes on until its request ends.
func TestAStreamNeedsNoServerOfNetHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3500*time.Millisecond)
		defer cancel()
		w := httptest.NewRecorder()
		dashboard.New().Handler(nil).ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/stream", nil))
		require.Equal(t, 1+3, countLines(w, "data: "))
		require.True(t, w.Flushed)
	})
}

func countLines(w *httptest.ResponseRecorder, prefix string) (n int) {
	for s := bufio.NewScanner(w.Body); s.Scan(); {
		if len(s.Text()) > len(prefix) && s.Text()[:len(prefix)] == prefix {
			n++
		}
	}
	return n
}

// Once over a real connection, in real time: a stream opens, tells of a call, and ends.
func TestAStreamOverTheLoopback(t *testing.T) {
	board := dashboard.New()
	mux := http.NewServeMux()
	mux.Handle("/backstay/", http.StripPrefix("/backstay", board.Handler(nil)))
	server := httptest.NewServer(mux)
	defer server.Close()
	play(t.Context(), board, ok(time.Millisecond))
	stream := watch(t, server.Client(), server.URL+"/backstay/stream?method=CardGateway%40Charge")
	s := stream.state("all")
	require.Equal(t, 1, s.Methods[0].Calls)
	require.Equal(t, "CardGateway@Charge", stream.method().Ref)
	play(t.Context(), board, ok(time.Millisecond))
	s = stream.state("tick")
	require.Equal(t, 2, s.Methods[0].Calls, fmt.Sprint(s))
	stream.close()
}
