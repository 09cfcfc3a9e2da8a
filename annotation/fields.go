package annotation

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// field is a field of an annotation's own, which a tag sets by its key.
type field struct {
	name  string
	typ   reflect.Type
	index []int
}

// methodKey is the key of a tag that selects methods.
const methodKey = "method"

// readFields finds the exported fields, those of embedded structs included.
func (k *kind) readFields() {
	k.fields = map[string]field{}
	for _, f := range reflect.VisibleFields(k.typ) {
		if !f.IsExported() || f.Anonymous && f.Type.Kind() == reflect.Struct || throughPointer(k.typ, f.Index) {
			continue
		}
		key := lowerCamel(f.Name)
		if other, taken := k.fields[key]; taken {
			k.wrong(fmt.Sprintf("its fields %s and %s have one key, %s", other.name, f.Name, key), "rename one of them")
		}
		if key == methodKey {
			k.wrong(fmt.Sprintf("its field %s has the key %s, which selects methods", f.Name, key), "rename the field")
		}
		if k.retry && isAttributeKey(key) {
			k.wrong(fmt.Sprintf("its field %s has the key %s, which is an attribute's", f.Name, key), "rename the field")
		}
		k.fields[key] = field{f.Name, f.Type, f.Index}
	}
}

// throughPointer reports whether a field is one of a struct that is embedded by pointer: there is nothing to set it in.
func throughPointer(t reflect.Type, index []int) bool {
	for _, i := range index[:len(index)-1] {
		if t = t.Field(i).Type; t.Kind() == reflect.Pointer {
			return true
		}
	}
	return false
}

// lowerCamel is the key of a field: APIKey is apiKey, TTL is ttl, Tenant is tenant.
func lowerCamel(name string) string {
	runes := []rune(name)
	upper := 0
	for upper < len(runes) && unicode.IsUpper(runes[upper]) {
		upper++
	}
	if upper > 1 && upper < len(runes) && unicode.IsLower(runes[upper]) {
		upper-- // the last capital begins the next word
	}
	for i := range upper {
		runes[i] = unicode.ToLower(runes[i])
	}
	return string(runes)
}

// setter sets something of an annotation's own: a field, by a tag; or what the func given to Set sets.
type setter struct {
	typ   reflect.Type              // the annotation, or a part that it embeds
	apply func(reflect.Value) error // of an addressable value of that type
	key   string                    // of a tag
	text  string                    // of a tag
}

// parseOwn reads the value of an own field from a tag.
func (k *kind) parseOwn(key, text string) (setter, *flaw) {
	f := k.fields[key]
	v := reflect.New(f.typ).Elem()
	if fl := parseInto(v, text, true); fl != nil {
		return setter{}, fl
	}
	return setter{typ: k.typ, key: key, text: text, apply: func(a reflect.Value) error {
		a.FieldByIndex(f.index).Set(v)
		return nil
	}}, nil
}

var (
	durationType  = reflect.TypeFor[time.Duration]()
	unmarshalType = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// parseInto reads text into v. Lists and structs hold single values only, since both are written with commas.
func parseInto(v reflect.Value, text string, compound bool) *flaw {
	t := v.Type()
	switch {
	case reflect.PointerTo(t).Implements(unmarshalType):
		return unmarshal(v.Addr().Interface().(encoding.TextUnmarshaler), text)
	case t == durationType:
		d, fl := parseDuration(text)
		v.SetInt(int64(d))
		return fl
	}
	var err error
	switch t.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		b, fl := parseBool(text)
		v.SetBool(b)
		return fl
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		var n int64
		n, err = strconv.ParseInt(text, 10, t.Bits())
		v.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		var n uint64
		n, err = strconv.ParseUint(text, 10, t.Bits())
		v.SetUint(n)
	case reflect.Float32, reflect.Float64:
		x, fl := parseFloat(text)
		v.SetFloat(x)
		return fl
	case reflect.Slice:
		if compound {
			return parseSlice(v, text)
		}
		fallthrough
	case reflect.Struct:
		if compound {
			return parseStruct(v, text)
		}
		fallthrough
	default:
		return &flaw{problem: fmt.Sprintf("%v cannot be written in a tag", t), advice: "it in code, by annotation.Set"}
	}
	if err != nil {
		return &flaw{problem: fmt.Sprintf("%q is no %v", text, t), advice: fmt.Sprintf("a number that fits into %v", t)}
	}
	return nil
}

func unmarshal(u encoding.TextUnmarshaler, text string) (fl *flaw) {
	defer func() {
		if p := recover(); p != nil {
			fl = &flaw{problem: fmt.Sprintf("UnmarshalText panics: %v", p), advice: "what it accepts"}
		}
	}()
	if err := u.UnmarshalText([]byte(text)); err != nil {
		return &flaw{problem: err.Error(), advice: fmt.Sprintf("what %v takes", reflect.TypeOf(u).Elem())}
	}
	return nil
}

func parseSlice(v reflect.Value, text string) *flaw {
	items := splitList(text)
	if text == "" {
		items = nil
	}
	list := reflect.MakeSlice(v.Type(), len(items), len(items))
	for i, item := range items {
		if fl := parseInto(list.Index(i), item, false); fl != nil {
			return fl
		}
	}
	v.Set(list)
	return nil
}

func parseStruct(v reflect.Value, text string) *flaw {
	seen := map[string]bool{}
	for _, item := range strings.Split(text, ",") {
		key, value, ok := strings.Cut(strings.Trim(item, " "), "=")
		f, exists := fieldByKey(v, key)
		switch {
		case !ok:
			return &flaw{problem: fmt.Sprintf("%q has no =", item), advice: "key=value pairs by comma"}
		case !exists:
			return &flaw{problem: fmt.Sprintf("%v has no field with the key %s", v.Type(), key), advice: "the name of a field in lower camel case"}
		case seen[key]:
			return &flaw{problem: fmt.Sprintf("%s is there twice", key), advice: "it once"}
		}
		seen[key] = true
		if fl := parseInto(f, value, false); fl != nil {
			return fl
		}
	}
	return nil
}

func fieldByKey(v reflect.Value, key string) (reflect.Value, bool) {
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && lowerCamel(f.Name) == key {
			return v.Field(i), true
		}
	}
	return reflect.Value{}, false
}
