package annotation

import (
	"fmt"
	"strconv"
	"strings"
)

// pair is one key of a tag and its value, without the quotes.
type pair struct{ key, value string }

// parseTag reads a whole tag, strictly: key:"value" pairs with spaces between them and nothing else. What
// reflect.StructTag.Lookup forgives, by reading nothing or the first of two, is a mistake here.
func parseTag(tag string) ([]pair, *mistake) {
	var pairs []pair
	malformed := func(format string, args ...any) *mistake {
		return &mistake{problem: fmt.Sprintf("the tag %s is malformed: ", quoteTag(tag)) + fmt.Sprintf(format, args...)}
	}
	if strings.ContainsAny(tag, "\n\r") {
		return nil, malformed("it goes on in a second line")
	}
	for rest := strings.TrimLeft(tag, " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		key, after, found := strings.Cut(rest, ":")
		switch {
		case !found:
			return nil, malformed("%q has no value", rest)
		case !isIdentifier(key):
			return nil, malformed("%q is no key", key)
		case strings.HasPrefix(after, " "):
			return nil, malformed("there is a space after %s:", key)
		case !strings.HasPrefix(after, `"`):
			return nil, malformed("the value of %s is not in double quotes", key)
		}
		quoted, err := strconv.QuotedPrefix(after)
		if err != nil {
			return nil, malformed("the value of %s is no quoted string", key)
		}
		value, _ := strconv.Unquote(quoted) // QuotedPrefix has checked it
		rest = after[len(quoted):]
		if rest != "" && rest[0] != ' ' {
			return nil, malformed("there is no space after the value of %s", key)
		}
		for _, p := range pairs {
			if p.key == key {
				return nil, &mistake{problem: fmt.Sprintf("the tag %s has the key %s twice", quoteTag(tag), key), remedy: "write it once"}
			}
		}
		pairs = append(pairs, pair{key, value})
	}
	return pairs, nil
}

// quoteTag is the tag as it stands in the source, on one line.
func quoteTag(tag string) string {
	if strconv.CanBackquote(tag) {
		return "`" + tag + "`"
	}
	return strconv.Quote(tag)
}

// isIdentifier reports whether s is a Go identifier: a key, or the name of a method.
func isIdentifier(s string) bool {
	for i, r := range s {
		if !isLetter(r) && (i == 0 || !isDigit(r)) {
			return false
		}
	}
	return s != ""
}

// splitList splits a list at its commas and trims spaces. Commas inside brackets are part of a generic class.
func splitList(s string) []string {
	var items []string
	depth, start := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '[':
			depth++
		case ']':
			depth--
		case ',':
			if depth <= 0 {
				items = append(items, strings.Trim(s[start:i], " "))
				start = i + 1
			}
		}
	}
	return append(items, strings.Trim(s[start:], " "))
}
