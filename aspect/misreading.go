package aspect

import (
	"fmt"
	"strings"

	"github.com/backstay/backstay/annotation"
)

// otherWords are words of other pointcut languages, and what is meant here.
var otherWords = map[string]string{
	"annotation": wordAnnotated, "kind": wordAnnotated, "within": wordClass, "bean": wordClass, "service": wordClass, "type": wordInterface,
	"execution": wordMethod, "call": wordMethod, "all": wordAnd, "every": wordAny,
}

// noWord says that no pointcut is called that.
func noWord(at int, word string) *misreading {
	if word == wordAny {
		return wrongAt(at, "any takes nothing", "write any")
	}
	meant := otherWords[strings.ToLower(word)]
	if meant == "" {
		meant = annotation.NearMiss(word, words)
	}
	remedy := "write one of " + strings.Join(words, ", ") + `, or a Class@Method, in quotes where it begins like this`
	if meant != "" {
		remedy = fmt.Sprintf("did you mean %s?", meant)
	}
	return wrongAt(at, fmt.Sprintf("%s(...) is no pointcut", word), remedy)
}

// noPointcut says that a text without parentheses is no pointcut.
func noPointcut(at int, text string) *misreading {
	remedy := fmt.Sprintf("write %s, %s, or Class@Method", written(wordClass, text), written(wordMethod, text))
	switch {
	case text == "":
		return wrongAt(at, "a pointcut is missing", "write any, class(...), method(...) or Class@Method")
	case strings.HasPrefix(text, "!"):
		remedy = "write not(P)"
	case strings.HasPrefix(text, "@"):
		remedy = "write annotated(Type) for what carries an annotation, or *@Method"
	case text == "*" || text == "**" || strings.EqualFold(text, wordAny) || otherWords[strings.ToLower(text)] == wordAny:
		remedy = "did you mean any?"
	}
	return wrongAt(at, fmt.Sprintf("%q is no pointcut", text), remedy)
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
