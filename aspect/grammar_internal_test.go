package aspect

import (
	"errors"
	"io"
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/backstay/backstay/annotation"
)

// What these tests ask candidates for cannot be reached through a weaver: it has no classes of any text.

type (
	seen      struct{ Level int }
	seenTwice struct{ seen }
	keeper    interface {
		Keep(item string) error
		Drop(item string)
	}
	dropper        interface{ Drop(item string) }
	shelf[T any]   interface{ Put(T) error }
	attic          struct{}
	rack[K, V any] struct{}
	errand         func(string) error
	tagged         = struct {
		A int `json:"a)"`
	}
	anonymous = interface{ Drop(item string) }
	deep      = map[string]func(rack[*attic, []int]) chan *seen
)

func (attic) Keep(string) error { return nil }
func (attic) Drop(string)       {}
func (*rack[K, V]) Put(K) error { return nil }
func (*rack[K, V]) Get() (v V)  { return v }
func (errand) Describe() string { return "" }

// local are pointcuts of types that are declared in a func. Two of one name are not told apart by it.
func local() (a, b Pointcut) {
	type loft struct{}
	type glance struct{ loft }
	return Annotated[glance](), Annotated[rack[loft, []*glance]]()
}

// typed are pointcuts of types and method expressions.
func typed() []Pointcut {
	a, b := local()
	return []Pointcut{
		a, b,
		Annotated[seen](), Annotated[seenTwice](), Annotated[*seen](), Annotated[rack[seen, *attic]](), Annotated[tagged](), Annotated[int](),
		Annotated[annotation.AbstractRetry](), Annotated[deep](), Annotated[chan *seen](), Annotated[**seen](), Annotated[func(...*seen) *attic](), Annotated[struct{ A, B *seen }](), Annotated[rack[tagged, anonymous]](), Annotated[[]*seen](),
		Interface[keeper](), Interface[dropper](), Interface[shelf[seen]](), Interface[shelf[map[string]rack[int, *seen]]](), Interface[anonymous](),
		Interface[errand](), Interface[func(string) error](), Interface[*attic](), Interface[io.Reader](), Interface[rand.Source](), Interface[any](),
		Method(keeper.Keep), Method(dropper.Drop), Method(attic.Keep), Method((*attic).Drop), Method((*rack[seen, tagged]).Put), Method(shelf[seen].Put),
		Method(anonymous.Drop), Method(errand.Describe), Method((*rack[string, func(...rack[int, error]) (a, b int)]).Get), Method(io.Reader.Read),
	}
}

// candidates are methods of services of many types.
func candidates() (all []*candidate) {
	for _, impl := range []reflect.Type{
		nil, reflect.TypeFor[attic](), reflect.TypeFor[*attic](), reflect.TypeFor[*rack[seen, tagged]](), reflect.TypeFor[errand](), reflect.TypeFor[func(string) error](),
	} {
		for _, i := range []reflect.Type{
			reflect.TypeFor[keeper](), reflect.TypeFor[dropper](), reflect.TypeFor[shelf[seen]](), reflect.TypeFor[anonymous](), reflect.TypeFor[errand](),
			reflect.TypeFor[func(string) error](), reflect.TypeFor[rand.Source](), reflect.TypeFor[io.ReadCloser](),
		} {
			named := impl
			if named == nil {
				named = i
			}
			for n, method := range []string{"Keep", "Drop", "Put", "Get", "Call", "Read", "Describe"} {
				all = append(all, &candidate{annotation.ClassOf(named), []string{"", "users"}[n%2], impl, []reflect.Type{i}, method, [][]annotation.Entry{
					nil, {{Annotation: seenTwice{}}}, {{Annotation: seen{}}, {Annotation: 7}}, {{Annotation: tagged{}}}, {{Annotation: rack[seen, *attic]{}}},
				}[n%5]})
			}
		}
	}
	return all
}

// candidatesNamed have a class of any text.
func candidatesNamed(class string) *candidate {
	return &candidate{class: annotation.ClassName{Short: class, Qualified: class, Full: class}, name: "users", method: "Get"}
}

// requireReadsBack wants that p is read back as it prints itself, as something that meets the same.
func requireReadsBack(t require.TestingT, p Pointcut, all []*candidate) {
	read, err := ParsePointcut(p.String())
	require.NoError(t, err)
	require.Equal(t, p.String(), read.String())
	for _, c := range all {
		require.Equal(t, p.(matcher).matches(c), read.(matcher).matches(c), "%v of %v, a %v, as %v", c.method, c.class, c.impl, c.interfaces)
	}
	require.Empty(t, read.(matcher).problems(), "one name has one meaning here")
}

