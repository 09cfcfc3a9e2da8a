package dashboard_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/dashboard"
)

// A server that bounds its answers would end every stream after that time.
func TestTheWriteTimeoutOfTheServerDoesNotEndAStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := served(t, &http.Server{Handler: dashboard.New().Handler(nil), WriteTimeout: 3 * time.Second, ReadTimeout: 2 * time.Second})
		stream := watch(t, client, "http://board/stream")
		stream.state("all")
		for range 60 {
			stream.state("tick")
		}
	})
}

func TestAStreamEndsWhenItsReaderHasGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan struct{})
		h := dashboard.New().Handler(nil)
		client := served(t, &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h.ServeHTTP(w, r)
			close(ended)
		})})
		stream := watch(t, client, "http://board/stream")
		stream.state("all")
		stream.close()
		synctest.Wait()
		select {
		case <-ended:
		default:
			t.Fatal("it goes on")
		}
	})
}

func TestAStreamEndsWhenTheServerShutsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := dashboard.New().Handler(nil)
		for range 2 { // each of its servers
			server := &http.Server{Handler: h}
			client := served(t, server)
			one, another := watch(t, client, "http://board/stream"), watch(t, client, "http://board/stream")
			one.state("all")
			another.state("all")
			down := make(chan error)
			go func() { down <- server.Shutdown(t.Context()) }()
			require.NoError(t, one.end(), "it ends in order")
			require.NoError(t, another.end())
			require.NoError(t, <-down)
			require.NoError(t, server.Shutdown(t.Context()), "again")
		}
	})
}

// A reader that has stopped reading keeps nobody waiting, and loses its connection.
func TestAReaderThatDoesNotReadIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := dashboard.New()
		ended := make(chan time.Time, 1)
		h := board.Handler(nil)
		client := served(t, &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h.ServeHTTP(w, r)
			if r.URL.Query().Has("slow") {
				ended <- time.Now()
			}
		})})
		slow := watch(t, client, "http://board/stream?slow")
		slow.state("all") // and no more: a pipe holds nothing
		begin := time.Now()
		quick := watch(t, client, "http://board/stream")
		quick.state("all")
		for range 30 {
			before := time.Now()
			play(t.Context(), board, ok(0))
			require.Equal(t, before, time.Now(), "collecting does not wait")
			require.Len(t, quick.state("tick").Methods, 1)
		}
		require.LessOrEqual(t, (<-ended).Sub(begin), 15*time.Second)
		require.Error(t, slow.end())
	})
}

// bare is a writer that can neither flush nor be given a deadline, as some that stand between are.
type bare struct{ header http.Header }

func (b bare) Header() http.Header       { return b.header }
func (bare) Write(p []byte) (int, error) { return len(p), nil }
func (bare) WriteHeader(int)             {}

// deaf is a writer whose connection is gone.
type deaf struct{ *httptest.ResponseRecorder }

func (deaf) Write([]byte) (int, error) { return 0, errors.New("gone") }

// closed is a writer that cannot be given a deadline any more.
type closed struct{ *httptest.ResponseRecorder }

func (closed) SetWriteDeadline(time.Time) error { return errors.New("closed") }

func TestAStreamEndsWhereItCannotBeWritten(t *testing.T) {
	h := dashboard.New().Handler(nil)
	for _, w := range []http.ResponseWriter{bare{http.Header{}}, deaf{httptest.NewRecorder()}, closed{httptest.NewRecorder()}} {
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/stream", nil)) // and it returns
	}
}
