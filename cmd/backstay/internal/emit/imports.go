package emit

import (
	"fmt"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"
)

// aspectPath is the only package that generated code always imports.
const aspectPath = "github.com/backstay/backstay/aspect"

// imports are the packages that the generated file imports, and their names in it. Types are gone through once to find
// the packages; only then names can be chosen.
type imports struct {
	own      string            // first element of the import path of the package that the file is of
	packages map[string]string // import path to package name
	names    map[string]string // import path to name in the file; nil until chosen
	used     map[string]bool   // import paths that have been used since
}

func newImports(pkg string) *imports {
	return &imports{own: firstElement(pkg), packages: map[string]string{aspectPath: "aspect"}}
}

// use adds a package, and returns its name in the file.
func (m *imports) use(pkg *types.Package) string {
	return m.usePath(pkg.Path(), pkg.Name())
}

func (m *imports) usePath(path, name string) string {
	if m.names == nil {
		m.packages[path] = name
		return name
	}
	m.used[path] = true
	return m.names[path]
}

// choose gives every package a name that is not taken: its own, else one with the element of the path before it, else
// one with a number.
func (m *imports) choose(taken names) {
	m.names, m.used = map[string]string{}, map[string]bool{}
	for _, p := range m.paths() {
		name := m.packages[p]
		if longer := identifier(path.Base(path.Dir(p))) + name; taken[name] && token.IsIdentifier(longer) {
			name = longer
		}
		m.names[p] = taken.numbered(name)
	}
}

func (m *imports) paths() []string {
	paths := make([]string, 0, len(m.packages))
	for p := range m.packages {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	return paths
}

// String is the import declaration of what is used: the standard library, then the others. A package's name is written where the path
// does not end in it.
func (m *imports) String() string {
	var groups [2]strings.Builder
	for _, p := range m.paths() {
		if !m.used[p] {
			continue
		}
		group := &groups[1]
		if first := firstElement(p); first != m.own && !strings.Contains(first, ".") {
			group = &groups[0]
		}
		if name := m.names[p]; name != path.Base(p) {
			fmt.Fprintf(group, "\t%s %q\n", name, p)
		} else {
			fmt.Fprintf(group, "\t%q\n", p)
		}
	}
	return strings.TrimLeft(fmt.Sprintf("%s\n%s", &groups[0], &groups[1]), "\n")
}

func firstElement(path string) string {
	first, _, _ := strings.Cut(path, "/")
	return first
}
