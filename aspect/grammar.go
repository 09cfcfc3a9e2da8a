package aspect

import (
	"strconv"
	"strings"
	"unicode"
)

// The grammar of pointcuts, in which each prints itself:
//
//	pointcut  = "any"
//	          | "annotated" "(" TYPE ")"
//	          | "class" "(" GLOB ")"
//	          | "interface" "(" TYPE ")"
//	          | "method" "(" ( NAME | GLOB | TYPE "." GLOB ) { "," ... } ")"
//	          | ( "not" | "optional" ) "(" pointcut ")"
//	          | ( "and" | "or" ) "(" [ pointcut { "," pointcut } ] ")"
//	          | reference
//	          | QUOTED                                      // a reference
//	reference = GLOB [ "#" NAME ] "@" GLOB { "," GLOB }     // in a list with one method, else QUOTED
//
// A TYPE is one type, without globs. A NAME is of letters, digits and _, a GLOB of a method of these and *; that of a class may
// have any sign of a type.
//
// What stands in parentheses is taken as it is, up to the parenthesis that closes it: brackets of all kinds nest, and quoted
// strings in it count as one sign. Where that would end too early or too late, or where not all of it can be seen, it is a
// QUOTED string, as in Go.
const (
	wordAny       = "any"
	wordAnnotated = "annotated"
	wordClass     = "class"
	wordInterface = "interface"
	wordMethod    = "method"
	wordNot       = "not"
	wordOptional  = "optional"
	wordAnd       = "and"
	wordOr        = "or"
)

var words = []string{wordAny, wordAnnotated, wordClass, wordInterface, wordMethod, wordNot, wordOptional, wordAnd, wordOr}

// isUnary reports whether a word stands before one pointcut in parentheses.
func isUnary(word string) bool { return word == wordNot || word == wordOptional }

// written is a pointcut of one argument.
func written(word, argument string) string {
	if !isPlain(argument) || closing(argument+")") != len(argument) {
		argument = strconv.Quote(argument)
	}
	return word + "(" + argument + ")"
}

// shorthand is a reference as a pointcut of its own.
func shorthand(ref string) string {
	if _, open := call(ref); open >= 0 || !isPlain(ref) || ref == wordAny || strings.HasPrefix(ref, "!") {
		return strconv.Quote(ref)
	}
	return ref
}

// listedShorthand is a reference as one of several pointcuts.
func listedShorthand(ref string) string {
	if text := shorthand(ref); text != ref || len(split(ref)) == 1 && closing(ref+")") == len(ref) {
		return text
	}
	return strconv.Quote(ref)
}

// isPlain reports whether s can be seen as it is, and is not taken for a quoted string.
func isPlain(s string) bool {
	if strings.TrimSpace(s) != s || strings.HasPrefix(s, `"`) {
		return false
	}
	for _, r := range s {
		if r == unicode.ReplacementChar || !strconv.IsPrint(r) {
			return false
		}
	}
	return true
}

// call tells what word s begins with, where a parenthesis follows it, and where that is; -1 where there is none.
func call(s string) (word string, open int) {
	end := strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) })
	if end <= 0 {
		return "", -1
	}
	open = len(s) - len(strings.TrimLeftFunc(s[end:], unicode.IsSpace))
	if open == len(s) || s[open] != '(' {
		return "", -1
	}
	return s[:end], open
}

// closing is the index of the parenthesis that closes what s begins within; -1 where there is none.
func closing(s string) int {
	end := -1
	scan(s, func(i int, depth int) bool {
		if s[i] == ')' && depth < 0 {
			end = i
		}
		return end < 0
	})
	return end
}

// split are the parts of a list by comma, without the spaces around them.
func split(s string) (parts []string) {
	from := 0
	scan(s, func(i, depth int) bool {
		if s[i] == ',' && depth == 0 {
			parts, from = append(parts, strings.TrimSpace(s[from:i])), i+1
		}
		return true
	})
	return append(parts, strings.TrimSpace(s[from:]))
}

// hasOutside reports whether sign is in s without being in brackets or in quotes.
func hasOutside(s string, sign byte) bool {
	found := false
	scan(s, func(i, depth int) bool {
		found = s[i] == sign && depth <= 0
		return !found
	})
	return found
}

// isList reports whether the text of a class or a glob is several by comma. One with brackets is not asked: a glob may have
// the end of one pair alone, as in *,int].
func isList(s string) bool { return strings.Contains(s, ",") && !strings.ContainsAny(s, "()[]{}") }

// isSpaced reports whether s has spaces where no type has any: at its ends, and before its first bracket unless it is a type
// that Go writes so, such as struct { ... }.
func isSpaced(s string) bool {
	if strings.TrimSpace(s) != s {
		return true
	}
	if open := strings.IndexAny(s, "([{"); open >= 0 {
		s = s[:open]
	}
	switch first, _, _ := strings.Cut(s, " "); strings.TrimLeft(first, "*") {
	case "chan", "<-chan", "chan<-", "struct", "interface":
		return false
	}
	return strings.ContainsFunc(s, unicode.IsSpace)
}

// lastDot is the index of the last dot of s that is not within brackets; -1 where there is none.
func lastDot(s string) int {
	last := -1
	scan(s, func(i, depth int) bool {
		if s[i] == '.' && depth == 0 {
			last = i
		}
		return true
	})
	return last
}

// scan visits the bytes of s that are not quoted, with how many brackets are open after each; -1 for a parenthesis that
// closes what s stands in. It ends where visit says so, and at a quote that is not closed.
func scan(s string, visit func(i, depth int) bool) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			quoted, err := strconv.QuotedPrefix(s[i:])
			if err != nil {
				return
			}
			i += len(quoted) - 1
			continue
		case '(', '[', '{':
			depth++
		case ')':
			depth--
		case ']', '}':
			depth = max(depth-1, 0)
		}
		if !visit(i, depth) {
			return
		}
		depth = max(depth, 0)
	}
}
