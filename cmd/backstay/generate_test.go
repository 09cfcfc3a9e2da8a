package main

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// everything has a package for each way of asking.
const everything = `
-- union/a.go --
package union

 //go:generate go tool backstay -type First
type First interface{ One() error }
-- union/b.go --
package union

 //go:generate -command proxies go tool backstay
 //go:generate proxies -type "Second"
 //go:generate go run github.com/backstay/backstay/cmd/backstay@v1.2.3 -type First,third
type Second interface{ Two() error }

type third interface{ three() ; Three() }

// No directive, since it is in a string:
const text = ` + "`" + `
 //go:generate go tool backstay -type Nothing
` + "`" + `
-- stock/stock.go --
package stock

import "time"

type Item struct{ Since time.Time }

type Store interface{ Find(id string) (Item, error) }
-- generic/generic.go --
package generic

import (
	"context"

	warehouse "example.com/m/stock"
)

 //go:generate go tool backstay -type Repo,Repo[string,warehouse.Item],Repo[int,example.com/m/far.Far],Short,Short[bool]

type Repo[K comparable, V any] interface {
	Load(ctx context.Context, key K) (V, error)
}

// Short is an alias.
type Short[V any] = Repo[string, V]

func use[T any]() {
	var _ Repo[string, T]           // not closed
	var _ Repo[string, warehouse.Item]
	var _ Short[float64]
	type local struct{}
	var _ Repo[int, local]          // cannot be named elsewhere
	var _ Repo[int, missing]        // does not compile
	RegisterRepoProxy[int, string]() // is to be generated
}

func later() { RegisterRepoProxy[int8, int8]() }
-- generic/generic_test.go --
package generic

var _ Repo[complex64, complex64]
-- far/far.go --
package far

type Far int
-- foreign/foreign.go --
package foreign

import (
	"io"

	. "example.com/m/stock"
	web "net/http"
)

var _ Item

 //go:generate go tool backstay -type net/http.RoundTripper,web.Handler,Store,io.Closer,fmt.Stringer
 //go:generate go tool backstay -type example.com/m/generic.Repo[Item,web.Header] -o repo_gen.go

func use(io.Closer, web.Handler) {}
-- tags/tags.go --
//go:build !windows

package tags

 //go:generate go tool backstay -type Plain
type Plain interface{ P() error }

type Asked interface{ A() error }
-- tags/some.go --
//go:build integration || e2e

package tags

 //go:generate go tool backstay -type Tagged -tags integration -o integration_gen.go
type Tagged interface{ T() error }
-- tags/asked.go --
//go:build integration

package tags

 //go:generate go tool backstay -type Asked -tags integration -o asked_gen.go
-- tags/sys_GOOS.go --
//go:build !purego

package tags

 //go:generate go tool backstay -type System -o system_gen.go
type System interface{ S() error }
-- tags/sys_plan9.go --
package tags

 //go:generate go tool backstay -type System9 -o plan9_gen.go
type System9 interface{ S() error }
-- tags/script.go --
//go:build ignore

package main

 //go:generate go tool backstay -type Whatever
-- tests/code.go --
package tests

 //go:generate go tool backstay -type Both,OnlyInTest
type Both interface{ B() error }

type G[T any] interface{ Get() T }

var _ G[int]
-- tests/in_test.go --
package tests

 //go:generate go tool backstay -type G,both
type OnlyInTest interface{ O() error }

type both interface{ B2() error }

var _ G[string]
-- tests/external_test.go --
package tests_test

import (
	"example.com/m/stock"
	"example.com/m/tests"
)

 //go:generate go tool backstay -type Outside,tests.G[stock.Item],Outside -o outside_gen_test.go
type Outside interface{ Out(tests.Both, stock.Item) error }

var _ tests.G[uint8]
`

// registered are the registrations in a generated file, in order.
func registered(text string) (all []string) {
	for _, m := range regexp.MustCompile(`aspect\.RegisterProxy\((.*)\)\n`).FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}

