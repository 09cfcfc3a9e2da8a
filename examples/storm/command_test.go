package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fleet is the flags of a fleet that is quickly simulated.
var fleet = []string{"-clients", "2", "-rate", "20", "-capacity", "30", "-outage", "4s"}

// The program is a test binary that pretends to be none: what it prints and how it ends is its own.
func TestTheProgram(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		args           []string
		status         int
		stdout, stderr string // how they begin
	}{
		{append(fleet, "-o", dir), 0, "2 clients and 20 calls a second, a peer that can serve 30. For 4 s it fails 100 % of its requests. Seed 1.\n\n", ""},
		{[]string{"-h"}, 0, "Usage: go run . [flags]\n", ""},
		{[]string{"-test.v"}, 2, "", "storm: flag provided but not defined: -test.v (-h explains the flags)\n"},
		{[]string{"-clients", "0"}, 2, "", "storm: 0 clients are no fleet; write 1 to 10000 (-h explains the flags)\n"},
	} {
		program := exec.Command(os.Args[0], c.args...)
		program.Env = append(os.Environ(), asProgram+"=1")
		var stdout, stderr bytes.Buffer
		program.Stdout, program.Stderr = &stdout, &stderr
		err := program.Run()
		status := 0
		if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
			status = exit.ExitCode()
		} else {
			require.NoError(t, err)
		}
		require.Equal(t, c.status, status, c.args)
		require.True(t, strings.HasPrefix(stdout.String(), c.stdout), stdout.String())
		require.Equal(t, c.stderr, stderr.String())
		require.NotContains(t, stdout.String(), "PASS")
	}
	drawn, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	for i := range drawn {
		drawn[i] = filepath.Base(drawn[i])
	}
	require.Equal(t, []string{"goodput.svg", "layers.svg", "load.svg", "storm.svg"}, drawn)
}

func TestTheTablesHaveARowForEachStrategy(t *testing.T) {
	var stdout, stderr bytes.Buffer
	require.Zero(t, command(t, fleet, &stdout, &stderr), stderr.String())
	for _, row := range []string{
		"no retry", "fixed retries", "backoff and jitter", "backoff, budget", "backoff, breaker", "backoff, budget, breaker",
		"every layer (rule 15 off)", "one layer (rule 15 on)", "every layer, with budgets", "one layer, with budgets",
	} {
		require.Contains(t, stdout.String(), "\n"+row+" ")
	}
	for _, line := range strings.Split(stdout.String(), "\n") {
		require.LessOrEqual(t, len(line), 110, line)
		require.Equal(t, strings.TrimRight(line, " "), line)
	}
}

func TestAFolderThatCannotBeMadeIsToldBeforeTheWork(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	var stdout, stderr bytes.Buffer
	require.Equal(t, 1, command(t, append(fleet, "-o", filepath.Join(file, "x")), &stdout, &stderr))
	require.Empty(t, stdout.String())
	require.Contains(t, stderr.String(), "storm: -o "+file+"/x: ")
}

func TestAPictureThatCannotBeWrittenIsTold(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "load.svg"), 0o700))
	var stdout, stderr bytes.Buffer
	require.Equal(t, 1, command(t, append(fleet, "-o", dir), &stdout, &stderr))
	require.Contains(t, stdout.String(), "How to read this.")
	require.Contains(t, stderr.String(), "storm: -o "+dir+": ")
}
