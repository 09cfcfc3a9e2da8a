package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHelpIsPrinted(t *testing.T) {
	for _, arg := range []string{"-h", "-help", "--help"} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, exitOK, run(t.Context(), []string{arg}, &stdout, &stderr))
		require.Empty(t, stderr.String())
		for _, flag := range []string{"-type", "-o", "-tags", "-check", "./..."} {
			require.Contains(t, stdout.String(), flag)
		}
		for line := range strings.Lines(stdout.String()) {
			require.LessOrEqual(t, len(line), 125)
		}
	}
}

func TestWrongUsageIsToldFromProblems(t *testing.T) {
	tests := map[string]struct {
		args []string
		want []string
	}{
		"nothing":          {nil, []string{"nothing to do; name interfaces with -type, or packages, such as \"./...\""}},
		"unknown flag":     {[]string{"-typo", "A"}, []string{"flag provided but not defined: -typo"}},
		"no such name":     {[]string{"-type", "A,,9"}, []string{"-type '': that names no interface; write Name, Name[Arg] or import/path.Name"}},
		"open brackets":    {[]string{"-type", "A[int"}, []string{"-type A[int: the type arguments are incomplete; write for example Repo[string,Order]"}},
		"a directory":      {[]string{"-type", "./x.A"}, []string{"-type ./x.A: that is the path of a directory; write the package's import path"}},
		"-o elsewhere":     {[]string{"-type", "A", "-o", "../x.go"}, []string{"-o ../x.go is not a file name; the output is always in the package's directory, write -o x.go"}},
		"-o of no Go":      {[]string{"-type", "A", "-o", "x"}, []string{"-o x is no Go file; write -o x.go"}},
		"-o ignored by go": {[]string{"-type", "A", "-o", "_x.go"}, []string{"-o _x.go is a file that go ignores; write -o x.go"}},
		"-o alone":         {[]string{"-o", "x.go", "./..."}, []string{"-o is for what -type names; write it into the directives instead"}},
		"all at once": {[]string{"-type", "9", "-o", "x"}, []string{
			"-type 9: that names no interface; write Name, Name[Arg] or import/path.Name", "-o x is no Go file; write -o x.go"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			require.Equal(t, exitUsage, run(t.Context(), test.args, &stdout, &stderr))
			require.Empty(t, stdout.String())
			want := ""
			for _, line := range test.want {
				want += "backstay: " + line + "\n"
			}
			require.Equal(t, want+"backstay: go tool backstay -h tells how it is used\n", stderr.String())
		})
	}
}
