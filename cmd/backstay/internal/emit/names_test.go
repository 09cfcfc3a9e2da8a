package emit

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNumberedTakesTheFirstFreeName(t *testing.T) {
	n := names{"repo": true, "repo3": true}
	require.Equal(t, "repo2", n.numbered("repo"))
	require.Equal(t, "repo4", n.numbered("repo"))
	require.Equal(t, "other", n.numbered("other"))
	require.Equal(t, "other2", n.numbered("other"))
}

func TestUnderscoredAddsAsManyAsItNeeds(t *testing.T) {
	n := names{"p": true, "p_": true}
	require.Equal(t, "p__", n.underscored("p"))
	require.Equal(t, "p___", n.underscored("p"))
}

func TestEachKeepsTheUsersNames(t *testing.T) {
	for _, x := range []struct {
		used         []string
		wanted, want []string
	}{
		{nil, nil, []string{}},
		{nil, []string{"ctx", "order"}, []string{"ctx", "order"}},
		{nil, []string{"", "_", ""}, []string{"p0", "p1", "p2"}},
		{[]string{"c", "nil"}, []string{"c", "nil", "d"}, []string{"c_", "nil_", "d"}},
		{[]string{"c"}, []string{"c", "c_"}, []string{"c__", "c_"}},
		{nil, []string{"_", "p0"}, []string{"p0_", "p0"}},
		{[]string{"p0"}, []string{"_", "p0"}, []string{"p0_", "p0__"}},
		{[]string{"p"}, []string{"p", "p_", "_"}, []string{"p__", "p_", "p2"}},
	} {
		t.Run(fmt.Sprint(x.used, x.wanted), func(t *testing.T) {
			n := names{}
			n.add(x.used...)
			given := n.each(x.wanted, func(i int) string { return fmt.Sprintf("p%d", i) })
			require.Equal(t, x.want, given)
			for _, name := range given {
				require.True(t, n[name])
			}
		})
	}
}

func TestFirstLetters(t *testing.T) {
	for _, x := range []struct{ name, lower, upper string }{
		{"PaymentGateway", "paymentGateway", "PaymentGateway"},
		{"paymentGateway", "paymentGateway", "PaymentGateway"},
		{"HTTPClient", "httpClient", "HTTPClient"},
		{"ID", "id", "ID"},
		{"X", "x", "X"},
		{"XY", "xy", "XY"},
		{"Xy", "xy", "Xy"},
		{"URL2Path", "url2Path", "URL2Path"},
		{"Ölwechsel", "ölwechsel", "Ölwechsel"},
		{"ölwechsel", "ölwechsel", "Ölwechsel"},
		{"_x", "_x", "_x"},
		{"名", "名", "名"},
	} {
		t.Run(x.name, func(t *testing.T) {
			require.Equal(t, x.lower, lower(x.name))
			require.Equal(t, x.upper, upper(x.name))
		})
	}
}

func TestImportsOfOneNameAreToldApartByTheirPaths(t *testing.T) {
	m := newImports("example.com/shop")
	for path, name := range map[string]string{
		"example.com/a/model":    "model",
		"example.com/b/model":    "model",
		"example.com/c-d/model":  "model",
		"example.com/9/model":    "model",
		"example.com/x/a/model":  "model",
		"gopkg.in/yaml.v3":       "yaml",
		"math/rand/v2":           "rand",
		"example.com/shop/model": "shopmodel",
		"example.com/go-string":  "string",
		"strings":                "strings",
		"example.com/unused":     "unused",
	} {
		m.usePath(path, name)
	}
	m.choose(names{"strings": true, "string": true, "shopmodel2": true})
	for path, want := range map[string]string{
		aspectPath:               "aspect",
		"example.com/9/model":    "model",
		"example.com/a/model":    "amodel",
		"example.com/b/model":    "bmodel",
		"example.com/c-d/model":  "cdmodel",
		"example.com/shop/model": "shopmodel",
		"example.com/x/a/model":  "amodel2",
		"gopkg.in/yaml.v3":       "yaml",
		"math/rand/v2":           "rand",
		"example.com/go-string":  "examplecomstring",
		"strings":                "strings2",
	} {
		require.Equal(t, want, m.usePath(path, ""), path)
	}
	require.Equal(t, `	rand "math/rand/v2"
	strings2 "strings"

	"example.com/9/model"
	amodel "example.com/a/model"
	bmodel "example.com/b/model"
`, firstLines(m.String(), 6))
	require.NotContains(t, m.String(), "unused", "only what is used is imported")
}

func firstLines(text string, n int) string {
	for i, r := range text {
		if r == '\n' {
			if n--; n == 0 {
				return text[:i+1]
			}
		}
	}
	return text
}
