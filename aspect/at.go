package aspect

import (
	"fmt"
	"strings"
	"unicode"
)

// At matches the methods that a reference means: "SMTP@Send", "Pg*@Get*,Find", "Cache#users@Get". The class is that of
// [Class], a name after # is that of one service and literal, and the methods are names and globs by comma.
func At(ref string) Pointcut { return at(ref) }

func at(ref string) *pointcut {
	ref = strings.TrimSpace(ref)
	p := &pointcut{text: shorthand(ref), listed: listedShorthand(ref)}
	cut := strings.LastIndexByte(ref, '@')
	if cut < 0 {
		return p.is(fmt.Sprintf("%q is no reference; write Class@Method", ref))
	}
	class, name, hasName := strings.Cut(ref[:cut], "#")
	switch {
	case class == "":
		return p.is(fmt.Sprintf("%q names no class; write Class@Method, or %s", ref, shorthand("*"+ref)))
	case hasName && name == "":
		return p.is(fmt.Sprintf("%q names no service after #; write Class#name@Method, or leave # out", ref))
	case hasOutside(class, '@'):
		return p.is(fmt.Sprintf("%q has several @; %s", ref, oneAt(ref)))
	case isSpaced(class) || strings.TrimSpace(name) != name || strings.TrimLeftFunc(ref[cut+1:], unicode.IsSpace) != ref[cut+1:]:
		return p.is(fmt.Sprintf("%q has a space in it; write Class@Method without spaces", ref))
	case isList(class):
		return p.is(fmt.Sprintf("%q has a comma in its class; write or(P, P) of a Class@Method each", ref))
	}
	for item := range strings.SplitSeq(ref[cut+1:], ",") {
		item = strings.TrimSpace(item)
		out, not := strings.CutPrefix(item, "!")
		switch {
		case not:
			return p.is(fmt.Sprintf("%q takes nothing out; write and(%s, not(%s))", ref, listedShorthand(ref[:cut]+"@*"), written(wordMethod, out)))
		case !isMethodGlob(item):
			return p.is(fmt.Sprintf("%q in %q is no method; write Class@Method, names and globs by comma", item, ref))
		}
		p.parts = append(p.parts, &pointcut{text: shorthand(ref[:cut] + "@" + item), named: true, match: func(m *candidate) bool {
			return m.isOf(class) && (!hasName || name == m.name) && matchGlob(item, m.method)
		}})
	}
	p.match = func(m *candidate) bool { return anyOf(m, p.parts) }
	return p
}

// is makes p a wrong pointcut of the same text.
func (p *pointcut) is(wrong string) *pointcut {
	w := wrongPointcut(p.text, wrong)
	w.listed = p.listed
	return w
}

// oneAt says how a reference with several @ is written: most that have some list methods.
func oneAt(ref string) string {
	class, methods, _ := strings.Cut(ref, "@")
	items := strings.Split(methods, "@")
	for _, item := range items {
		if !isMethodGlob(item) {
			return "write Class@Method with one, names and globs by comma"
		}
	}
	return "write " + listedShorthand(class+"@"+strings.Join(items, ","))
}

// isMethodGlob reports whether s is a name or a glob: of letters, digits and stars, and no digit at its beginning.
func isMethodGlob(s string) bool {
	for i, r := range s {
		if r != '*' && r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return false
		}
	}
	return s != ""
}
