package backstay_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// documents are those whose Go is compiled and run: by docs/snippets, and by the tests of modules of their own.
var documents = []string{"docs/aspects.md", "docs/container.md", "docs/observability.md"}

// snippetFiles are where it may come from.
var snippetFiles = []string{"docs/snippets/*.go", "aspects/*_test.go", "otel/*_test.go"}

// unindented are the lines of a text without the spaces around them.
func unindented(text string) string {
	lines := strings.Split(strings.Trim(text, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return "\n" + strings.Join(lines, "\n") + "\n"
}

// goBlocks are the blocks of Go of a document, each with the line at which it begins.
func goBlocks(t *testing.T, text string) map[int]string {
	t.Helper()
	blocks := map[int]string{}
	begin, fence := 0, ""
	var block []string
	for i, line := range strings.Split(text, "\n") {
		switch line = strings.TrimRight(line, " "); {
		case begin == 0 && strings.HasPrefix(strings.TrimLeft(line, " "), "```"):
			begin, fence, block = i+1, strings.TrimSpace(line), nil
		case begin > 0 && strings.TrimSpace(line) == "```":
			if fence == "```go" {
				blocks[begin] = strings.Join(block, "\n")
			}
			begin = 0
		case begin > 0:
			block = append(block, line)
		}
	}
	require.Zero(t, begin, "a block is not closed")
	return blocks
}

func TestTheWiringOfTheReadmeIsTested(t *testing.T) {
	source := readMe(t, "docs/snippets/readme/more_test.go")
	wire := source[strings.Index(source, "func wire("):]
	require.Contains(t, readMe(t, "README.md"), "```go\n"+wire+"```")
}

func TestWhatTheReadmeWatchesIsWhatTheGuideDoes(t *testing.T) {
	_, section, _ := strings.Cut(readMe(t, "README.md"), "## What is happening\n")
	section, _, _ = strings.Cut(section, "\n## ")
	blocks := goBlocks(t, section)
	require.Len(t, blocks, 1)
	for _, block := range blocks {
		require.Contains(t, readMe(t, "docs/observability.md"), "```go\n"+block+"\n```")
	}
}

// A document whose code does not compile is worse than none.
func TestGoInDocumentsIsPartOfATestedProgram(t *testing.T) {
	sources := map[string]string{}
	for _, pattern := range snippetFiles {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			sources[file] = unindented(string(text))
		}
	}
	for _, document := range documents {
		t.Run(document, func(t *testing.T) {
			text, err := os.ReadFile(document)
			require.NoError(t, err)
			blocks := goBlocks(t, string(text))
			require.NotEmpty(t, blocks)
			for line, block := range blocks {
				found := false
				for _, source := range sources {
					found = found || strings.Contains(source, unindented(block))
				}
				require.True(t, found, "%s:%d: this is in no file of %v:\n%s", document, line, snippetFiles, block)
			}
		})
	}
}
