package explain_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/explain"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestEveryFormIsAsItWas(t *testing.T) {
	for name, got := range map[string]string{
		"shop.txt":     shop().String(),
		"shop.dot":     shop().DOT(),
		"shop.mmd":     shop().Mermaid(),
		"empty.txt":    (&explain.Wiring{}).String(),
		"empty.dot":    (&explain.Wiring{}).DOT(),
		"empty.mmd":    (&explain.Wiring{}).Mermaid(),
		"problems.txt": (&explain.Wiring{Problems: []string{"A: a cycle; leave it out", "B: no"}}).String(),
	} {
		file := filepath.Join("testdata", name)
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(want), got, "%s; if it is meant to differ, run the test with -update", file)
	}
}
