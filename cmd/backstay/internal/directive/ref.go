package directive

import (
	"fmt"
	"go/token"
	"regexp"
	"strings"
)

// Ref is an interface as it is asked for: Name, Name[Args], path.Name or path.Name[Args].
type Ref struct {
	Text string // the whole
	Path string // import path, or the name of an imported package; empty: the package itself
	Name string
	Args string // what is between the brackets; empty: no brackets
}

// ParseRefs reads a list of references, separated by commas outside of brackets. It returns the good ones, and what is
// wrong with the first bad one.
func ParseRefs(list string) (refs []Ref, err error) {
	for _, text := range split(list) {
		ref, bad := parseRef(strings.TrimSpace(text))
		if bad != nil {
			if err == nil {
				err = bad
			}
			continue
		}
		refs = append(refs, ref)
	}
	return refs, err
}

// split splits at the commas that are in no brackets.
func split(list string) (parts []string) {
	depth, start := 0, 0
	for i := range len(list) {
		switch list[i] {
		case '[', '(', '{':
			depth++
		case ']', ')', '}':
			depth--
		case ',':
			if depth == 0 {
				parts, start = append(parts, list[start:i]), i+1
			}
		}
	}
	return append(parts, list[start:])
}

func parseRef(text string) (Ref, error) {
	r := Ref{Text: text}
	name, args, instance := strings.Cut(text, "[")
	if instance {
		inner, closed := strings.CutSuffix(args, "]")
		if !closed || strings.TrimSpace(inner) == "" {
			return r, fmt.Errorf("-type %s: the type arguments are incomplete; write for example Repo[string,Order]", quoted(text))
		}
		r.Args = strings.TrimSpace(inner)
	}
	r.Name = name
	if dot := strings.LastIndexByte(name, '.'); dot > strings.LastIndexByte(name, '/') {
		r.Path, r.Name = name[:dot], name[dot+1:]
	}
	if strings.HasPrefix(r.Path, "./") || strings.HasPrefix(r.Path, "../") || strings.HasPrefix(r.Path, "/") {
		return r, fmt.Errorf("-type %s: that is the path of a directory; write the package's import path", quoted(text))
	}
	if !token.IsIdentifier(r.Name) || r.Name == "_" || r.Path == "" && name != r.Name || r.Path != "" && !isPath.MatchString(r.Path) {
		return r, fmt.Errorf("-type %s: that names no interface; write Name, Name[Arg] or import/path.Name", quoted(text))
	}
	return r, nil
}

// isPath tells import paths from anything else, the patterns of the go command too.
var isPath = regexp.MustCompile(`^[\pL\pN_~-][\pL\pN_~+-]*([./][\pL\pN_~+-]+)*$`)

// quoted is the text as a reader recognizes it, empty or with spaces though it may be.
func quoted(text string) string {
	if text == "" || strings.ContainsAny(text, " \t") {
		return "'" + text + "'"
	}
	return text
}