func TestEveryPointcutOfTypesReadsBack(t *testing.T) {
	all := candidates()
	met := 0
	for _, p := range typed() {
		t.Run(p.String(), func(t *testing.T) {
			requireReadsBack(t, p, all)
			for _, c := range all {
				if p.(matcher).matches(c) {
					met++
					break
				}
			}
		})
	}
	require.Greater(t, met, 20, "most of them meet something")
}

// awkward are texts of signs that mean something in the grammar.
func awkward() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			"attic", "aspect", "any", "not", "class", "rack[", "seen", "K", "Get", "users", "*", "**", "/", ".", ",", " ", "(", ")", "[", "]", "{", "}", `"`, `\`, "`", "!", "@",
			"#", "\n", "é", "\xff", "\u00a0",
		}), 0, 6).Draw(t, "signs"), "")
	})
}

// pointcuts are any that this package makes.
func pointcuts(depth int) *rapid.Generator[Pointcut] {
	return rapid.Custom(func(t *rapid.T) Pointcut {
		kinds := 5
		if depth > 0 {
			kinds = 9
		}
		parts := func() []Pointcut { return rapid.SliceOfN(pointcuts(depth-1), 0, 3).Draw(t, "parts") }
		switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
		case 0:
			return Any()
		case 1:
			return Class(awkward().Draw(t, "class"))
		case 2:
			return Method(awkward().Draw(t, "methods"))
		case 3:
			return At(awkward().Draw(t, "class") + "@" + rapid.SampledFrom([]string{"Get", "*", "K*,Get", " Get , Put"}).Draw(t, "methods"))
		case 4:
			return rapid.SampledFrom(typed()).Draw(t, "typed")
		case 5:
			return Not(pointcuts(depth-1).Draw(t, "not"))
		case 6:
			return Optional(pointcuts(depth-1).Draw(t, "optional"))
		case 7:
			return And(parts()...)
		}
		return Or(parts()...)
	})
}

func TestEveryPointcutReadsBack(t *testing.T) {
	all := candidates()
	rapid.Check(t, func(t *rapid.T) {
		p := pointcuts(3).Draw(t, "pointcut")
		if wrong := p.(matcher).problems(); len(wrong) > 0 {
			_, err := ParsePointcut(p.String())
			require.Error(t, err, "what is wrong in code is wrong as text: %v", wrong)
			return
		}
		requireReadsBack(t, p, append(all, candidatesNamed(awkward().Draw(t, "candidate"))))
	})
}

// A text is refused with an explanation, or is a pointcut that prints itself in one line.
func FuzzParsePointcut(f *testing.F) {
	for _, p := range typed() {
		f.Add(p.String())
	}
	for _, seed := range []string{
		"and(class(a), not(method(b,c)))", `or("a@b,c", any)`, "a#b@c", "class((", `class("\n")`, "annotated(", "method(.)", "method(a[.b)", "any,", "", `"`, `""`, "!a@b",
		"or(a@b)c)", "optional(a@b)", "@", "a@b@c", "class(a]b)", `class("a"b)`, `class(a"b)`, "not(not(any)", "ｃlass(a)", "method(a.b, *.c)",
	} {
		f.Add(seed)
	}
	all := candidates()
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePointcut(text)
		if err != nil {
			d := new(annotation.DefinitionError)
			require.True(t, errors.As(err, &d))
			require.NotEmpty(t, d.Problem)
			require.NotEmpty(t, d.Remedy)
			require.NotContains(t, err.Error(), "\n")
			return
		}
		require.NotContains(t, p.String(), "\n")
		requireReadsBack(t, p, all)
	})
}

// A pointcut of names matches what one of its names matches, and its negation the rest.
func FuzzMethodPointcut(f *testing.F) {
	for _, seed := range []string{"Charge", "Charge,Refund", " Get* , *Out", "", ",", "!Charge", "**", "Ch*,!Charge", "*,*", "Charge(,)", "Charge,", "Charge Refund", "7", "é*"} {
		f.Add(seed, "Charge")
	}
	f.Fuzz(func(t *testing.T, names, method string) {
		p := Method(names)
		m := &candidate{method: method}
		matches := p.(matcher).matches(m)
		if strings.ContainsAny(names, "()[]{}\".") {
			return // a type, which the candidate has not
		}
		var one, wrong bool
		for name := range strings.SplitSeq(names, ",") {
			name = strings.TrimSpace(name)
			wrong = wrong || !isMethodGlob(name)
			one = one || isMethodGlob(name) && matchGlob(name, method)
		}
		require.Equal(t, wrong, len(p.(matcher).problems()) > 0, "what takes out, and what is none, is not taken for a name")
		require.Equal(t, one, matches)
		require.Equal(t, one, Or(p, p).(matcher).matches(m))
		require.Equal(t, one, And(p, Any()).(matcher).matches(m))
		require.Equal(t, !one, Not(p).(matcher).matches(m))
	})
}
