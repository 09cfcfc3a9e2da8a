package annotation

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The names of packages that no type here can come from.
func TestPackageNameIsGuessedFromItsPath(t *testing.T) {
	for path, want := range map[string]string{
		"fmt": "fmt", "net/http": "http", "gopkg.in/yaml.v3": "yaml", "example.com/shop/v2": "shop", "example.com/shop/v2/model": "model",
		"v2": "v2", "example.com/v": "v", "example.com/version": "version", "example.com/.v3": ".v3", "": "",
	} {
		require.Equal(t, want, packageName(path), path)
	}
}

// Only what reflect writes comes here, and it may write anything into a struct's tag.
func FuzzRename(f *testing.F) {
	for _, seed := range []string{
		"[int]", "[example.com/a%2eb.User]", `[struct { A int "json:\"a.b\"" }]`, "[...example.com/x.T]", `["`, `["\`, "[%zz/a.B]", "[a.b·1]", "[...]", "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, arguments string) {
		short := rename(arguments, func(_, name string) string { return name })
		require.LessOrEqual(t, len(short), len(arguments))
		require.Equal(t, signs(arguments), signs(short), "names get shorter, and nothing else changes")
		rename(arguments, func(path, name string) string { return packageName(path) + "." + name })
	})
}

// signs are the parts of a type that are not names.
func signs(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("[](){}*,; \"", r) {
			return r
		}
		return -1
	}, s)
}
