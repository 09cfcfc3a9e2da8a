package main

import (
	"os"
	"path/filepath"
	"strings"
)

// vendored reports that the module around dir has the library's module in its vendor directory: then it lacks no more than
// a package that nothing has imported yet, and go mod vendor will add it once the generated file does.
func vendored(dir string) bool {
	for {
		list, err := os.ReadFile(filepath.Join(dir, "vendor", "modules.txt"))
		if err == nil {
			return strings.Contains(string(list), "# "+strings.TrimSuffix(library, "/aspect")+" ")
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return false
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
	}
}
