package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// module is a module in a temporary directory, which is the current one.
type module struct {
	t   *testing.T
	dir string
}

// goMod is the go.mod of modules that can import the library.
func goMod(path string) string {
	_, self, _, _ := runtime.Caller(0)
	root := filepath.Dir(filepath.Dir(filepath.Dir(self)))
	return "module " + path + "\n\ngo 1.26.0\n\nrequire github.com/backstay/backstay v0.0.0\n\nreplace github.com/backstay/backstay => " + root + "\n"
}

// newModule writes the files of a txtar archive, and a go.mod where it has none. Directives in the archive have a space in
// front, lest go generate runs them here.
func newModule(t *testing.T, archive string) *module {
	t.Helper()
	for _, name := range []string{"GOFILE", "GOLINE", "GOPACKAGE"} {
		t.Setenv(name, "")
	}
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "")
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	m := &module{t, dir}
	m.write("go.mod", goMod("example.com/m"))
	m.add(archive)
	t.Chdir(dir)
	return m
}

// add writes the files of an archive.
func (m *module) add(archive string) {
	m.t.Helper()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		m.write(f.Name, strings.ReplaceAll(string(f.Data), "\n //go:generate", "\n//go:generate"))
	}
}

func (m *module) write(name, text string) {
	m.t.Helper()
	path := filepath.Join(m.dir, filepath.FromSlash(name))
	require.NoError(m.t, os.MkdirAll(filepath.Dir(path), 0o777))
	require.NoError(m.t, os.WriteFile(path, []byte(text), 0o666))
}

// read is a file's text.
func (m *module) read(name string) string {
	m.t.Helper()
	text, err := os.ReadFile(filepath.Join(m.dir, filepath.FromSlash(name)))
	require.NoError(m.t, err)
	return string(text)
}

func (m *module) remove(name string) {
	m.t.Helper()
	require.NoError(m.t, os.Remove(filepath.Join(m.dir, filepath.FromSlash(name))))
}

// run runs the command, and returns its exit status and the lines that it prints as errors.
func (m *module) run(args ...string) (status int, lines []string) {
	m.t.Helper()
	var stdout, stderr bytes.Buffer
	status = run(m.t.Context(), args, &stdout, &stderr)
	require.Empty(m.t, stdout.String())
	for line := range strings.Lines(stderr.String()) {
		lines = append(lines, strings.TrimSuffix(line, "\n"))
	}
	return status, lines
}

// succeed runs the command, which must have nothing to say.
func (m *module) succeed(args ...string) {
	m.t.Helper()
	status, lines := m.run(args...)
	require.Empty(m.t, lines)
	require.Equal(m.t, exitOK, status)
}

// generateAs runs the command as go generate does for the directive at that line of the file.
func (m *module) generateAs(file, line string, args ...string) {
	m.t.Helper()
	m.t.Setenv("GOFILE", filepath.Base(file))
	m.t.Setenv("GOLINE", line)
	m.t.Chdir(filepath.Join(m.dir, filepath.Dir(file)))
	m.succeed(args...)
	m.t.Setenv("GOFILE", "")
	m.t.Setenv("GOLINE", "")
	m.t.Chdir(m.dir)
}

// command runs the go command.
func (m *module) command(args ...string) {
	m.t.Helper()
	c := exec.CommandContext(m.t.Context(), "go", args...)
	c.Dir = m.dir
	out, err := c.CombinedOutput()
	require.NoError(m.t, err, "%s", out)
}
