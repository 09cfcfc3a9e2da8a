package directive_test

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/backstay/backstay/cmd/backstay/internal/directive"
	"github.com/stretchr/testify/require"
)

func TestReferencesAreSplitAtCommasOutsideOfBrackets(t *testing.T) {
	tests := map[string][]directive.Ref{
		"A":                         {{Text: "A", Name: "A"}},
		" A , b_2":                  {{Text: "A", Name: "A"}, {Text: "b_2", Name: "b_2"}},
		"Ä":                         {{Text: "Ä", Name: "Ä"}},
		"Repo[string, Order],A":     {{Text: "Repo[string, Order]", Name: "Repo", Args: "string, Order"}, {Text: "A", Name: "A"}},
		"R[map[a]b,func(x,y) z],B":  {{Text: "R[map[a]b,func(x,y) z]", Name: "R", Args: "map[a]b,func(x,y) z"}, {Text: "B", Name: "B"}},
		"R[struct{a,b int}]":        {{Text: "R[struct{a,b int}]", Name: "R", Args: "struct{a,b int}"}},
		"io.Reader":                 {{Text: "io.Reader", Path: "io", Name: "Reader"}},
		"net/http.RoundTripper":     {{Text: "net/http.RoundTripper", Path: "net/http", Name: "RoundTripper"}},
		"gopkg.in/yaml.v3.Node":     {{Text: "gopkg.in/yaml.v3.Node", Path: "gopkg.in/yaml.v3", Name: "Node"}},
		"a.b/c-d/v2.R[x/y.Z,e.F]":   {{Text: "a.b/c-d/v2.R[x/y.Z,e.F]", Path: "a.b/c-d/v2", Name: "R", Args: "x/y.Z,e.F"}},
		"github.com/~me/x_y.Stream": {{Text: "github.com/~me/x_y.Stream", Path: "github.com/~me/x_y", Name: "Stream"}},
	}
	for list, want := range tests {
		t.Run(list, func(t *testing.T) {
			got, err := directive.ParseRefs(list)
			require.NoError(t, err)
			require.Equal(t, want, got)
		})
	}
}

func TestBadReferencesAreRefused(t *testing.T) {
	for _, list := range []string{"", "A,", "9", "_", ".A", "x.", "x/.A", "/x.A", "../x.A", "./x.A", "x/y", "A B", "A[", "A[]", "A[ ]", "A[int", "A]", "[int]", "A[int]B", "...", "./...", "x/....A", "file=x.A", "a//b.C", "-x"} {
		t.Run(list, func(t *testing.T) {
			_, err := directive.ParseRefs(list)
			require.ErrorContains(t, err, "-type ")
			require.NotContains(t, err.Error(), "\n")
		})
	}
	refs, err := directive.ParseRefs("A,9,B")
	require.Error(t, err)
	require.Len(t, refs, 2, "the good ones are kept")
}

func TestFlagsAreAcceptedBehindPatterns(t *testing.T) {
	o, err := directive.Parse([]string{"-type", "A", "./x", "-check", "-type=B,A", "-tags", "b a,b", "-tags=c", "./y", "-o", "z.go"})
	require.NoError(t, err)
	require.Len(t, o.Types, 3)
	require.Equal(t, "a,b,c", o.Tags)
	require.Equal(t, []string{"./x", "./y"}, o.Patterns)
	require.Equal(t, "z.go", o.Out)
	require.True(t, o.Check)

	_, err = directive.Parse([]string{"./x", "-h"})
	require.ErrorIs(t, err, flag.ErrHelp)
}

