package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheFileOfHarmlessMutantsIsRead(t *testing.T) {
	for name, c := range map[string]struct {
		text, problem string
		entries       int
	}{
		"nothing":          {"", "", 0},
		"comments":         {"# one\n\n# two\n", "", 0},
		"without a reason": {"file: a.go\nline: x++\nop: drop\n", `:1: the entry has no "why"; write what it holds for, and why`, 0},
		"two entries":      {"file: a.go\nline: x++\nop: drop\nwhy: so\n\n\nfile: a.go\nline: y: z\nop: int\nwhy: so", "", 2},
		"unknown key":      {"\nfiel: a.go\n", `:2: no key is called "fiel"; write file, func, line, op, did or why`, 0},
		"unknown operator": {"file: a.go\nline: x++\nop: dorp\nwhy: so\n", `:1: no operator is called "dorp"; write one of negate, `, 0},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "harmless.txt")
			require.NoError(t, os.WriteFile(path, []byte(c.text), 0o600))
			all, err := readHarmless(path)
			if c.problem != "" {
				require.ErrorContains(t, err, c.problem)
				return
			}
			require.NoError(t, err)
			require.Len(t, all, c.entries)
		})
	}
}

func TestAMissingFileOfHarmlessMutantsDeclaresNothing(t *testing.T) {
	all, err := readHarmless(filepath.Join(t.TempDir(), "none"))
	require.NoError(t, err)
	require.Empty(t, all)
}

func TestOnlyNamesMutants(t *testing.T) {
	mutants := []*mutant{{id: 1, op: opDrop}, {id: 2, op: opInt}, {id: 3, op: opDrop}}
	for i, m := range mutants {
		m.pos.Filename, m.pos.Line = []string{"/x/a.go", "/x/a.go", "/x/b.go"}[i], 10*(i+1)
	}
	for only, want := range map[string][]int{
		"":                   {1, 2, 3},
		"M0002":              {2},
		"M2-M0003":           {2, 3},
		"a.go":               {1, 2},
		"x/b.go":             {3},
		"a.go:20":            {2},
		"a.go:1-10, M0003":   {1, 3},
		"drop":               {1, 3},
		"drop,M0001,a.go:10": {1, 3},
	} {
		chosen, err := choose(mutants, only)
		require.NoError(t, err, only)
		var ids []int
		for _, m := range chosen {
			ids = append(ids, m.id)
		}
		require.Equal(t, want, ids, only)
	}
	for only, problem := range map[string]string{
		"M0009":    "names no mutant",
		"c.go":     "names no mutant",
		"12":       "is no number, range, file or operator",
		"a.go:x":   "is no number, range, file or operator",
		"M0001-M":  "is no number, range, file or operator",
		"M0001,,":  "is no number, range, file or operator",
		"a.go:1-M": "is no number, range, file or operator",
	} {
		_, err := choose(mutants, only)
		require.ErrorContains(t, err, problem, only)
	}
}

func TestOfATestWhoseSubtestsFailTheSubtestsAreSkipped(t *testing.T) {
	failed := failedTests([]byte("--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/x.y (0.00s)\n    --- PASS: TestA/z (0.00s)\n--- FAIL: TestAB (0.00s)\nFAIL\n"))
	require.Equal(t, []string{"TestA/x.y", "TestAB"}, failed)
	require.Equal(t, `^TestA$/^x\.y$|^TestAB$`, namePattern(failed))
	require.Regexp(t, regexp.MustCompile(`^-test\.skip=$`), skipFlag(nil))
}

func TestEditsAtOnePlaceNest(t *testing.T) {
	f := &sourceFile{text: []byte("a+b")}
	outer := &mutant{id: 1, edits: []*edit{{offset: 0, text: "#(", class: editOpen, seq: 1}, {offset: 3, text: ")#", class: editClose, seq: 2}}}
	inner := &mutant{id: 2, edits: []*edit{{offset: 0, text: "#[", class: editOpen, seq: 3}, {offset: 1, text: "]#", class: editClose, seq: 4}}}
	other := &mutant{id: 3, edits: []*edit{{offset: 1, size: 1, text: "-", class: editReplace, seq: 5}, {offset: 2, text: "#{", class: editOpen, seq: 6}, {offset: 3, text: "}#", class: editClose, seq: 7}}}

	r := render(f, []*mutant{outer, inner, other})

	require.Equal(t, "1(2[a]2-3{b}3)1", string(r.text))
	require.Equal(t, []*mutant{inner}, r.blame(1, 5))
	require.Equal(t, []*mutant{outer}, r.blame(1, 1))
	require.Equal(t, []*mutant{other}, r.blame(1, 11))
	require.Len(t, r.blame(1, 99), 3)
}
