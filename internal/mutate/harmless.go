package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// harmless is a line that somebody has looked at and found that a mutant there changes nothing that can be told from
// outside, or nothing that matters. It is found by what the line says, so that it outlives changes elsewhere.
type harmless struct {
	file, fn, line, op string
	did                string // if not empty, the one mutant that is meant
	reason             string
	at                 int // its line in the file of declarations
	used               bool
}

// readHarmless reads declarations. Each is some lines of "key: value", with the keys file, func, line, op and why, and
// perhaps did; an empty line ends it. Lines that begin with # are comments. A file that is not there declares nothing.
func readHarmless(path string) ([]*harmless, error) {
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var all []*harmless
	var h *harmless
	end := func() error {
		if h == nil {
			return nil
		}
		for key, value := range map[string]string{"file": h.file, "line": h.line, "op": h.op, "why": h.reason} {
			if value == "" {
				return fmt.Errorf("%s:%d: the entry has no %q; write what it holds for, and why", path, h.at, key)
			}
		}
		if !slices.Contains(operators, h.op) {
			return fmt.Errorf("%s:%d: no operator is called %q; write one of %s", path, h.at, h.op, strings.Join(operators, ", "))
		}
		all, h = append(all, h), nil
		return nil
	}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		if line == "" {
			if err := end(); err != nil {
				return nil, err
			}
			continue
		}
		if h == nil {
			h = &harmless{at: number}
		}
		key, value, _ := strings.Cut(line, ":")
		if !h.set(key, strings.TrimSpace(value)) {
			return nil, fmt.Errorf("%s:%d: no key is called %q; write file, func, line, op, did or why", path, number, key)
		}
	}
	return all, end()
}

func (h *harmless) set(key, value string) bool {
	switch key {
	case "file":
		h.file = value
	case "func":
		h.fn = value
	case "line":
		h.line = value
	case "op":
		h.op = value
	case "did":
		h.did = value
	case "why":
		h.reason = value
	default:
		return false
	}
	return true
}

// matches reports whether the declaration is about a mutant.
func (h *harmless) matches(p *sourcePackage, m *mutant) bool {
	return h.op == m.op && h.fn == m.fn && (h.did == "" || h.did == m.did) &&
		h.file == p.relative(m.pos.Filename) && h.line == m.line()
}

// line is the source line of a mutant, without the space around it.
func (m *mutant) line() string {
	from := lineStart(m.file.text, m.pos.Line)
	to := lineStart(m.file.text, m.pos.Line+1)
	return strings.TrimSpace(string(m.file.text[from:to]))
}