func TestAllThatIsAskedForIsGenerated(t *testing.T) {
	m := newModule(t, strings.ReplaceAll(everything, "GOOS", runtime.GOOS))
	m.succeed("./...")

	outputs := map[string][]string{
		"union/backstay_gen.go":   {"newFirstProxy", "newSecondProxy", "newThirdProxy"},
		"generic/backstay_gen.go": {"newRepoProxy[int, far.Far]", "newRepoProxy[string, stock.Item]", "newRepoProxy[string, float64]", "newShortProxy[bool]", "newShortProxy[float64]"},
		"foreign/backstay_gen.go": {"newCloserProxy", "newHandlerProxy", "newRoundTripperProxy", "newStoreProxy", "newStringerProxy"},
		"foreign/repo_gen.go":     {"newRepoProxy[stock.Item, http.Header]"},
		"tags/backstay_gen.go":    {"newPlainProxy"},
		"tags/integration_gen.go": {"newTaggedProxy"},
		"tags/asked_gen.go":       {"newAskedProxy"},
		"tags/system_gen.go":      {"newSystemProxy"},

		"tests/backstay_gen.go":      {"newBothProxy"},
		"tests/backstay_gen_test.go": {"newGProxy[int]", "newGProxy[string]", "newOnlyInTestProxy", "newBothProxy2"},
		"tests/outside_gen_test.go":  {"newOutsideProxy", "newGProxy[stock.Item]", "newGProxy[uint8]"},
	}
	found, err := filepath.Glob("*/*_gen*.go")
	require.NoError(t, err)
	require.Len(t, found, len(outputs))
	before := map[string]os.FileInfo{}
	for file, want := range outputs {
		t.Run(file, func(t *testing.T) {
			require.ElementsMatch(t, want, registered(m.read(file)))
		})
		before[file], err = os.Stat(file)
		require.NoError(t, err)
	}

	t.Run("under the interfaces' constraints", func(t *testing.T) {
		require.Contains(t, m.read("tags/backstay_gen.go"), "\n//go:build !windows\n")
		require.Contains(t, m.read("tags/integration_gen.go"), "\n//go:build integration || e2e\n")
		require.Contains(t, m.read("tags/asked_gen.go"), "\n//go:build !windows && integration\n", "the file with the directive counts too")
		require.Contains(t, m.read("tags/system_gen.go"), "\n//go:build "+runtime.GOOS+" && !purego\n")
		require.NotContains(t, m.read("union/backstay_gen.go"), "go:build")
	})
	t.Run("in the packages of the files", func(t *testing.T) {
		require.Contains(t, m.read("tests/backstay_gen_test.go"), "\npackage tests\n")
		require.Contains(t, m.read("tests/outside_gen_test.go"), "\npackage tests_test\n")
	})
	t.Run("and is up to date then", func(t *testing.T) {
		m.succeed("-check", "./...")
		m.succeed("./...")
		for file, info := range before {
			again, err := os.Stat(file)
			require.NoError(t, err)
			require.True(t, os.SameFile(info, again), "%s was written again", file)
		}
	})
	t.Run("by each directive alone too", func(t *testing.T) {
		all := map[string]string{}
		for file := range outputs {
			all[file] = m.read(file)
			m.remove(file)
		}
		m.generateAs("union/a.go", "3", "-type", "First")
		m.generateAs("union/b.go", "5", "-type", "First,third")
		m.generateAs("generic/generic.go", "9", "-type", "Repo,Repo[string,warehouse.Item],Repo[int,example.com/m/far.Far],Short,Short[bool]")
		m.generateAs("tags/some.go", "5", "-type", "Tagged", "-tags", "integration", "-o", "integration_gen.go")
		m.generateAs("tags/asked.go", "5", "-type", "Asked", "-tags", "integration", "-o", "asked_gen.go")
		m.generateAs("tests/code.go", "3", "-type", "Both,OnlyInTest")
		m.generateAs("tests/external_test.go", "8", "-type", "Outside,tests.G[stock.Item],Outside", "-o", "outside_gen_test.go")
		for file, text := range all {
			switch {
			case strings.HasPrefix(file, "foreign"), file == "tags/backstay_gen.go", file == "tags/system_gen.go":
				require.NoFileExists(t, file)
			default:
				require.Equal(t, text, m.read(file), file)
			}
		}
		m.succeed("./...")
	})
	t.Run("and compiles", func(t *testing.T) {
		m.write("generic/generic.go", strings.ReplaceAll(m.read("generic/generic.go"), "missing", "string"))
		m.succeed("./...")
		m.command("list", "-test", "-export", "-tags=integration", "./...")
	})
}
