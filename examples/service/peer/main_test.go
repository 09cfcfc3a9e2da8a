package main

import (
	"context"
	"flag"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestServeSaysWhereItIsAndEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out, says := io.Pipe()
	served := make(chan error)
	go func() { served <- serve(ctx, []string{"-addr", "127.0.0.1:0"}, says) }()
	line := make([]byte, 200)
	n, err := out.Read(line)
	require.NoError(t, err)
	url := regexp.MustCompile(`^payment peer at (http://127\.0\.0\.1:[0-9]+);`).FindSubmatch(line[:n])
	require.NotNil(t, url, string(line[:n]))

	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(string(url[1]) + "/stats")
	require.NoError(t, err)
	resp.Body.Close()
	require.Equal(t, http.StatusOK, resp.StatusCode)

	cancel()
	require.NoError(t, <-served)
}

func TestServeRefusesWrongFlags(t *testing.T) {
	for want, args := range map[string][]string{
		"flag provided but not defined: -port":                                   {"-port", "1"},
		`"8090" is no flag (-h explains them)`:                                   {"8090"},
		`address "0.0.0.0:1" is not on this machine alone; write 127.0.0.1:PORT`: {"-addr", "0.0.0.0:1"},
	} {
		require.EqualError(t, serve(t.Context(), args, io.Discard), want)
	}
}

func TestHelp(t *testing.T) {
	var out strings.Builder
	require.ErrorIs(t, serve(t.Context(), []string{"-h"}, &out), flag.ErrHelp)
	require.Contains(t, out.String(), "-addr HOST:PORT")
}
