package aspect_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// looking is a weaver with an aspect that looks at calls: before and after them, once each.
func looking(before, after func(jp aspect.JoinPoint)) *aspect.Weaver {
	return aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, aspect.Func(func(jp aspect.JoinPoint) error {
		before(jp)
		err := jp.Proceed()
		after(jp)
		return err
	})))
}

func TestAJoinPointDescribesItsCall(t *testing.T) {
	const path = "github.com/backstay/backstay/aspect_test."
	fails := &Stripe{refund: func(context.Context, string) error { return errDown }}
	for _, c := range []struct {
		name          string
		call          func(t *testing.T, w *aspect.Weaver)
		ref           string
		method        annotation.Method
		class         annotation.ClassName
		args, zeros   []any
		results       []any
		isItsContext0 bool
	}{
		{
			"a method of an interface",
			func(t *testing.T, w *aspect.Weaver) {
				_, _ = wrapped[Gateway](t, w, &Stripe{}).Charge(t.Context(), "7", 5)
			},
			"Stripe@Charge",
			annotation.Method{Name: "Charge", Type: reflect.TypeFor[func(context.Context, string, int) (string, error)]()},
			annotation.ClassName{Short: "Stripe", Qualified: "aspect_test.Stripe", Full: path + "Stripe"},
			[]any{nil, "7", 5}, []any{"", nil}, []any{"paid 7", nil}, true,
		},
		{
			"one that fails",
			func(t *testing.T, w *aspect.Weaver) { _ = wrapped[Gateway](t, w, fails).Refund(t.Context(), "7") },
			"Stripe@Refund",
			annotation.Method{Name: "Refund", Type: reflect.TypeFor[func(context.Context, string) error]()},
			annotation.ClassName{Short: "Stripe", Qualified: "aspect_test.Stripe", Full: path + "Stripe"},
			[]any{nil, "7"}, []any{nil}, []any{errDown}, true,
		},
		{
			"a variadic one",
			func(t *testing.T, w *aspect.Weaver) { wrapped[Gateway](t, w, &Stripe{}).Tags("a", "b") },
			"Stripe@Tags",
			annotation.Method{Name: "Tags", Type: reflect.TypeFor[func(...string) []string]()},
			annotation.ClassName{Short: "Stripe", Qualified: "aspect_test.Stripe", Full: path + "Stripe"},
			[]any{[]string{"a", "b"}}, []any{[]string(nil)}, []any{[]string{"a", "b"}}, false,
		},
		{
			"one without parameters, of a class by value",
			func(t *testing.T, w *aspect.Weaver) { wrapped[namer](t, w, named{}).Name() },
			"named@Name",
			annotation.Method{Name: "Name", Type: reflect.TypeFor[func() string]()},
			annotation.ClassName{Short: "named", Qualified: "aspect_test.named", Full: path + "named"},
			[]any{}, []any{""}, []any{"it"}, false,
		},
		{
			"a method of a generic interface",
			func(t *testing.T, w *aspect.Weaver) {
				_ = wrapped[Repo[User]](t, w, &PgRepo[User]{}).Save(User{"Ann"})
			},
			"PgRepo[User]@Save",
			annotation.Method{Name: "Save", Type: reflect.TypeFor[func(User) error]()},
			annotation.ClassName{Short: "PgRepo[User]", Qualified: "aspect_test.PgRepo[aspect_test.User]", Full: path + "PgRepo[" + path + "User]"},
			[]any{User{"Ann"}}, []any{nil}, []any{nil}, false,
		},
		{
			"a func",
			func(t *testing.T, w *aspect.Weaver) {
				_ = wrapped[Job](t, w, func(context.Context) error { return errDown })(t.Context())
			},
			"Job@Call",
			annotation.Method{Name: "Call", Type: reflect.TypeFor[Job]()},
			annotation.ClassName{Short: "Job", Qualified: "aspect_test.Job", Full: path + "Job"},
			[]any{nil}, []any{nil}, []any{errDown}, true,
		},
		{
			"a variadic func of an unnamed type",
			func(t *testing.T, w *aspect.Weaver) {
				wrapped(t, w, func(n int, more ...int) int { return n + len(more) })(1, 2, 3)
			},
			"func(int, ...int) int@Call",
			annotation.Method{Name: "Call", Type: reflect.TypeFor[func(int, ...int) int]()},
			annotation.ClassName{Short: "func(int, ...int) int", Qualified: "func(int, ...int) int", Full: "func(int, ...int) int"},
			[]any{1, []int{2, 3}}, []any{0}, []any{3}, false,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.isItsContext0 {
				c.args[0] = t.Context()
			}
			looked := 0
			c.call(t, looking(func(jp aspect.JoinPoint) {
				looked++
				require.Equal(t, c.ref, jp.Ref().String())
				require.Equal(t, c.method, jp.Method())
				require.Equal(t, c.class, jp.Class())
				require.Equal(t, len(c.args), jp.NumArg())
				require.Equal(t, len(c.results), jp.NumResult())
				require.Equal(t, c.args, jp.Args())
				require.Equal(t, c.zeros, jp.Results(), "nothing has returned yet")
			}, func(jp aspect.JoinPoint) {
				looked++
				require.Equal(t, c.args, jp.Args())
				require.Equal(t, c.results, jp.Results())
			}))
			require.Equal(t, 2, looked)
		})
	}
}

