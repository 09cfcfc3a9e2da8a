package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	tiny = "./testdata/tiny"
	user = "./testdata/user"
)

func TestTheReportNamesWhatLives(t *testing.T) {
	want, err := os.ReadFile("testdata/report.txt")
	require.NoError(t, err)
	out := filepath.Join(t.TempDir(), "report")
	var got bytes.Buffer
	o, err := parse([]string{"-tests", tiny + "," + user, "-harmless", "testdata/harmless.txt", "-o", out, "-parallel", "2", tiny})
	require.NoError(t, err)

	total, err := mutate(t.Context(), o, &got, io.Discard)

	require.NoError(t, err)
	text, last, found := strings.Cut(got.String(), "it took ")
	require.True(t, found)
	require.Regexp(t, `^\d+s\n$`, last)
	require.Equal(t, string(want), text)
	written, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Equal(t, got.String(), string(written))
	require.InDelta(t, 86.5, total.percent(), 0.05)
	require.InDelta(t, 90, total.percentWithoutHarmless(), 0.05)
}

// cancelAtOnce cancels when the first mutant is done.
type cancelAtOnce struct{ cancel context.CancelFunc }

func (c cancelAtOnce) Write(p []byte) (int, error) {
	if bytes.HasPrefix(p, []byte("1/")) {
		c.cancel()
	}
	return len(p), nil
}

func TestAnInterruptedRunLeavesNoFiles(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	ctx, cancel := context.WithCancel(t.Context())
	o, err := parse([]string{"-only", "tiny.go:20-30", "-v", tiny})
	require.NoError(t, err)

	_, err = mutate(ctx, o, io.Discard, cancelAtOnce{cancel})

	require.ErrorIs(t, err, context.Canceled)
	left, err := os.ReadDir(temporary)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestTheListIsTheSameEachTime(t *testing.T) {
	list := func() string {
		var out bytes.Buffer
		_, err := mutate(t.Context(), options{pattern: tiny, list: true, only: "tiny.go:40-50,M0001,return"}, &out, io.Discard)
		require.NoError(t, err)
		return out.String()
	}
	first := list()
	require.Equal(t, first, list())
	require.Contains(t, first, `tiny.go:44:38 M0022 changed && to || in "a && b" [logic]`)
	require.Contains(t, first, " M0001 ")
	require.NotContains(t, first, " M0002 ")
}

func TestWithAllMutantsOffTheTestsPass(t *testing.T) {
	pkg, err := load(t.Context(), tiny)
	require.NoError(t, err)
	s, err := newSchema(t.Context(), pkg, find(pkg), t.TempDir())
	require.NoError(t, err)
	require.Len(t, s.broken, 1)
	require.Equal(t, "Hides", s.broken[0].fn)
	binaries, err := s.compileTests(t.Context(), []string{tiny})
	require.NoError(t, err)
	require.Len(t, binaries, 1)

	require.NoError(t, binaries[0].measure(t.Context()))

	require.Equal(t, []string{"TestGuards/are_noticed"}, binaries[0].skipped)
	o, out, err := binaries[0].run(t.Context(), 0, binaries[0].timeout, "-test.v", skipFlag(binaries[0].skipped))
	require.NoError(t, err)
	require.Equal(t, lived, o)
	require.Contains(t, string(out), "--- PASS: TestGuards/are_not_noticed")
}
