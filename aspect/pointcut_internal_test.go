package aspect

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
)

func TestMatchGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true},
		{"", "a", false},
		{"a", "", false},
		{"a", "a", true},
		{"a", "A", false},
		{"a", "ab", false},
		{"b", "ab", false},
		{"*", "", true},
		{"*", "abc", true},
		{"*", "a/b", false},
		{"*", "a.b", true},
		{"**", "", true},
		{"**", "a/b/c", true},
		{"***", "a/b", true},
		{"a*", "a", true},
		{"a*", "abc", true},
		{"*c", "abc", true},
		{"*c", "a/c", false},
		{"**c", "a/c", true},
		{"a*c", "ac", true},
		{"a*c", "abbc", true},
		{"a*c", "ab/c", false},
		{"a**c", "ab/c", true},
		{"a*b*c", "a1b2c", true},
		{"a*b*c", "a1c2b", false},
		{"*a*a*", "banana", true},
		{"*/*", "a/b", true},
		{"*/*", "a/b/c", false},
		{"**/c", "a/b/c", true},
		{"**/c", "c", false},
		{"a/**", "a/", true},
		{"a/*/c", "a//c", true},
		{"a?c", "abc", false},
		{"a.c", "abc", false},
		{"[ab]", "a", false},
		{"[ab]", "[ab]", true},
		{`a\*`, `a\bc`, true},
		{"é*", "éa", true},
	} {
		t.Run(c.pattern+" "+c.text, func(t *testing.T) {
			require.Equal(t, c.want, matchGlob(c.pattern, c.text))
		})
	}
	require.False(t, matchGlob(strings.Repeat("*a", 200), strings.Repeat("a", 1000)+"b"), "it takes no exponential time")
}

// hyperf:7.7 The rows are those of the ancestor's tests of its rules; a rule Class::method is And(Class, Method) here, and
// its backslashes are slashes. Where it asks about a class alone, to know whether to rewrite it, its methods are asked for.
func TestRulesOfTheAncestor(t *testing.T) {
	for _, c := range []struct {
		class, method   string // the rule; no method: all
		target, targets string // class and method that are asked for
		want            bool
	}{
		{"Foo/Bar", "", "Foo/Bar", "test", true},
		{"Foo/Bar", "", "Foo/Bar", "method", true},
		{"Foo/Bar", "", "Foo/Bar/Baz", "test", false},
		{"Foo/B*", "", "Foo/Bar", "test", true},
		{"F*/Bar", "", "Foo/Bar", "test", true},
		{"F*/Bar", "", "Foo/Bar/Baz", "test", false},
		{"F*/Ba*", "", "Foo/Bar", "test", true},
		{"F*/Ba*", "", "Foo/Bar", "method", true},
		{"Foo/Bar", "method", "Foo/Bar", "method", true},
		{"Foo/Bar", "method", "Foo/Bar", "test", false},
		{"Foo/Bar", "method", "Foo/Bar/Baz", "method", false},
		{"Foo/Bar", "metho*", "Foo/Bar", "method", true},
		{"Foo/Bar", "metho*", "Foo/Bar", "method2", true},
		{"Foo/Bar", "metho*", "Foo/Bar", "test", false},
		{"Foo/Bar", "metho*", "Foo/Bar/Baz", "method", false},
		{"Demo*", "", "Demo", "test1", true},
		{"Demo*", "", "DemoUser", "test1", true},
		{"Demo", "test*", "Demo", "test1", true},
		{"Demo", "test*", "Demo", "no", false},
		{"*", "", "A", "m", true},
		{"*", "m", "A", "m", true},
		{"*", "m", "A", "mm", false},
		{"A/B", "*", "A/B", "m", true},
		{"A/B", "", "a/b", "m", false},
		{"A/B", "", "A/BX", "m", false},
		{"A/*", "m", "A/B", "mm", false},

		// Ours differs: the ancestor's star crosses into deeper namespaces, ours stays within a segment, so that a rule for a
		// package does not silently take in what is below it. Two stars cross.
		{"Foo/B*", "", "Foo/Bar/Baz", "test", false},
		{"Foo/B**", "", "Foo/Bar/Baz", "test", true},
		{"F*/Ba*", "", "Foo/Bar/Baz", "test", false},
		{"F*/Ba**", "", "Foo/Bar/Baz", "test", true},
		{"A/*", "", "A/B/C", "m", false},
		{"A/**", "", "A/B/C", "m", true},
		{"A/*/C", "", "A/C", "m", false},
		{"*", "", "A/B", "m", false},
		{"**", "", "A/B", "m", true},

		// Ours differs: the ancestor takes a dot for any character, once there is a star in the rule.
		{"F.o/B*", "", "Foo/Bar", "test", false},
	} {
		name := c.class + "::" + c.method + " " + c.target + "::" + c.targets
		t.Run(name, func(t *testing.T) {
			p := And(Class(c.class), Any())
			if c.method != "" {
				p = And(Class(c.class), Method(c.method))
			}
			got := p.(matcher).matches(&candidate{class: annotation.ClassName{Short: c.target, Qualified: c.target, Full: c.target}, method: c.targets})
			require.Equal(t, c.want, got)
		})
	}
}

// What a glob matches is what the same thing as a regular expression matches.
func FuzzMatchGlob(f *testing.F) {
	for _, seed := range [][2]string{
		{"a*/b**", "a/b"}, {"**", ""}, {"***a*", "b/a"}, {"*é*", "xéy"}, {"**/*", "a//"}, {"[ab].(c)", "a"}, {"*\n", "a\n"}, {`\*`, `\\`},
	} {
		f.Add(seed[0], seed[1])
	}
	stars := regexp.MustCompile(`(?:\\\*)+`)
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if !utf8.ValidString(pattern) || !utf8.ValidString(text) {
			matchGlob(pattern, text) // no regular expression tells, but it is not to panic
			return
		}
		re := stars.ReplaceAllStringFunc(regexp.QuoteMeta(pattern), func(run string) string {
			if len(run) > len(`\*`) {
				return ".*"
			}
			return "[^/]*"
		})
		require.Equal(t, regexp.MustCompile("(?s)^"+re+"$").MatchString(text), matchGlob(pattern, text))
	})
}
