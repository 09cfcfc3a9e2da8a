package dashboard

import (
	"slices"
	"strings"
)

// keptErrors is how many different texts are kept of a method.
const keptErrors = 8

// errorList is the last different errors of a method, the newest first.
type errorList struct {
	items [keptErrors]errorCount
}

type errorCount struct {
	at    int64 // of the last one; 0: there is none
	text  string
	count uint64
}

// add counts an error. It returns its text as it is kept: one that came before is not kept twice, and none holds on to a
// larger text that it was part of.
func (l *errorList) add(now int64, text string) string {
	i := slices.IndexFunc(l.items[:], func(e errorCount) bool { return e.at != 0 && e.text == text })
	found := errorCount{text: text}
	if i >= 0 {
		found = l.items[i]
	} else {
		found.text = strings.Clone(text)
		i = keptErrors - 1
	}
	copy(l.items[1:i+1], l.items[:i])
	found.at = now
	found.count++
	l.items[0] = found
	return found.text
}

// all are those that there are.
func (l *errorList) all() []errorCount {
	n := slices.IndexFunc(l.items[:], func(e errorCount) bool { return e.at == 0 })
	if n < 0 {
		n = keptErrors
	}
	return slices.Clone(l.items[:n])
}
