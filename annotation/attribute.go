package annotation

import (
	"strings"
	"unicode"

	"github.com/backstay/backstay/retry"
)

// attribute is one row of the table of attributes, whatever the type of its values.
type attribute interface {
	about() *header
	parse(text string) (any, *flaw) // of a tag's value
	check(v any) *flaw              // whether the value is in range
	same(a, b any) bool
	show(v any) string
	store(d *MethodDefinition, v any, from Origin)
	reset(d *MethodDefinition) // stores the table's default
	held(d *MethodDefinition) string
}

// header is what does not depend on the type of a row's values.
type header struct {
	key    string              // of a tag; "breaker.window" is window=... under the key breaker
	brings retry.PolicyFactory // the policy that enforces the attribute; the zero value: the session itself does
	unites unity
	index  int // in the table
}

// unity says what becomes of several settings of one attribute.
type unity uint8

const (
	highest    unity = iota // the one of the highest rank holds
	conditions              // those of the highest rank that has any condition at all unite
	all                     // all unite
)

// row is one attribute, with values of type T.
type row[T any] struct {
	header
	values  domain[T]
	initial T                                  // the default
	at      func(*retry.Settings) *T           // where it is kept
	keep    func(*MethodDefinition, T, Origin) // or how; then the default is not stored by the row
	tell    func(*MethodDefinition) string     // and what is kept then, as text; empty: nothing
}

// domain is a set of values: how they are written, read, compared, and which of them are right.
type domain[T any] struct {
	parse func(text string) (T, *flaw)
	check func(T) *flaw     // nil: all are right
	same  func(a, b T) bool // nil where several unite
	show  func(T) string
}

func (r *row[T]) about() *header { return &r.header }

func (r *row[T]) parse(text string) (any, *flaw) { return r.values.parse(text) }

func (r *row[T]) check(v any) *flaw {
	if r.values.check == nil {
		return nil
	}
	return r.values.check(v.(T))
}

func (r *row[T]) same(a, b any) bool { return r.values.same(a.(T), b.(T)) }

func (r *row[T]) show(v any) string { return r.values.show(v.(T)) }

func (r *row[T]) store(d *MethodDefinition, v any, from Origin) {
	if r.keep != nil {
		r.keep(d, v.(T), from)
		return
	}
	*r.at(&d.Settings) = v.(T)
}

func (r *row[T]) reset(d *MethodDefinition) {
	if r.at != nil {
		*r.at(&d.Settings) = r.initial
	}
}

// held is what the definition has, as text; empty: nothing.
func (r *row[T]) held(d *MethodDefinition) string {
	if r.tell != nil {
		return r.tell(d)
	}
	return r.show(*r.at(&d.Settings))
}

// to is the option that sets the attribute to v.
func (r *row[T]) to(v T) Option {
	return Option{&option{settings: []setting{{r, v}}}}
}

// setting is an attribute and the value that it is set to.
type setting struct {
	attr  attribute
	value any
}

// group is the tag key that the attribute is written under, and the rest of its own key: "breaker" and "window". The rest
// is empty for an attribute that has a tag key to itself.
func (h *header) group() (key, rest string) {
	key, rest, _ = strings.Cut(h.key, ".")
	return key, rest
}

func (h *header) optionName() string {
	key, _ := h.group()
	return upperFirst(key)
}

// inCode is an option as it is written in code.
func (h *header) inCode(value string) string {
	return h.optionName() + "(" + value + ")"
}

// inCode is the setting as it is written in code.
func (s setting) inCode() string {
	h, value := s.attr.about(), s.attr.show(s.value)
	if _, rest := h.group(); rest != "" {
		value = s.fieldName() + ": " + value
	}
	return h.inCode(value)
}

// fieldName is the field that the setting is in the struct of its group. A window is one key of a tag, and two fields.
func (s setting) fieldName() string {
	if w, ok := s.value.(window); ok && w.calls == 0 && w.time != 0 {
		return "WindowTime"
	}
	_, rest := s.attr.about().group()
	return fieldName(rest)
}

// inTag is a setting as it is written in a tag.
func (h *header) inTag(value string) string {
	key, rest := h.group()
	if rest != "" {
		value = rest + "=" + value
	}
	return tagged(key, value)
}

// tagged is a pair of a tag. The value is not quoted anew, so that a message reads as the tag does.
func tagged(key, value string) string { return key + `:"` + value + `"` }

// fieldName is the field, in the struct of a group, that has the key.
func fieldName(key string) string {
	if key == "ttl" {
		return "TTL"
	}
	return upperFirst(key)
}

func upperFirst(s string) string {
	r := []rune(s)
	r[0] = unicode.ToUpper(r[0])
	return string(r)
}

// mistakeInCode is the flaw of a value that an option was given.
func (s setting) mistakeInCode(f *flaw) mistake { return f.mistake(s.inCode(), f.code) }

// mistakeInTag is the flaw of a value in a tag.
func (h *header) mistakeInTag(text string, f *flaw) mistake {
	right := ""
	if f.tag != "" {
		right = h.inTag(f.tag)
	}
	return f.mistake("tag "+h.inTag(text), right)
}

func (f *flaw) mistake(written, right string) mistake {
	if right == "" {
		right = f.advice
	}
	if right != "" {
		right = "write " + right
	}
	return mistake{problem: written + ": " + f.problem, remedy: right}
}
