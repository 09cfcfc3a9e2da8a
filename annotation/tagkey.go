package annotation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/backstay/backstay/retry"
)

// readKey reads one key of a tag other than the one that selects methods.
func (l *layer) readKey(k *kind, key, text string) {
	if _, own := k.fields[key]; own {
		s, fl := k.parseOwn(key, text)
		if fl != nil {
			l.mistakes = append(l.mistakes, fl.inOwnField(key, text))
			return
		}
		l.sets = append(l.sets, s)
		return
	}
	if !k.retry {
		l.unknownKey(k, key, text)
		return
	}
	if key == policiesKey {
		l.readPolicies(text)
		return
	}
	a, isGroup := lookup(key)
	switch {
	case isGroup:
		l.readGroup(key, text)
	case a != nil:
		l.readAttribute(a, text)
	default:
		l.unknownKey(k, key, text)
	}
}

func (f *flaw) inOwnField(key, text string) mistake {
	right := ""
	if f.tag != "" {
		right = tagged(key, f.tag)
	}
	return f.mistake("tag "+tagged(key, text), right)
}

func (l *layer) readAttribute(a attribute, text string) {
	v, fl := a.parse(text)
	if fl == nil {
		fl = a.check(v)
	}
	if fl != nil {
		l.mistakes = append(l.mistakes, a.about().mistakeInTag(text, fl))
		return
	}
	l.set(setting{a, v})
}

// readGroup reads key=value pairs by comma.
func (l *layer) readGroup(group, text string) {
	seen := map[string]bool{}
	for _, item := range strings.Split(text, ",") {
		key, value, ok := strings.Cut(strings.Trim(item, " "), "=")
		a, _ := lookup(group + "." + key)
		switch {
		case !ok:
			l.wrong(fmt.Sprintf("tag %s: %q has no =", tagged(group, text), item), "write key=value pairs by comma")
		case a == nil:
			remedy := oneOf(groupKeys(group))
			if near := NearMiss(key, groupKeys(group)); near != "" {
				remedy = "write " + near
			}
			l.wrong(fmt.Sprintf("tag %s: there is no %s in a %s", tagged(group, text), key, group), remedy)
		case seen[key]:
			l.wrong(fmt.Sprintf("tag %s: %s is there twice", tagged(group, text), key), "write it once")
		default:
			l.readAttribute(a, value)
		}
		seen[key] = true
	}
}

// readPolicies reads a list of the kinds of built-in policies.
func (l *layer) readPolicies(text string) {
	var list listing
	var kinds []string
	for _, f := range retry.BuiltinPolicies() {
		kinds = append(kinds, f.Kind())
	}
	for _, item := range splitList(text) {
		i := slices.Index(kinds, item)
		if i >= 0 {
			list.factories = append(list.factories, retry.BuiltinPolicies()[i])
			continue
		}
		remedy := "write a policy of your own in code, by annotation.Policies"
		if near := NearMiss(item, kinds); near != "" {
			remedy = "write " + near
		}
		l.wrong(fmt.Sprintf("tag %s: %q is no built-in policy", tagged(policiesKey, text), item), remedy)
	}
	if len(list.factories) > 0 {
		l.lists = append(l.lists, list)
	}
}

func (l *layer) unknownKey(k *kind, key, text string) {
	if !k.retry && isAttributeKey(key) {
		l.wrong(fmt.Sprintf("tag %s: this is no retry annotation, and has no attributes", tagged(key, text)), "embed annotation.AbstractRetry, or leave it out")
		return
	}
	known := []string{methodKey}
	for own := range k.fields {
		known = append(known, own)
	}
	slices.Sort(known)
	if k.retry {
		known = append(known, attributeKeys()...)
	}
	remedy := "write an attribute or an own field in lower camel case"
	if near := NearMiss(key, known); near != "" {
		remedy = "write " + near
	} else if !k.retry {
		remedy = oneOf(known)
	}
	l.wrong(fmt.Sprintf("tag %s: there is no attribute or field %s", tagged(key, text), key), remedy)
}
