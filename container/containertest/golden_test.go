package containertest_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container/containertest"
)

func TestGoldenComparesWithTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "graph.txt")
	require.NoError(t, os.WriteFile(path, []byte("a\nb\n\nc\nd\n"), 0o644))
	crlf := filepath.Join(t.TempDir(), "crlf.txt")
	require.NoError(t, os.WriteFile(crlf, []byte("a\r\nb\r\n"), 0o644))
	for name, test := range map[string]struct{ path, text, want string }{
		"the same":        {path, "a\nb\n\nc\nd\n", ""},
		"other line ends": {crlf, "a\nb\n", ""},
		"a line is gone":  {path, "a\n\nc\nd\n", "\n  a\n- b\n\n  c\n  d\n"},
		"a line is new":   {path, "a\nb\n\nb\nc\nd\n", "\n  a\n  b\n\n+ b\n  c\n  d\n"},
		"lines differ":    {path, "A\nb\n\nc\nD\n", "\n- a\n+ A\n  b\n\n  c\n- d\n+ D\n"},
		"all differs":     {crlf, "c", "\n- a\n- b\n-\n+ c"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &spy{}
			containertest.Golden(s, test.path, test.text)
			if test.want == "" {
				require.Empty(t, s.failed)
				return
			}
			require.Equal(t, []string{"containertest: " + test.path + " differs (- the file, + what is); if it is meant, run the test with BACKSTAY_UPDATE=1" + test.want}, s.failed)
		})
	}
	s := &spy{}
	none := filepath.Join(t.TempDir(), "none.txt")
	containertest.Golden(s, none, "a")
	require.Equal(t, []string{"containertest: there is no " + none + "; to write it, run the test with BACKSTAY_UPDATE=1"}, s.failed)
	require.NoFileExists(t, none)
	s = &spy{}
	containertest.Golden(s, t.TempDir(), "a")
	require.Len(t, s.failed, 1)
	require.Contains(t, s.failed[0], "is a directory")
}

func TestGoldenWritesWhereItIsTold(t *testing.T) {
	t.Run("by the environment", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "new", "graph.txt")
		for value, written := range map[string]bool{"": false, "0": false, "1": true} {
			t.Setenv("BACKSTAY_UPDATE", value)
			s := &spy{}
			containertest.Golden(s, path, "a\n")
			if !written {
				require.Len(t, s.failed, 1, "BACKSTAY_UPDATE=%s", value)
				continue
			}
			require.Empty(t, s.failed)
			file, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, "a\n", string(file))
			require.NoError(t, os.Remove(path))
		}
	})
	t.Run("by a flag of the package", func(t *testing.T) {
		flags := flag.CommandLine
		defer func() { flag.CommandLine = flags }()
		flag.CommandLine = flag.NewFlagSet("", flag.PanicOnError)
		flag.Bool("update", true, "")
		path := filepath.Join(t.TempDir(), "graph.txt")
		containertest.Golden(t, path, "a\n")
		require.FileExists(t, path)
	})
	t.Run("and says why it cannot", func(t *testing.T) {
		t.Setenv("BACKSTAY_UPDATE", "1")
		s := &spy{}
		require.Panics(t, func() { containertest.Golden(s, t.TempDir(), "a") })
		require.Contains(t, s.failed[0], "containertest: ")
	})
}
