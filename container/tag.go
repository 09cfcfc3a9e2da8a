package container

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/backstay/backstay/annotation"
)

// group is a value group that a service is in, or that a constructor takes.
type group struct {
	name           string
	flatten        bool
	soft, required bool
}

// The options that a group may have after a comma: of who is in it, and of who takes it.
var (
	memberOptions = []string{"flatten"}
	takerOptions  = []string{"soft", "required"}
)

// parseGroup reads a group's name and, after commas, the options that are allowed there. The problem is empty if there
// is none.
func parseGroup(text string, allowed []string) (g group, problem string) {
	parts := strings.Split(text, ",")
	g.name = parts[0]
	if g.name == "" {
		return g, "the group has no name"
	}
	for _, p := range parts[1:] {
		switch {
		case !slices.Contains(allowed, p):
			return g, fmt.Sprintf("%q is not known here", p)
		case p == "soft":
			g.soft = true
		case p == "required":
			g.required = true
		case p == "flatten":
			g.flatten = true
		}
	}
	return g, ""
}

// fieldTag is what the tag of a field of an In or Out struct says.
type fieldTag struct {
	name     string
	optional bool
	group    *group
}

var (
	inKeys       = []string{"name", "optional", "group"}
	outKeys      = []string{"name", "group"}
	sentinelKeys = []string{"ignore-unexported"} // of an embedded In
)

// parseTag reads the tag of a field of a struct that embeds In or Out. dig forgives what it does not know, so that
// `nmae:"x"` would ask for another service without a word; here it is a problem, said with its remedy.
func parseTag(tag reflect.StructTag, keys []string) (t fieldTag, problem, remedy string) {
	pairs, ok := tagPairs(string(tag))
	if !ok {
		return t, fmt.Sprintf("the tag %q is malformed", tag), `write it as key:"value" pairs with one space between them`
	}
	seen := map[string]bool{}
	for _, p := range pairs {
		k, v := p[0], p[1]
		switch {
		case !slices.Contains(keys, k):
			remedy = "known here: " + strings.Join(keys, ", ")
			if near := annotation.NearMiss(k, keys); near != "" {
				remedy = "did you mean " + near + "?"
			}
			return t, fmt.Sprintf("the tag key %q is not known", k), remedy
		case seen[k]:
			return t, fmt.Sprintf("the tag key %q is there twice", k), "write it once"
		}
		seen[k] = true
		switch k {
		case "name":
			if problem, remedy = wrongName(v); problem != "" && v != "" && slices.Equal(keys, outKeys) {
				return t, problem, remedy // an empty one is none, as for dig
			}
			t.name = v
		case "optional", "ignore-unexported":
			yes, err := strconv.ParseBool(v)
			if err != nil {
				return t, fmt.Sprintf("%s:%q is neither true nor false", k, v), fmt.Sprintf(`write %s:"true"`, k)
			}
			t.optional = yes
		case "group":
			allowed := takerOptions
			if !slices.Contains(keys, "optional") {
				allowed = memberOptions
			}
			g, wrong := parseGroup(v, allowed)
			if wrong != "" {
				return t, fmt.Sprintf("group:%q: %s", v, wrong), fmt.Sprintf(`write group:"name" or group:"name,%s"`, strings.Join(allowed, ","))
			}
			t.group = &g
		}
	}
	if t.group != nil && (t.name != "" || t.optional) && slices.Contains(keys, "optional") {
		return t, "a group has neither a name nor is it optional: without services it is empty", "leave name and optional out"
	}
	return t, "", ""
}

// tagPairs splits a tag into keys and values, strictly.
func tagPairs(tag string) (pairs [][2]string, ok bool) {
	for tag != "" {
		colon := strings.Index(tag, `:"`)
		if colon <= 0 || strings.ContainsAny(tag[:colon], " \t\n\"") {
			return nil, false
		}
		k := tag[:colon]
		quoted, err := strconv.QuotedPrefix(tag[colon+1:])
		if err != nil {
			return nil, false
		}
		v, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, false
		}
		pairs = append(pairs, [2]string{k, v})
		tag = strings.TrimLeft(tag[colon+1+len(quoted):], " ")
	}
	return pairs, true
}
