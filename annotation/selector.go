package annotation

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
)

// selector says which methods a declaration meets: names and globs. Those that an item with ! meets are taken out.
type selector struct {
	text string
	in   []pattern
	out  []pattern
}

// pattern is a method's name, or a glob in which * is any run of characters and everything else is literal.
type pattern string

// outright is the nearness of a method that is named. That of a glob is its length and one, and is less; that of an
// annotation for all services is the least.
const (
	outright = math.MaxUint16
	farthest = 1
)

func (p pattern) isGlob() bool { return strings.Contains(string(p), "*") }

// nearness is how closely the pattern meets name; 0 if it does not.
func (p pattern) nearness(name string) int {
	if !p.isGlob() {
		if string(p) == name {
			return outright
		}
		return 0
	}
	parts := strings.Split(string(p), "*")
	first, last := parts[0], parts[len(parts)-1]
	if len(name) < len(first)+len(last) || !strings.HasPrefix(name, first) || !strings.HasSuffix(name, last) {
		return 0
	}
	name = name[len(first) : len(name)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(name, part)
		if i < 0 {
			return 0
		}
		name = name[i+len(part):]
	}
	return min(len(p)+1, outright-1)
}

// nearness is how closely the selector meets name, by the item that meets it most closely; 0 if it does not.
func (s *selector) nearness(name string) int {
	near := 0
	for _, p := range s.in {
		near = max(near, p.nearness(name))
	}
	if near > 0 && slices.ContainsFunc(s.out, func(p pattern) bool { return p.nearness(name) > 0 }) {
		return 0
	}
	return near
}

// named are the methods that are named outright, those taken out included: a name that does not exist is a mistake.
func (s *selector) named() []string {
	var names []string
	for _, p := range slices.Concat(s.in, s.out) {
		if !p.isGlob() {
			names = append(names, string(p))
		}
	}
	return names
}

// only is the method that the selector names outright and alone, or "".
func (s *selector) only() string {
	if len(s.in) == 1 && !s.in[0].isGlob() {
		return string(s.in[0])
	}
	return ""
}

// parseSelector reads names and globs by comma.
func parseSelector(text string) (selector, *mistake) {
	s := selector{text: text}
	for _, item := range strings.Split(text, ",") {
		item = strings.Trim(item, " ")
		name, out := strings.CutPrefix(item, "!")
		if !isPattern(name) {
			return selector{}, &mistake{
				problem: fmt.Sprintf("%q in the methods %q is neither a name nor a glob", item, text),
				remedy:  `write names and globs by comma, such as "Charge,Get*,!GetAll"`,
			}
		}
		for strings.Contains(name, "**") {
			name = strings.ReplaceAll(name, "**", "*")
		}
		if out {
			s.out = append(s.out, pattern(name))
		} else {
			s.in = append(s.in, pattern(name))
		}
	}
	if len(s.in) == 0 {
		return selector{}, &mistake{
			problem: fmt.Sprintf("the methods %q only take methods out", text),
			remedy:  fmt.Sprintf("write \"*,%s\"", text),
		}
	}
	return s, nil
}

func isPattern(s string) bool {
	if s == "" {
		return false
	}
	return isIdentifier(strings.ReplaceAll(s, "*", "x")) // a * may stand for the letters that a digit needs before it
}

func isLetter(r rune) bool { return r == '_' || unicode.IsLetter(r) }
func isDigit(r rune) bool  { return unicode.IsDigit(r) }
