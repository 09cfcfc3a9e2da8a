package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// generatedPattern is what generated files of the golden packages are called.
const generatedPattern = "backstay*_gen*.go"

// testModule copies a folder below testdata, without generated files, into a module of that name, which uses this tree.
// It becomes the current directory.
func testModule(t *testing.T, name string) (dir string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir = t.TempDir()
	require.NoError(t, copySources(filepath.Join("testdata", name), dir))
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	_, requirements, found := strings.Cut(string(mod), "\n")
	require.True(t, found)
	text := fmt.Sprintf("module %s\n%s\nrequire github.com/backstay/backstay v0.0.0\n\nreplace github.com/backstay/backstay => %s\n", name, requirements, root)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(text), 0o600))
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600))
	t.Setenv("GOFLAGS", "-mod=readonly")
	t.Setenv("GOWORK", "off")
	t.Chdir(dir)
	return dir
}

func copySources(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o700)
		}
		if generated, err := filepath.Match(generatedPattern, d.Name()); generated || err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o600)
	})
}

// generate runs the command in the current directory, and returns what it has to say.
func generate(t *testing.T, args ...string) (status int, stderr string) {
	t.Helper()
	var out, complaints bytes.Buffer
	status = run(context.Background(), args, &out, &complaints)
	require.Empty(t, out.String())
	return status, complaints.String()
}

// goCommand runs the go command in the current directory, and returns its output.
func goCommand(args ...string) (string, error) {
	out, err := exec.Command("go", args...).CombinedOutput()
	return string(out), err
}

// generatedFiles are the contents of generated files below dir, by their path from it.
func generatedFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if ok, err := filepath.Match(generatedPattern, d.Name()); !ok {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		found[filepath.ToSlash(rel)] = string(text)
		return err
	}))
	return found
}

// TestGolden generates all golden packages in one module, compares what has come out, vets it, and calls every method of
// every proxy through a retry.
func TestGolden(t *testing.T) {
	golden, err := filepath.Abs("testdata/golden")
	require.NoError(t, err)
	dir := testModule(t, "golden")

	status, stderr := generate(t, "./...")
	require.Empty(t, stderr)
	require.Equal(t, exitOK, status)
	got := generatedFiles(t, dir)
	if *update {
		updateFiles(t, golden, got)
	}
	want := generatedFiles(t, golden)
	require.ElementsMatch(t, slices.Collect(maps.Keys(want)), slices.Collect(maps.Keys(got)))
	for path, text := range want {
		require.Equal(t, text, got[path], "%s; if it is meant to differ, run the test with -update", path)
	}

	status, stderr = generate(t, "-check", "./...")
	require.Empty(t, stderr)
	require.Equal(t, exitOK, status)

	scripts := writeScripts(t, dir)
	require.NotEmpty(t, scripts)
	out, err := goCommand("vet", "-trimpath", "./...")
	require.NoError(t, err, out)
	out, err = goCommand("test", "-vet=off", "-trimpath", "-ldflags=-s -w", "-v", ".", "./testfile")
	require.NoError(t, err, out)
	for _, name := range append(scripts, "TestCounter", "TestCounterOfTheExternalTest") {
		require.Contains(t, out, "--- PASS: "+name+" ")
	}
}

// updateFiles makes the generated files below dir those of all, and no others.
func updateFiles(t *testing.T, dir string, all map[string]string) {
	t.Helper()
	for path := range generatedFiles(t, dir) {
		if _, ok := all[path]; !ok {
			require.NoError(t, os.Remove(filepath.Join(dir, path)))
		}
	}
	for path, text := range all {
		require.NoError(t, os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644))
	}
}

// writeScripts writes a test into the module's root that runs the tests in the files called script.go: linking one test
// takes as long as generating everything. It returns the names of its tests.
func writeScripts(t *testing.T, dir string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "script.go"))
	require.NoError(t, err)
	imports, body := "", ""
	for i, file := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		pkg := filepath.Base(filepath.Dir(file))
		before := body
		for _, decl := range tree.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Test") {
				continue
			}
			name := f.Name.Name + "_" + pkg
			names = append(names, name)
			body += fmt.Sprintf("\nfunc %s(t *testing.T) { p%d.%s(t) }\n", name, i, f.Name.Name)
		}
		if body != before {
			imports += fmt.Sprintf("\tp%d %q\n", i, "golden/"+pkg)
		}
	}
	text := fmt.Sprintf("package golden_test\n\nimport (\n\t\"testing\"\n\n%s)\n%s", imports, body)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "scripts_test.go"), []byte(text), 0o600))
	return names
}

// TestGoldenErrors generates all packages below testdata/errors, and compares what is said of each.
func TestGoldenErrors(t *testing.T) {
	golden, err := filepath.Abs("testdata/errors")
	require.NoError(t, err)
	dir := testModule(t, "errors")

	status, stderr := generate(t, "./...")
	require.Equal(t, exitProblems, status)
	require.Empty(t, generatedFiles(t, dir), "nothing is written where something is wrong")
	got := map[string]string{}
	for line := range strings.Lines(stderr) {
		name, _, ok := strings.Cut(line, "/")
		require.True(t, ok, line)
		got[name] += line
	}
	entries, err := os.ReadDir(golden)
	require.NoError(t, err)
	require.Len(t, got, len(entries), stderr)
	for _, e := range entries {
		file := filepath.Join(golden, e.Name(), "want.txt")
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(got[e.Name()]), 0o644))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, string(want), got[e.Name()], "%s; if it is meant to differ, run the test with -update", file)
	}
}

// TestAnotherGenerationDoesNotCompile builds a generated file as if the library had gone on since.
func TestAnotherGenerationDoesNotCompile(t *testing.T) {
	dir := testModule(t, "golden")
	status, stderr := generate(t, "./nocontext")
	require.Empty(t, stderr)
	require.Equal(t, exitOK, status)

	file := filepath.Join(dir, "nocontext", "backstay_gen.go")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	other := strings.Replace(string(text), "[1]struct{}", "[2]struct{}", 1)
	require.NotEqual(t, string(text), other)
	require.NoError(t, os.WriteFile(file, []byte(other), 0o600))

	out, err := goCommand("build", "-trimpath", "./nocontext")
	require.Error(t, err)
	require.Contains(t, out, "backstay_gen.go was generated for another version of Backstay than this one; run: go generate ./...")
}
