package explain

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// label says what a service is, what it is found as where neither its class nor its shape says so, and what has been done
// to it.
func (s *Service) label(aspect bool) []string {
	lines := []string{s.Ref.String()}
	var as []string
	for _, t := range s.Provided {
		if aspect && (t == "aspect.Aspect" || t == "aspect.Func") {
			continue
		}
		if t = unqualified(t); strings.TrimPrefix(t, "*") != unqualified(s.Ref.Class) {
			as = append(as, t)
		}
	}
	if len(as) > 0 {
		lines = append(lines, "as "+list(as, 2))
	}
	if s.Override != "" {
		lines = append(lines, "overridden")
	}
	switch n := len(s.Decorators); n {
	case 0:
	case 1:
		lines = append(lines, "decorated")
	default:
		lines = append(lines, fmt.Sprintf("decorated %d times", n))
	}
	return lines
}

// label says how something is needed, where an arrow alone does not.
func (n *Need) label() string {
	label := ""
	switch n.Kind {
	case Parameter:
	case Group:
		label = "group " + n.Key
	case Reference: // the attribute: "fallback"
		label, _, _ = strings.Cut(n.Why, " ")
	default:
		label = string(n.Kind)
	}
	if n.Optional {
		label = strings.TrimSpace("optional " + label)
	}
	return label
}

// list is the first of all, and how many more there are.
func list(all []string, most int) string {
	if len(all) <= most {
		return short(strings.Join(all, ", "))
	}
	return fmt.Sprintf("%s and %d more", short(strings.Join(all[:most], ", ")), len(all)-most)
}

// short is the beginning of a text that is too long for a label.
func short(text string) string {
	const longest = 48
	if utf8.RuneCountInString(text) <= longest {
		return text
	}
	return string([]rune(text)[:longest-3]) + "..."
}

// qualifier is what stands before the name of a type: "payment." and, in the arguments of a generic one, a path.
var qualifier = regexp.MustCompile(`(?:[\pL\pN_.~-]+/)*[\pL_][\pL\pN_]*\.`)

// unqualified is a type without the packages in it.
func unqualified(t string) string { return qualifier.ReplaceAllString(t, "") }
