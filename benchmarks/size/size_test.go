package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReportComparesAllPrograms(t *testing.T) {
	var b strings.Builder
	require.NoError(t, report(&b, 2, false))
	for _, p := range programs {
		require.Regexp(t, `(?m)^\| `+strings.NewReplacer("|", `\|`).Replace(p.name)+` \|( \d+\.\d\d \|){4}$`, b.String())
	}
	require.Regexp(t, `(?m)^\* Backstay on top of dig: \+\d+ kB, stripped \+\d+ kB\.$`, b.String())
	require.ErrorContains(t, report(&b, 0, false), "-runs 0: at least 1")
}

func TestReasons(t *testing.T) {
	found, err := lookups(programs[1], t.TempDir()+"/dig")
	require.NoError(t, err)
	require.Empty(t, found, "dig looks up no methods")

	found, err = lookups(programs[3], t.TempDir()+"/backstay")
	require.NoError(t, err)
	require.Contains(t, found, "`annotation.methodOf`")

	code, err := codeOf(programs[0], t.TempDir()+"/hello")
	require.NoError(t, err)
	require.Greater(t, code["runtime"], int64(100_000))
	require.NotContains(t, code, "dig")
}

func TestAProgramThatDoesNotBuildIsAnError(t *testing.T) {
	_, err := buildAll(t.TempDir(), []program{{"missing", "missing", ""}})
	require.ErrorContains(t, err, "build missing:")
}

func TestAProgramThatDoesNotGreetIsAnError(t *testing.T) {
	// Without a generated proxy and without run-time proxies there is nothing that can weave.
	built, err := buildAll(t.TempDir(), []program{{"unwoven", "runtimeproxy", "purego"}})
	require.NoError(t, err)
	require.ErrorContains(t, startAll(built, 1), "unwoven: it prints")
}

func TestCodeIsGroupedByModule(t *testing.T) {
	for function, group := range map[string]string{
		"runtime.mallocgc":                                                     "runtime",
		"internal/runtime/maps.(*Map).Get":                                     "internal",
		"net/http.(*Client).Do":                                                "net/http",
		"net/http/internal/httpcommon.EncodeHeaders":                           "net/http",
		"net/netip.Addr.String":                                                "net",
		"crypto/internal/fips140/nistec/fiat.(*P256Element).Add":               "crypto",
		"github.com/backstay/backstay/retry.Chain[go.shape.struct {}].Call":    "backstay/retry",
		"slices.SortFunc[go.shape.[]github.com/x/y.Z,go.shape.int]":            "slices",
		"go.uber.org/dig/internal/graph.IsAcyclic":                             "dig",
		"vendor/golang.org/x/net/idna.ToASCII":                                 "golang.org/x (net/http, net and crypto need it)",
		"type:.eq.github.com/backstay/backstay/retry.Breaker":                  "comparing and hashing",
		"github.com/backstay/backstay/internal/dynproxy.(*layout).check.func1": "backstay/internal/dynproxy",
	} {
		require.Equal(t, group, groupOf(function), function)
	}
}
