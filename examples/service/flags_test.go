package main

import (
	"bytes"
	"flag"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		want options
	}{
		{"defaults", nil, options{faults: "flaky", seed: 1, rate: 70}},
		{
			"all",
			[]string{"-orders", "o.csv", "-peer", "http://127.0.0.1:1/", "-faults=outage", "-seed", "7", "-rate", "5", "-naive", "-v"},
			options{orders: "o.csv", peer: "http://127.0.0.1:1", faults: "outage", seed: 7, rate: 5, naive: true, verbose: true},
		},
		{"live", []string{"-forever", "-listen", ":8080"}, options{faults: "flaky", seed: 1, rate: 70, forever: true, listen: "127.0.0.1:8080"}},
		{"naive without end", []string{"-forever", "-naive"}, options{faults: "flaky", seed: 1, rate: 70, forever: true, naive: true}},
		{"graph", []string{"-graph", "dot"}, options{faults: "flaky", seed: 1, rate: 70, graph: "dot"}},
		{"two dashes, IPv6", []string{"--peer", "http://[::1]:1"}, options{peer: "http://[::1]:1", faults: "flaky", seed: 1, rate: 70}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := parseFlags(c.args, nil)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestWrongFlagsAreToldInOneLine(t *testing.T) {
	const local = "write the URL of a peer on this machine, such as http://127.0.0.1:8090"
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-fault", "none"}, `flag provided but not defined: -fault`},
		{[]string{"-faults", "wild"}, `-faults: no faults are called "wild"; write none, flaky or outage`},
		{[]string{"-rate", "many"}, `invalid value "many" for flag -rate: parse error`},
		{[]string{"-rate", "0"}, `-rate 0: write a number from 1 to 1000`},
		{[]string{"-rate", "1001"}, `-rate 1001: write a number from 1 to 1000`},
		{[]string{"-seed", "-1"}, `invalid value "-1" for flag -seed: parse error`},
		{[]string{"-orders"}, `flag needs an argument: -orders`},
		{[]string{"orders.csv"}, `"orders.csv" is no flag`},
		{[]string{"-graph", "svg"}, `-graph "svg": write text, mermaid or dot`},
		{[]string{"-listen", "8080"}, `-listen "8080": write an address such as :8080`},
		{[]string{"-listen", ":http"}, `-listen ":http": write an address such as :8080`},
		{[]string{"-listen", ":65536"}, `-listen ":65536": write an address such as :8080`},
		{[]string{"-listen", ":8080", "-naive"}, `-listen shows what Backstay does, and with -naive it does nothing: write one of the two`},
		{[]string{"-peer", "http://example.com:80"}, `-peer "http://example.com:80": ` + local},
		{[]string{"-peer", "127.0.0.1:80"}, `-peer "127.0.0.1:80": ` + local},
		{[]string{"-peer", "http://127.0.0.1:80/v1"}, `-peer "http://127.0.0.1:80/v1": ` + local},
	} {
		_, err := parseFlags(c.args, nil)
		require.EqualError(t, err, c.want+" (-h explains the flags)")
	}
}

func TestHelpExplainsEveryFlag(t *testing.T) {
	for _, h := range []string{"-h", "-help", "--help"} {
		var out bytes.Buffer
		_, err := parseFlags([]string{h}, &out)
		require.ErrorIs(t, err, flag.ErrHelp)
		for _, f := range []string{"orders FILE", "peer URL", "faults NAME", "seed N", "rate N", "naive", "forever", "listen ADDR", "v", "graph FORM", "h"} {
			require.Regexp(t, `(?m)^  -`+regexp.QuoteMeta(f)+` `, out.String())
		}
	}
}

func TestRunThatWouldTakeTooLongIsRefused(t *testing.T) {
	require.NoError(t, options{rate: 1}.checkLength(600))
	require.NoError(t, options{rate: 1, forever: true}.checkLength(10_000), "a round of it does not")
	require.EqualError(t, options{rate: 1}.checkLength(601),
		"-rate 1: 601 orders would take 10m1s, and a run takes 10m0s at most; write a higher rate")
}

func TestBreakerOnlyCountsInAnOutageThatNobodyWatches(t *testing.T) {
	require.True(t, options{faults: "outage"}.onlyCounts())
	require.True(t, options{faults: "outage", forever: true}.onlyCounts())
	require.False(t, options{faults: "outage", listen: "127.0.0.1:0"}.onlyCounts())
	require.False(t, options{faults: "outage", naive: true}.onlyCounts())
	require.False(t, options{faults: "flaky"}.onlyCounts())
}
