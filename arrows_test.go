package backstay_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/backstay/backstay"

// arrows says what each package of the library may import of ours, directly. Whoever adds an arrow adds it to the
// design first.
var arrows = map[string][]string{
	"":                        {},
	"retry":                   {},
	"annotation":              {"retry"},
	"aliases":                 {"annotation", "retry"},
	"internal/dynproxy":       {},
	"internal/mutate":         {},
	"aspect":                  {"annotation", "retry", "internal/dynproxy"},
	"explain":                 {"retry"},
	"eventlog":                {"retry"},
	"dashboard":               {"explain", "retry"},
	"container":               {"aspect", "annotation", "retry", "explain"},
	"container/containertest": {"container", "aspect", "annotation", "retry", "explain"},

	"cmd/backstay":                    {generator + "directive", generator + "emit", generator + "load", generator + "plan", generator + "resolve", generator + "source"},
	"cmd/backstay/internal/directive": {},
	"cmd/backstay/internal/emit":      {},
	"cmd/backstay/internal/source":    {generator + "directive"},
	"cmd/backstay/internal/load":      {generator + "source"},
	"cmd/backstay/internal/plan":      {generator + "directive", generator + "emit", generator + "load", generator + "source"},
	"cmd/backstay/internal/resolve":   {generator + "emit", generator + "load", generator + "plan", generator + "source", "annotation"},
}

// generator is where the parts of the proxy generator are.
const generator = "cmd/backstay/internal/"

// isTool reports whether users run the package, and do not build it into theirs.
func isTool(name string) bool {
	return name == "internal/mutate" || name == "container/containertest" || strings.HasPrefix(name, "cmd/")
}

// dependencies says which modules the library's packages may reach: a user of the core downloads nothing else. What the
// generator needs stays with it.
var dependencies = []string{"go.uber.org/dig"}

type listed struct {
	ImportPath string
	Imports    []string
	Standard   bool
	Module     *struct{ Path string }
}

func list(t *testing.T, args ...string) (all []listed) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", append([]string{"list", "-json=ImportPath,Imports,Standard,Module"}, args...)...).Output()
	require.NoError(t, err)
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else {
			require.NoError(t, err)
		}
		all = append(all, p)
	}
}

func TestImportsGoOneWay(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range list(t, "./...") {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		if strings.HasPrefix(name, "examples/") {
			continue // examples use the library as users do
		}
		if strings.HasPrefix(name, "internal/contract/") || strings.HasPrefix(name, "docs/snippets") {
			continue // tests alone, of the whole library
		}
		allowed, known := arrows[name]
		require.True(t, known, "package %q has no place in the house", name)
		seen[name] = true
		for _, i := range p.Imports {
			if ours, ok := strings.CutPrefix(i, module+"/"); ok {
				require.True(t, slices.Contains(allowed, ours), "%s imports %s", name, ours)
			}
		}
	}
	for name := range arrows {
		require.True(t, seen[name], "package %q is gone", name)
	}
}

func TestUsersOfTheCoreDownloadDigAlone(t *testing.T) {
	args := []string{"-deps"}
	for name := range arrows {
		if !isTool(name) {
			args = append(args, "./"+name)
		}
	}
	for _, p := range list(t, args...) {
		if !p.Standard && p.Module != nil && p.Module.Path != module {
			require.Contains(t, dependencies, p.Module.Path, "%s is reached", p.ImportPath)
		}
	}
}
