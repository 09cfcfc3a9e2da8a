package aspect

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/backstay/backstay/annotation"
)

// ParsePointcut reads a pointcut as pointcuts print themselves:
//
//	any                      every join point
//	annotated(TYPE)          what carries an annotation of that type, or of one that embeds it
//	class(GLOB)              the services of a class
//	interface(TYPE)          what is provided as that interface or func type
//	method(NAMES)            names and globs, by comma
//	method(TYPE.NAMES)       the methods of an interface or class
//	not(P)  optional(P)  and(P, P)  or(P, P)
//	Class@Method             a reference, see [At]: Pg*@Get*, Cache#users@Get
//
// A type is written in any form that a class has: Audited, audit.Audited, example.com/shop/audit.Audited; a generic one with
// its type arguments. A name that meets several types, or none, is a definition error, also within not(...). A name alone does not tell what methods an
// interface has: interface(TYPE) meets what is provided as that very interface, and what has all of its methods only where
// [Interface] or [Method] is called for it somewhere in the program.
//
// A GLOB that a parenthesis of its own, or a space at its end, would make unreadable is written as a Go string. The error is
// an *annotation.DefinitionError without a place, which tells the character that is wrong.
func ParsePointcut(text string) (Pointcut, error) {
	r := &reader{text: text}
	p, wrong := r.pointcut(0)
	if wrong == nil {
		wrong = r.end(p)
	}
	if wrong != nil {
		return nil, &annotation.DefinitionError{
			Problem: fmt.Sprintf("pointcut %q, character %d: %s", text, utf8.RuneCountInString(text[:wrong.at])+1, wrong.problem),
			Remedy:  wrong.remedy,
		}
	}
	return p, nil
}

// deepest is how far pointcuts may nest: more than anybody writes, and little enough for the stack.
const deepest = 1000

// reader reads a pointcut from its text.
type reader struct {
	text string
	at   int
}

// misreading is what is wrong with a text, and the index at which that is.
type misreading struct {
	at              int
	problem, remedy string
}

func wrongAt(at int, problem, remedy string) *misreading { return &misreading{at, problem, remedy} }

func (r *reader) rest() string { return r.text[r.at:] }

func (r *reader) space() { r.at = len(r.text) - len(strings.TrimLeftFunc(r.rest(), unicode.IsSpace)) }

// is reports whether sign comes next, and goes beyond it.
func (r *reader) is(sign string) bool {
	r.space()
	if !strings.HasPrefix(r.rest(), sign) {
		return false
	}
	r.at += len(sign)
	return true
}

// pointcut reads one pointcut, which depth others contain.
func (r *reader) pointcut(depth int) (*pointcut, *misreading) {
	r.space()
	from := r.at
	if depth > deepest {
		return nil, wrongAt(from, fmt.Sprintf("it nests deeper than %d pointcuts", deepest), "write or(...) of them side by side")
	}
	if word, open := call(r.rest()); open >= 0 {
		r.at += open + 1
		return r.call(from, word, depth)
	}
	if strings.HasPrefix(r.rest(), `"`) {
		ref, wrong := r.quoted()
		if wrong != nil {
			return nil, wrong
		}
		return r.valid(from, at(ref))
	}
	text := r.rest()
	if depth > 0 || !strings.Contains(text, "@") {
		text = text[:listEnd(text)]
	}
	r.at += len(text)
	text = strings.TrimSpace(text)
	switch {
	case text == wordAny:
		return Any().(*pointcut), nil
	case strings.LastIndexByte(text, '@') > 0 && !strings.HasPrefix(text, "!"):
		p, wrong := r.valid(from, at(text))
		if remedy := composed(text); wrong != nil && remedy != "" {
			return nil, wrongAt(from, fmt.Sprintf("%q is no pointcut", text), remedy)
		}
		return p, wrong
	}
	return nil, noPointcut(from, text)
}