func TestDirectivesAreFoundHoweverTheyRunTheCommand(t *testing.T) {
	tests := map[string]struct {
		comment string
		want    []string // names asked for; nil: the comment is none of ours
	}{
		"by its short name":        {"//go:generate go tool backstay -type A", []string{"A"}},
		"by its path":              {"//go:generate go tool github.com/backstay/backstay/cmd/backstay -type A", []string{"A"}},
		"with flags of go tool":    {"//go:generate go tool -modfile=tools.mod backstay -type A", []string{"A"}},
		"with values of flags":     {"//go:generate go tool -modfile tools.mod backstay -type A", []string{"A"}},
		"by go run":                {"//go:generate go run github.com/backstay/backstay/cmd/backstay -type A", []string{"A"}},
		"of a version":             {"//go:generate go run -mod=mod github.com/backstay/backstay/cmd/backstay@v1.2.3 -type A", []string{"A"}},
		"from a directory":         {"//go:generate go run ../../cmd/backstay -type A", []string{"A"}},
		"installed":                {"//go:generate backstay -type A", []string{"A"}},
		"with tabs":                {"//go:generate\tgo\ttool\tbackstay\t-type\tA", []string{"A"}},
		"quoted":                   {`//go:generate go tool "backstay" "-type" "A, B[map[string]int]"`, []string{"A", "B"}},
		"with escapes":             {`//go:generate go tool backstay -type "A\x2cB"`, []string{"A", "B"}},
		"with variables":           {"//go:generate go tool backstay -type A${GOLINE}${GOPACKAGE}${DOLLAR}", nil},
		"named by -command":        {"//go:generate -command proxy go tool backstay -type A\n//go:generate proxy -type B", []string{"A", "B"}},
		"another tool":             {"//go:generate go tool stringer -type A", nil},
		"another command":          {"//go:generate mockgen backstay -type A", nil},
		"no verb of ours":          {"//go:generate go vet backstay", nil},
		"indented":                 {"\t//go:generate go tool backstay -type A", nil},
		"with a space":             {"// go:generate go tool backstay -type A", nil},
		"another word":             {"//go:generated go tool backstay -type A", nil},
		"without anything":         {"//go:generate", nil},
		"in a comment":             {"/*\n//go:generate go tool backstay -type A\n*/", nil},
		"in a string":              {"const s = `\n//go:generate go tool backstay -type A\n`", nil},
		"with an open quote":       {`//go:generate go tool backstay -type "A`, nil},
		"with a quote in a word":   {`//go:generate go tool backstay -type "A"B`, nil},
		"only flags":               {"//go:generate go tool -n", nil},
		"behind code that is off":  {"func (\n//go:generate go tool backstay -type A", []string{"A"}},
		"with the ends of Windows": {"//go:generate go tool backstay -type A\r\nvar x int\r\n", []string{"A"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("dir", "x.go")
			found := directive.In(file, "p", []byte("package p\n\n"+test.comment+"\n"))
			var names []string
			for _, d := range found {
				if name == "with variables" {
					require.ErrorContains(t, d.Err, "A3p$")
					continue
				}
				require.NoError(t, d.Err)
				require.Equal(t, file, d.Pos.Filename)
				require.Equal(t, 1, d.Pos.Column)
				for _, r := range d.Types {
					names = append(names, r.Name)
				}
			}
			require.Equal(t, test.want, names)
		})
	}
}

func TestADirectiveKnowsItsPlaceAndWhatIsWrongWithIt(t *testing.T) {
	found := directive.In("x.go", "p", []byte("package p\n//line y.go:100\n//go:generate go tool backstay -what\n"))
	require.Len(t, found, 1)
	require.Equal(t, "x.go:3:1", found[0].Pos.String())
	require.ErrorContains(t, found[0].Err, "-what")
}

func FuzzReferences(f *testing.F) {
	for _, s := range []string{"A", "A[int],b.C", "x/y.Z[map[a]b,c]", "A,,", "[[", "]],"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, list string) {
		refs, err := directive.ParseRefs(list)
		for _, r := range refs {
			again, bad := directive.ParseRefs(r.Text)
			require.NoError(t, bad)
			require.Equal(t, []directive.Ref{r}, again)
			require.NotContains(t, r.Path, "...")
		}
		if err == nil {
			require.NotEmpty(t, refs)
		}
	})
}

func FuzzDirectives(f *testing.F) {
	f.Add("//go:generate go tool backstay -type A")
	f.Add("//go:generate -command x go run\n//go:generate x y")
	f.Add("//go:generate go run -mod")
	f.Fuzz(func(t *testing.T, text string) {
		for _, d := range directive.In("x.go", "p", []byte("package p\n"+text)) {
			require.Equal(t, 1, d.Pos.Column)
			require.LessOrEqual(t, d.Pos.Line, strings.Count(text, "\n")+2)
		}
	})
}
