package main

import (
	"bytes"
	"flag"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/storm/internal/sim"
)

func TestFlags(t *testing.T) {
	o, err := parseFlags(nil, nil)
	require.NoError(t, err)
	require.Equal(t, options{model: sim.Default()}, o)

	o, err = parseFlags(strings.Fields("-seed 7 -clients 3 -rate 30 -capacity 50 -outage 1m -failing 40 -o dir"), nil)
	require.NoError(t, err)
	require.Equal(t, options{dir: "dir", model: sim.Model{
		Seed: 7, Clients: 3, Rate: 30, Capacity: 50, Queue: 100, Failing: 40,
		Before: 30 * time.Second, Outage: time.Minute, After: 90 * time.Second,
	}}, o)
}

func TestFlagsThatAreWrong(t *testing.T) {
	for args, want := range map[string]string{
		"-outage 30":   `invalid value "30" for flag -outage: write a duration with its unit, such as 30s`,
		"-outage 0s":   "0s is not a whole number of seconds; write 1s or more, such as 30s",
		"-seed -1":     `invalid value "-1" for flag -seed: parse error`,
		"-rate 1000":   "1000 calls per second overload a capacity of 1000; write 1429 or more",
		"-capacity 99": "700 calls per second overload a capacity of 99; write 1000 or more",
		"now":          `"now" is no flag`,
		"-nosuch":      "flag provided but not defined: -nosuch",
	} {
		_, err := parseFlags(strings.Fields(args), nil)
		require.EqualError(t, err, want+" (-h explains the flags)")
	}
}

func TestTheUsageNamesAllFlagsAndTheirDefaults(t *testing.T) {
	var help bytes.Buffer
	_, err := parseFlags([]string{"-h"}, &help)
	require.ErrorIs(t, err, flag.ErrHelp)
	require.Equal(t, usage, help.String())
	for _, line := range []string{
		"-seed N", "(default 1)", "-clients N", "(default 20)", "-rate N", "(default 700)", "-capacity N", "(default 1000)",
		"-outage D", "(default 30s)", "-failing N", "(default 100)", "-o DIR",
	} {
		require.Contains(t, usage, line)
	}
}
