package backstay_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// rows are the rows of the tables that docs/tables.md lists, by their tokens.
func rows() (all []string) {
	upTo := func(prefix string, n int) {
		for i := 1; i <= n; i++ {
			all = append(all, fmt.Sprint(prefix, i))
		}
	}
	list := func(source, ids string) {
		for id := range strings.FieldsSeq(ids) {
			all = append(all, source+id)
		}
	}
	for prefix, n := range map[string]int{
		"mp:C": 27, "mp:R": 34, "mp:T": 28, "mp:F": 22, "mp:L": 21, "mp:B": 19, "mp:X": 29, "mp:S": 26, "mp:V": 17,
		"mp:K": 34, "mp:E": 10, "mp:M": 33, "mp:D": 24, "mp:I": 2, "mp:A": 15,
	} {
		upTo(prefix, n)
	}
	list("mp:", "H-A H-B H-C")
	list("go:", `A1 A2 A3 A4 A5 A7 A8 A10 A11 A12 D1 D2 D3 D4 D5 D7 D8 D9 D11 C1 C2 C3 C4 C5 C7 C8 C10 C11 C12 E1 E3 E4 E5 E6 E7
		H1 H2 H3 B2 B3 B4 B6 B7 B8 B9 B10 B11 B12 B13 B15 G1 G2 G3 G4 G6 G7
		W1 W2 W4 W5 W6 W7 W8 W9 W11 W12 P1 P2 P3 P4 P5 P6 P7 P8`)
	list("decl:", `1 2 3 4 5 7 8 9 10 11 12 14 15 17 19 21 23 24 26 27 28 29 30 32 34 35 37 38 39 41 42 43 44 45 46 48 49 50
		51 52 53 54 56 57 58 60 62 63 64 65 66 68 69 70 72 73 74 75 76 77 78 79 80 81 83 84 85 86 87 88 89 90
		91 93 94 95 96 98 99 100 102 104 105 106 108`)
	list("budget:", "i ii iii iv v vi vii 1.1 1.3 2")
	list("hyperf:", "7.1 7.2 7.3 7.4 7.5 7.6 7.7 7.8 7.9 7.10")
	return all
}

// Every row is proven by a test that names it, or left out for a reason that is given; and nothing else is named.
func TestEveryRowOfTheTablesIsProvenOrLeftOutForAReason(t *testing.T) {
	token := regexp.MustCompile(`\b(?:mp:H-[ABC]|mp:[A-Z]\d+|go:[A-Z]\d+|decl:\d+|budget:[iv]+|budget:\d(?:\.\d)?|hyperf:\d\.\d+)\b`)
	sources := strings.ReplaceAll(testSources(t), readMe(t, "tables_test.go"), "")
	proven := map[string]bool{}
	for _, id := range token.FindAllString(sources, -1) {
		proven[id] = true
	}
	leftOut := map[string]bool{}
	for line := range strings.Lines(readMe(t, "docs/tables.md")) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 {
			continue
		}
		for _, id := range token.FindAllString(cells[1], -1) {
			require.NotEmpty(t, strings.TrimSpace(cells[2]), "%s is left out without a reason", id)
			leftOut[id] = true
		}
	}
	all := rows()
	for _, id := range all {
		require.True(t, proven[id] || leftOut[id], "%s is neither proven nor left out", id)
		require.False(t, proven[id] && leftOut[id], "%s is left out, and yet a test names it", id)
	}
	for id := range leftOut {
		require.Contains(t, all, id)
	}
	for id := range proven {
		require.True(t, slices.Contains(all, id), "a test names %s, which no table has", id)
	}
}

func readMe(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}
