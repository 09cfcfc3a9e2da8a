package web_test

import (
	"io"
	"log"
	"net/http"
	"regexp"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/backstay/backstay/examples/service/internal/web"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	quiet  = log.New(io.Discard, "", 0)
)

func TestServerIsReachedAtItsURLUntilItIsClosed(t *testing.T) {
	for addr, url := range map[string]string{
		"127.0.0.1:0": `^http://127\.0\.0\.1:[1-9][0-9]*$`,
		"0.0.0.0:0":   `^http://localhost:[1-9][0-9]*$`,
		":0":          `^http://localhost:[1-9][0-9]*$`,
	} {
		t.Run(addr, func(t *testing.T) {
			s, err := web.Start(addr, http.NotFoundHandler(), quiet)
			require.NoError(t, err)
			require.Regexp(t, regexp.MustCompile(url), s.URL)
			resp, err := client.Get(s.URL)
			require.NoError(t, err)
			resp.Body.Close()
			require.Equal(t, http.StatusNotFound, resp.StatusCode)
			require.NoError(t, s.Close())
			_, err = client.Get(s.URL)
			require.ErrorIs(t, err, syscall.ECONNREFUSED)
		})
	}
}

func TestRequestThatDoesNotEndIsEnded(t *testing.T) {
	begun := make(chan struct{})
	s, err := web.Start("127.0.0.1:0", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(begun)
		<-r.Context().Done()
	}), quiet)
	require.NoError(t, err)
	answered := make(chan error)
	go func() {
		_, err := client.Get(s.URL)
		answered <- err
	}()
	<-begun
	require.NoError(t, s.Close())
	require.Error(t, <-answered)
}

func TestAddressThatCannotBeHadIsAnError(t *testing.T) {
	s, err := web.Start("127.0.0.1:0", http.NotFoundHandler(), quiet)
	require.NoError(t, err)
	defer s.Close()
	_, err = web.Start(s.URL[len("http://"):], http.NotFoundHandler(), quiet)
	require.ErrorIs(t, err, syscall.EADDRINUSE)
}

func TestLoopback(t *testing.T) {
	for host, want := range map[string]bool{
		"localhost": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true,
		"": false, "0.0.0.0": false, "::": false, "192.0.2.1": false, "localhost.example": false,
	} {
		require.Equal(t, want, web.IsLoopback(host), host)
	}
}