// call reads what is in the parentheses of a word, and the one that closes.
func (r *reader) call(from int, word string, depth int) (*pointcut, *misreading) {
	switch word {
	case wordAnd, wordOr, wordNot, wordOptional:
		return r.composition(from, word, depth)
	case wordAnnotated, wordInterface, wordClass, wordMethod:
	default:
		return nil, noWord(from, word)
	}
	argument, wrong := r.argument(from, word)
	if wrong != nil {
		return nil, wrong
	}
	var p *pointcut
	switch word {
	case wordAnnotated:
		p = annotatedNamed(argument)
	case wordInterface:
		p = interfaceNamed(argument)
	case wordClass:
		p = Class(argument).(*pointcut)
	case wordMethod:
		p = methodNames(argument)
	}
	return r.valid(from, p)
}

// argument reads up to the parenthesis that closes.
func (r *reader) argument(from int, word string) (argument string, wrong *misreading) {
	r.space()
	if strings.HasPrefix(r.rest(), `"`) {
		if argument, wrong = r.quoted(); wrong != nil {
			return "", wrong
		}
		if !r.is(")") {
			return "", wrongAt(r.at, "there is no ) after the string", fmt.Sprintf("write %s(%q)", word, argument))
		}
		return argument, nil
	}
	end := closing(r.rest())
	if end < 0 {
		return "", notClosed(from, word)
	}
	argument = strings.TrimSpace(r.rest()[:end])
	r.at += end + 1
	return argument, nil
}

// composition reads a list of pointcuts, and the parenthesis that closes.
func (r *reader) composition(from int, word string, depth int) (*pointcut, *misreading) {
	var parts []Pointcut
	last := "" // the text of the one before
	for !r.is(")") {
		if len(parts) > 0 && !r.is(",") {
			if r.rest() == "" {
				return nil, notClosed(from, word)
			}
			return nil, r.unexpected(word)
		}
		if r.space(); r.rest() == "" {
			return nil, notClosed(from, word)
		}
		begin := r.at
		p, wrong := r.pointcut(depth + 1)
		if wrong != nil {
			return nil, r.unquoted(last, begin, wrong)
		}
		parts, last = append(parts, p), r.text[begin:r.at]
	}
	switch {
	case isUnary(word) && len(parts) != 1:
		return nil, wrongAt(from, fmt.Sprintf("%s of %d pointcuts", word, len(parts)), fmt.Sprintf("write %s of one, such as %s(or(P, P))", usages[word], word))
	case word == wordNot:
		return Not(parts[0]).(*pointcut), nil
	case word == wordOptional:
		return Optional(parts[0]).(*pointcut), nil
	case word == wordAnd:
		return And(parts...).(*pointcut), nil
	}
	return Or(parts...).(*pointcut), nil
}

// quoted reads a Go string.
func (r *reader) quoted() (string, *misreading) {
	quoted, err := strconv.QuotedPrefix(r.rest())
	if err != nil {
		return "", wrongAt(r.at, `a string is not closed, or has a sign that Go does not allow in one`, `write a Go string, such as "Pg*@Get*,Find"`)
	}
	text, _ := strconv.Unquote(quoted) // it is one, since it is the prefix that is
	r.at += len(quoted)
	return text, nil
}

// valid refuses a pointcut that is wrong in itself.
func (r *reader) valid(from int, p *pointcut) (*pointcut, *misreading) {
	if wrong := p.problems(); len(wrong) > 0 {
		problem, remedy, _ := strings.Cut(wrong[0], "; ")
		return nil, wrongAt(from, problem, remedy)
	}
	return p, nil
}

// end refuses what follows the whole pointcut p.
func (r *reader) end(p *pointcut) *misreading {
	if r.space(); r.rest() == "" {
		return nil
	}
	wrong := r.unexpected("")
	next := &reader{text: r.text, at: r.at}
	if q, no := next.pointcut(0); no == nil && strings.TrimSpace(next.rest()) == "" {
		wrong.remedy = "write " + And(p, q).String()
	}
	return wrong
}

// listEnd is where a pointcut without parentheses ends in a list.
func listEnd(s string) int {
	end := len(s)
	scan(s, func(i, depth int) bool {
		if depth < 0 || s[i] == ',' && depth == 0 {
			end = i
		}
		return end == len(s)
	})
	return end
}
