package emit

import (
	"strconv"
	"strings"
	"unicode"
)

// names are the identifiers that are taken in one scope.
type names map[string]bool

func taken(all ...string) names {
	n := names{}
	n.add(all...)
	return n
}

func (n names) add(all ...string) {
	for _, name := range all {
		n[name] = true
	}
}

// numbered takes base, or else the first free one of base2, base3 and so on.
func (n names) numbered(base string) string {
	name := base
	for i := 2; n[name]; i++ {
		name = base + strconv.Itoa(i)
	}
	n.add(name)
	return name
}

// underscored takes base, or else base with as many underscores as it needs.
func (n names) underscored(base string) string {
	for n[base] {
		base += "_"
	}
	n.add(base)
	return base
}

// each gives every one of the names a free one: its own where that can be, the fallback's for those that are blank or
// missing. What the user has written goes first, so that a made-up name never takes it away.
func (n names) each(wanted []string, fallback func(i int) string) []string {
	given := make([]string, len(wanted))
	isBlank := func(name string) bool { return name == "" || name == "_" }
	for i, name := range wanted {
		if !isBlank(name) && !n[name] {
			given[i] = name
			n.add(name)
		}
	}
	for i, name := range wanted {
		switch {
		case given[i] != "":
		case isBlank(name):
			given[i] = n.underscored(fallback(i))
		default:
			given[i] = n.underscored(name)
		}
	}
	return given
}

// lower is an exported name as an unexported one begins: Charge is charge, HTTPClient httpClient, ID id.
func lower(name string) string {
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsUpper(r) || i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
			break
		}
		runes[i] = unicode.ToLower(r)
	}
	return string(runes)
}

// upper is the name with its first letter in upper case.
func upper(name string) string {
	for i, r := range name {
		return string(unicode.ToUpper(r)) + name[i+len(string(r)):]
	}
	return name
}

// identifier is what is left of a path element when all that no identifier can have is dropped.
func identifier(element string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, element)
}
