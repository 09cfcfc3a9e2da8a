package backstay_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// testsOf are the names of the test functions in a folder.
func testsOf(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	require.NoError(t, err)
	names := map[string]bool{}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				names[fn.Name.Name] = true
			}
		}
	}
	return names
}

// A rule that no test proves is a promise.
func TestEveryRuleIsProvenByTestsThatExist(t *testing.T) {
	text, err := os.ReadFile("docs/semantics.md")
	require.NoError(t, err)
	rules := strings.Split(string(text), "\n## ")
	named := regexp.MustCompile("`([a-z/]+)\\.((?:Test|Fuzz|Example)\\w*)`")
	byDir := map[string]map[string]bool{}
	for _, rule := range rules[1:] {
		title, _, _ := strings.Cut(rule, "\n")
		if strings.HasPrefix(title, "Coming from") {
			continue
		}
		found := named.FindAllStringSubmatch(rule, -1)
		require.NotEmpty(t, found, "rule %q names no test", title)
		for _, m := range found {
			if byDir[m[1]] == nil {
				byDir[m[1]] = testsOf(t, m[1])
			}
			require.True(t, byDir[m[1]][m[2]], "rule %q: there is no %s in %s", title, m[2], m[1])
		}
	}
	for n := 1; n <= 16; n++ {
		require.Contains(t, string(text), "\n## "+strconv.Itoa(n)+". ")
	}
	require.Equal(t, len(regexp.MustCompile("`[a-z/]+\\.(?:Test|Fuzz)").FindAllString(string(text), -1)), len(named.FindAllString(string(text), -1)))
}

// testSources is all source text of tests.
func testSources(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, "_test.go") {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			b.Write(text)
		}
		return err
	}))
	return b.String()
}
