//go:build !race

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/storm/internal/sim"
)

// pictureDir is where the pictures of the default model are kept for the documentation.
const pictureDir = "../../docs/storm"

// The README and the documentation show what the program shows. This takes the whole default model; under the race detector,
// where that would take minutes, smaller ones run instead. BACKSTAY_UPDATE=1 writes what is there now.
func TestTheReadmeAndThePicturesAreUpToDate(t *testing.T) {
	found, err := simulateAll(t, sim.Default())
	require.NoError(t, err)
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	before, rest, opened := strings.Cut(string(readme), "```text\n")
	_, after, closed := strings.Cut(rest, "```\n")
	require.True(t, opened && closed, "the README has a block of text for what is printed")
	want := before + "```text\n" + question(found.model) + found.answer() + "```\n" + after

	if os.Getenv("BACKSTAY_UPDATE") != "" {
		require.NoError(t, os.WriteFile("README.md", []byte(want), 0o644))
		require.NoError(t, os.MkdirAll(pictureDir, 0o755))
		require.NoError(t, found.draw(pictureDir))
		return
	}
	const remedy = "write it anew: BACKSTAY_UPDATE=1 go test -run UpToDate ."
	require.True(t, want == string(readme), "README.md is not what is printed; "+remedy)
	for _, p := range found.pictures() {
		svg, err := p.sheet.SVG()
		require.NoError(t, err)
		kept, err := os.ReadFile(filepath.Join(pictureDir, p.file))
		require.NoError(t, err)
		require.True(t, string(kept) == string(svg), "%s is not what is drawn; "+remedy, p.file)
	}
}