// named has a method with a value receiver.
type named struct{}

func (named) Name() string { return "it" }

func TestArgsAndResultsAreCopies(t *testing.T) {
	s := &Stripe{}
	w := looking(func(jp aspect.JoinPoint) { jp.Args()[1] = "8" }, func(jp aspect.JoinPoint) {
		jp.Results()[0] = "lost"
		require.Equal(t, "7", jp.Args()[1])
		require.Equal(t, "paid 7", jp.Results()[0])
	})
	receipt, err := wrapped[Gateway](t, w, s).Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, "paid 7", receipt)
}

func TestArgsAndResultsAreWhatAspectsHaveMadeOfThem(t *testing.T) {
	g := around(t, &Stripe{}, func(jp aspect.JoinPoint) error {
		aspect.SetArg(jp, 1, "8")
		require.Equal(t, []any{jp.Context(), "8", 5}, jp.Args())
		_ = jp.Proceed()
		require.Equal(t, []any{"paid 8", nil}, jp.Results(), "what an aspect further in returns is no result yet")
		aspect.SetResult(jp, 0, "mine")
		require.Equal(t, []any{"mine", nil}, jp.Results())
		return nil
	}, func(jp aspect.JoinPoint) error {
		require.Equal(t, "8", jp.Args()[1])
		_ = jp.Proceed()
		return errFull
	})
	receipt, err := g.Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, "mine", receipt)
}

func TestACloneHasArgsAndResultsOfItsOwn(t *testing.T) {
	g := around(t, &Stripe{}, func(jp aspect.JoinPoint) error {
		c := jp.Clone()
		aspect.SetArg(c, 1, "8")
		require.NoError(t, c.Proceed())
		require.Equal(t, []any{"paid 8", nil}, c.Results())
		require.Equal(t, "8", c.Args()[1])
		require.Equal(t, []any{"", nil}, jp.Results())
		require.Equal(t, "7", jp.Args()[1])
		require.True(t, c.Target() == jp.Target() && c.Proxy() == jp.Proxy())
		return jp.Proceed()
	})
	_, err := g.Charge(t.Context(), "7", 5)
	require.NoError(t, err)
}

func TestTargetAndProxy(t *testing.T) {
	t.Run("of an interface", func(t *testing.T) {
		s, seen := &Stripe{}, 0
		var g Gateway
		look := func(jp aspect.JoinPoint) {
			seen++
			require.True(t, jp.Target() == any(s))
			require.True(t, jp.Proxy() == any(g))
		}
		g = wrapped[Gateway](t, looking(look, look), s)
		require.Equal(t, "stripe", g.Name())
		require.Equal(t, 2, seen)
	})
	t.Run("of a class by value", func(t *testing.T) {
		wrapped[namer](t, looking(func(jp aspect.JoinPoint) {
			require.True(t, jp.Target() == any(named{}))
			require.True(t, aspect.IsWoven(jp.Proxy()))
		}, func(aspect.JoinPoint) {}), named{}).Name()
	})
	t.Run("of a func", func(t *testing.T) {
		calls, depth := 0, 0
		job := wrapped[Job](t, looking(func(jp aspect.JoinPoint) {
			require.NoError(t, jp.Target().(Job)(t.Context()))
			require.Equal(t, 1, calls, "the target has no aspects")
			require.True(t, aspect.IsWoven(jp.Proxy()))
			if depth++; depth == 1 {
				calls = 0
				require.NoError(t, jp.Proxy().(Job)(t.Context()))
				require.Equal(t, 2, depth, "the proxy has them")
			}
		}, func(aspect.JoinPoint) {}), func(context.Context) error { calls++; return nil })
		require.NoError(t, job(t.Context()))
	})
}

