package emit

import "strings"

// list is a parameter list as source: of a func, or of type parameters.
type list struct{ names, types []string }

func (l *list) add(name, typ string) {
	l.names = append(l.names, name)
	l.types = append(l.types, typ)
}

// String has the type of neighbours of one type once.
func (l *list) String() string {
	var b strings.Builder
	for i, name := range l.names {
		if i > 0 {
			b.WriteString(", ")
		}
		if name == "" {
			b.WriteString(l.types[i])
			continue
		}
		b.WriteString(name)
		if i+1 == len(l.names) || l.types[i+1] != l.types[i] {
			b.WriteString(" " + l.types[i])
		}
	}
	return b.String()
}

func (l *list) parenthesized() string { return "(" + l.String() + ")" }

// asResults is the list as it follows the parameters.
func (l *list) asResults() string {
	switch {
	case len(l.types) == 0:
		return ""
	case len(l.types) == 1 && l.names[0] == "":
		return " " + l.types[0]
	}
	return " " + l.parenthesized()
}
