package annotation

import "strings"

// NearMiss is the candidate that was probably meant by name, or "" where none is near: one that differs in case alone, or in
// at most two letters. For those who weave.
func NearMiss(name string, candidates []string) string {
	best, least := "", 3
	for _, c := range candidates {
		if strings.EqualFold(name, c) {
			return c
		}
		if d := distance(name, c); d < least && d < len([]rune(c)) {
			best, least = c, d
		}
	}
	return best
}

// distance counts the letters that were added, left out, mistaken, or swapped with their neighbour.
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	if d := len(s) - len(t); d > 2 || d < -2 {
		return 3 // far enough, and long input stays cheap
	}
	before, last, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(s); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(t)]
}

// oneOf is advice that lists what may be written, as long as that helps.
func oneOf(names []string) string {
	const most = 8
	switch {
	case len(names) == 0:
		return "leave it out"
	case len(names) == 1:
		return "write " + names[0]
	case len(names) > most:
		return "write one of " + strings.Join(names[:most], ", ") + " ..."
	}
	return "write one of " + strings.Join(names, ", ")
}