func TestAnnotationsAreThoseOfTheMethodNearestFirst(t *testing.T) {
	var seen []annotation.Entry
	w := looking(func(jp aspect.JoinPoint) { seen = jp.Annotations() }, func(aspect.JoinPoint) {})
	g := wrapped[Gateway](t, w, &Stripe{},
		aspect.Annotate[Audited]("*", annotation.Set(func(a *Audited) { a.Level = 1 })),
		aspect.Annotate[Strict]("Cha*", annotation.Set(func(s *Strict) { s.Rate = 7 })),
		aspect.Annotate[Limited]("Charge", annotation.Set(func(l *Limited) { l.Per = "user" })))
	_, err := g.Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Len(t, seen, 3)
	require.Equal(t, Limited{"user"}, seen[0].Annotation)
	require.Equal(t, Strict{Rate: 7}, seen[1].Annotation)
	require.Equal(t, Audited{1}, seen[2].Annotation)
	for _, e := range seen {
		require.Equal(t, "Stripe@Charge", e.Ref.String())
		require.True(t, strings.HasPrefix(e.Place, "aspect/descriptor_test.go:"), e.Place)
	}
	require.Equal(t, len(seen), cap(seen), "appending to them changes nothing")
	_ = g.Name()
	require.Len(t, seen, 1)
	require.NoError(t, wrapped[Job](t, w, func(context.Context) error { return nil })(t.Context()))
	require.Empty(t, seen)
}

func TestAnnotationsOfAreAllOfOneTypeNearestFirst(t *testing.T) {
	var limited []Limited
	var strict []Strict
	var none []Audited
	w := looking(func(jp aspect.JoinPoint) {
		limited, strict, none = aspect.AnnotationsOf[Limited](jp), aspect.AnnotationsOf[Strict](jp), aspect.AnnotationsOf[Audited](jp)
	}, func(aspect.JoinPoint) {})
	per := func(text string) annotation.Option { return annotation.Set(func(l *Limited) { l.Per = text }) }
	_, err := wrapped[Gateway](t, w, &Stripe{},
		aspect.Annotate[Limited]("*", per("all")),
		aspect.Annotate[Strict]("Cha*", annotation.Set(func(s *Strict) { s.Per, s.Rate = "strict", 7 })),
		aspect.Annotate[Limited]("Charge", per("user")),
		aspect.Annotate[Limited]("Charge", per("tenant"))).Charge(t.Context(), "7", 5)
	require.NoError(t, err)
	require.Equal(t, []Limited{{"user"}, {"tenant"}, {"strict"}}, limited, "nearer ones replace farther ones of their type, and what embeds one is one")
	require.Equal(t, []Strict{{Limited{"strict"}, 7}}, strict)
	require.Nil(t, none)
}

func TestAKeptJoinPointDescribesItsMethodAndHasNoArguments(t *testing.T) {
	s := &Stripe{}
	var kept aspect.JoinPoint
	g := around(t, s, func(jp aspect.JoinPoint) error { kept = jp; return jp.Proceed() })
	_ = g.Name()
	require.Equal(t, "Name", kept.Method().Name)
	require.Equal(t, "Stripe", kept.Class().Short)
	require.True(t, kept.Target() == any(s) && kept.Proxy() == any(g))
	require.Empty(t, kept.Annotations())
	const want = "aspect: a join point of Stripe@Name is used after its call has ended"
	require.PanicsWithValue(t, want, func() { kept.Args() })
	require.PanicsWithValue(t, want, func() { kept.Results() })
	require.PanicsWithValue(t, want, func() { kept.SetContext(t.Context()) })
}
