package aspect

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"

	"github.com/backstay/backstay/annotation"
)

// otherWords are words of other pointcut languages, and what is meant here.
var otherWords = map[string]string{
	"annotation": wordAnnotated, "kind": wordAnnotated, "within": wordClass, "bean": wordClass, "service": wordClass, "type": wordInterface,
	"all": wordAnd, "every": wordAny,
}

// otherRemedies are what is written instead of words of other pointcut languages, and of this package's own names in code,
// that have no word here.
var otherRemedies = map[string]string{
	"execution": "write Class@Method, such as Pg*@Get*",
	"call":      "write Class@Method, such as Pg*@Get*",
	"at":        "write the reference alone, such as Pg*@Get*",
}

// usages are how the words are written.
var usages = map[string]string{
	wordAnd: "and(P, P)", wordOr: "or(P, P)", wordNot: "not(P)", wordOptional: "optional(P)",
	wordClass: "class(GLOB)", wordMethod: "method(NAMES)", wordAnnotated: "annotated(TYPE)", wordInterface: "interface(TYPE)",
}

// noWord says that no pointcut is called that.
func noWord(at int, word string) *misreading {
	if word == wordAny {
		return wrongAt(at, "any takes nothing", "write any")
	}
	meant := otherWords[strings.ToLower(word)]
	if meant == "" {
		meant = nearWord(word)
	}
	remedy := "write one of " + strings.Join(words, ", ") + `, or a Class@Method, in quotes where it begins like this`
	if meant != "" {
		remedy = fmt.Sprintf("did you mean %s?", meant)
	}
	if other := otherRemedies[strings.ToLower(word)]; other != "" {
		remedy = other
	}
	return wrongAt(at, fmt.Sprintf("%s(...) is no pointcut", word), remedy)
}

// nearWord is the word that was probably meant; "" where none is near. Of one with three letters two are no slip.
func nearWord(word string) string {
	meant := annotation.NearMiss(word, words)
	if len(meant) > len(wordAny) || strings.EqualFold(word, meant) {
		return meant
	}
	if a, b := unlike(strings.ToLower(word), meant); len(a) <= 1 && len(b) <= 1 || len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0] {
		return meant
	}
	return ""
}

// unlike are two words without what they begin with and end in alike.
func unlike(a, b string) (string, string) {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// noPointcut says that a text without parentheses is no pointcut.
func noPointcut(at int, text string) *misreading {
	remedy := fmt.Sprintf("write %s, %s, or Class@Method", written(wordClass, text), written(wordMethod, text))
	if !isMethodGlob(text) {
		remedy = fmt.Sprintf("write %s, or Class@Method", written(wordClass, text))
	}
	switch {
	case text == "":
		return wrongAt(at, "a pointcut is missing", "write any, class(...), method(...) or Class@Method")
	case strings.HasPrefix(text, "!"):
		remedy = "write not(P)"
	case strings.HasPrefix(text, "@"):
		remedy = "write annotated(Type) for what carries an annotation, or *@Method"
	case text == "*" || text == "**" || strings.EqualFold(text, wordAny) || otherWords[strings.ToLower(text)] == wordAny:
		remedy = "did you mean any?"
	case inGo(text) != "":
		remedy = "write " + inGo(text)
	default:
		remedy = cmp.Or(composed(text), remedy)
	}
	return wrongAt(at, fmt.Sprintf("%q is no pointcut", text), remedy)
}

// composed is what is written instead of a text in which words stand without their parentheses; "" where that is not what is
// wrong with it.
func composed(text string) string {
	items := strings.Fields(text)
	first := strings.ToLower(items[0])
	if len(items) == 1 {
		if usage := usages[first]; usage != "" {
			return "write " + usage
		}
		return ""
	}
	for _, item := range items {
		switch strings.ToLower(item) {
		case wordAnd, "&&", "&":
			return "write and(P, P)"
		case wordOr, "||", "|":
			return "write or(P, P)"
		}
	}
	argument := strings.TrimSpace(strings.TrimSpace(text)[len(items[0]):])
	switch {
	case first == wordAny:
		return "write and(P, P), or or(P, P)"
	case isUnary(first) && len(items) == 2 && isPlain(argument) && (argument == wordAny || strings.ContainsAny(argument, "(@")):
		return "write " + first + "(" + argument + ")"
	case isUnary(first):
		return "write " + usages[first]
	case usages[first] != "":
		return "write " + written(first, argument)
	}
	return ""
}

// inGo is a pointcut that is written as in Go, such as aspect.Annotated[audit.Audited](), in words of the grammar; "" where it
// is none.
func inGo(text string) string {
	text, isQualified := strings.CutPrefix(text, "aspect.")
	end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		return ""
	}
	word, rest := strings.ToLower(text[:end]), strings.TrimSpace(text[end:])
	switch argument := strings.TrimSuffix(rest, "()"); {
	case word == wordAny && rest == "()":
		return wordAny
	case usages[word] == "":
		return ""
	case strings.HasPrefix(argument, "[") && strings.HasSuffix(argument, "]"):
		return written(word, strings.TrimSpace(argument[1:len(argument)-1]))
	case isQualified && strings.HasPrefix(rest, "("):
		return usages[word]
	}
	return ""
}

// unquoted tells of a part of a list that is no pointcut, but a method of the reference before it: that has to be quoted.
func (r *reader) unquoted(last string, begin int, wrong *misreading) *misreading {
	last = strings.TrimSpace(last)
	if strings.HasPrefix(last, `"`) || len(at(last).problems()) > 0 {
		return wrong
	}
	ref := last
	for _, item := range split(r.text[begin : begin+inParentheses(r.text[begin:])]) {
		if !isMethodGlob(item) || item == wordAny {
			break
		}
		ref += "," + item
	}
	if ref != last {
		wrong.remedy = "quote the reference: " + listedShorthand(ref)
	}
	return wrong
}

// inParentheses is how far s goes before the parenthesis that it stands in closes.
func inParentheses(s string) int {
	if end := closing(s); end >= 0 {
		return end
	}
	return len(s)
}

func notClosed(at int, word string) *misreading {
	return wrongAt(at, fmt.Sprintf("%s(...) is not closed", word), "write ) at its end")
}

// unexpected says that something follows a pointcut. In a list word is whose it is.
func (r *reader) unexpected(word string) *misreading {
	rest := r.rest()
	remedy := "leave it out"
	switch {
	case strings.HasPrefix(rest, "&") || strings.HasPrefix(rest, wordAnd+" "):
		remedy = "write and(P, P)"
	case strings.HasPrefix(rest, "|") || strings.HasPrefix(rest, wordOr+" "):
		remedy = "write or(P, P)"
	case strings.HasPrefix(rest, ","):
		remedy = "write or(P, P), or and(P, P)"
	case word != "":
		remedy = fmt.Sprintf("write a comma between the pointcuts of %s, and ) at its end", word)
	}
	if runes := []rune(rest); len(runes) > 20 {
		rest = string(runes[:20]) + "..."
	}
	return wrongAt(r.at, fmt.Sprintf("%q follows a pointcut", rest), remedy)
}
