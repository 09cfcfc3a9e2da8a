package aspect_test

import (
	"context"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
)

// User is stored.
type User struct{ Name string }

// Repo is a generic interface.
type Repo[T any] interface {
	Load(id int) (T, error)
	Save(T) error
}

// PgRepo is a generic class.
type PgRepo[T any] struct{}

func (*PgRepo[T]) Load(int) (v T, err error) { return v, nil }
func (*PgRepo[T]) Save(T) error              { return nil }

// Job is a service that is a func.
type Job func(ctx context.Context) error

// Cash is a class whose methods have value receivers.
type Cash struct{ Stripe }

// Charge says that it was cash.
func (Cash) Charge(context.Context, string, int) (string, error) { return "cash", nil }

// namer is a part of Gateway.
type namer interface{ Name() string }

// met wraps services with the pointcut's aspect, calls all their methods, and returns what the aspect has met.
func met(t *testing.T, p aspect.Pointcut) (string, *aspect.Weaver) {
	t.Helper()
	var refs []string
	w := aspect.NewWeaver(aspect.WithAspect(p, 0, aspect.Func(func(jp aspect.JoinPoint) error {
		refs = append(refs, jp.Ref().String())
		return jp.Proceed()
	})))
	g := wrapped[Gateway](t, w, &Stripe{}, aspect.Annotate[Quick]("Charge"), aspect.Annotate[Audited]("Refund"))
	_, _ = g.Charge(t.Context(), "7", 5)
	_ = g.Refund(t.Context(), "7")
	_ = g.Tags()
	_ = g.Name()
	r := wrapped[Repo[User]](t, w, &PgRepo[User]{}, aspect.Annotate[Strict](Repo[User].Save))
	_, _ = r.Load(1)
	_ = r.Save(User{})
	job := wrapped[Job](t, w, func(context.Context) error { return nil })
	_ = job(t.Context())
	slices.Sort(refs)
	return strings.Join(refs, " "), w
}

const (
	stripe = "Stripe@Charge Stripe@Name Stripe@Refund Stripe@Tags"
	repo   = "PgRepo[User]@Load PgRepo[User]@Save"
	every  = "Job@Call " + repo + " " + stripe
	full   = "github.com/backstay/backstay/aspect_test."
)

func TestPointcuts(t *testing.T) {
	for _, c := range []struct {
		p          aspect.Pointcut
		text, want string
	}{
		{aspect.Any(), "any", every},

		{aspect.Class("Stripe"), "class(Stripe)", stripe},
		{aspect.Class("aspect_test.Stripe"), "class(aspect_test.Stripe)", stripe},
		{aspect.Class(full + "Stripe"), "class(" + full + "Stripe)", stripe},
		{aspect.Class("*"), "class(*)", every},
		{aspect.Class("**"), "class(**)", every},
		{aspect.Class("Str*"), "class(Str*)", stripe},
		{aspect.Class("S*r*p*"), "class(S*r*p*)", stripe},
		{aspect.Class("*Stripe*"), "class(*Stripe*)", stripe},
		{aspect.Class("*.Stripe"), "class(*.Stripe)", stripe},
		{aspect.Class("*/Stripe"), "class(*/Stripe)", ""},
		{aspect.Class("github.com/*"), "class(github.com/*)", ""},
		{aspect.Class("github.com/**"), "class(github.com/**)", every},
		{aspect.Class("github.com/*/*.Stripe"), "class(github.com/*/*.Stripe)", ""},
		{aspect.Class("github.com/*/*/*.Stripe"), "class(github.com/*/*/*.Stripe)", stripe},
		{aspect.Class("**.Stripe"), "class(**.Stripe)", stripe},
		{aspect.Class("stripe"), "class(stripe)", ""},
		{aspect.Class("S.ripe"), "class(S.ripe)", ""},
		{aspect.Class("Stri?e"), "class(Stri?e)", ""},
		{aspect.Class("(Stripe|Job)"), "class((Stripe|Job))", ""},
		{aspect.Class("Gateway"), "class(Gateway)", ""},
		{aspect.Class("Job"), "class(Job)", "Job@Call"},
		{aspect.Class("PgRepo"), "class(PgRepo)", ""},
		{aspect.Class("PgRepo[User]"), "class(PgRepo[User])", repo},
		{aspect.Class("PgRepo[*]"), "class(PgRepo[*])", repo},
		{aspect.Class("aspect_test.PgRepo[aspect_test.User]"), "class(aspect_test.PgRepo[aspect_test.User])", repo},
		{aspect.Class(full + "PgRepo[" + full + "User]"), "class(" + full + "PgRepo[" + full + "User])", repo},
		{aspect.Class("PgRepo[Order]"), "class(PgRepo[Order])", ""},

		{aspect.Interface[Gateway](), "interface(aspect_test.Gateway)", stripe},
		{aspect.Interface[namer](), "interface(aspect_test.namer)", stripe},
		{aspect.Interface[Repo[User]](), "interface(aspect_test.Repo[aspect_test.User])", repo},
		{aspect.Interface[Repo[int]](), "interface(aspect_test.Repo[int])", ""},
		{aspect.Interface[Job](), "interface(aspect_test.Job)", "Job@Call"},
		{aspect.Interface[*Stripe](), "interface(*aspect_test.Stripe)", ""},

		{aspect.Method("Charge"), "method(Charge)", "Stripe@Charge"},
		{aspect.Method("charge"), "method(charge)", ""},
		{aspect.Method("Charge, Load"), "method(Charge, Load)", "PgRepo[User]@Load Stripe@Charge"},
		{aspect.Method("*"), "method(*)", every},
		{aspect.Method("*a*e"), "method(*a*e)", "PgRepo[User]@Save Stripe@Charge Stripe@Name"},
		{aspect.Method("Char.e"), "method(Char.e)", ""},
		{aspect.Method("Gateway.Charge"), "method(Gateway.Charge)", "Stripe@Charge"},
		{aspect.Method("aspect_test.Gateway.*e, Repo[User].Load"), "method(aspect_test.Gateway.*e, Repo[User].Load)", "PgRepo[User]@Load Stripe@Charge Stripe@Name"},
		{aspect.Method(full + "Stripe.Refund"), "method(" + full + "Stripe.Refund)", "Stripe@Refund"},
		{aspect.Method("Job.Call"), "method(Job.Call)", "Job@Call"},
		{aspect.Method("*Job.Call"), "method(*Job.Call)", ""},
		{aspect.Method("Call"), "method(Call)", "Job@Call"},
		{aspect.Method(Gateway.Charge), "method(aspect_test.Gateway.Charge)", "Stripe@Charge"},
		{aspect.Method(namer.Name), "method(aspect_test.namer.Name)", "Stripe@Name"},
		{aspect.Method((*Stripe).Charge), "method(*aspect_test.Stripe.Charge)", "Stripe@Charge"},
		{aspect.Method(Cash.Charge), "method(aspect_test.Cash.Charge)", ""},
		{aspect.Method(Repo[User].Load), "method(aspect_test.Repo[aspect_test.User].Load)", "PgRepo[User]@Load"},
		{aspect.Method((*PgRepo[User]).Save), "method(*aspect_test.PgRepo[aspect_test.User].Save)", "PgRepo[User]@Save"},
		{aspect.Method(Repo[int].Load), "method(aspect_test.Repo[int].Load)", ""},

		{aspect.Annotated[Quick](), "annotated(aspect_test.Quick)", "Stripe@Charge"},
		{aspect.Annotated[annotation.AbstractRetry](), "annotated(annotation.AbstractRetry)", "Stripe@Charge"},
		{aspect.Annotated[Audited](), "annotated(aspect_test.Audited)", "Stripe@Refund"},
		{aspect.Annotated[Strict](), "annotated(aspect_test.Strict)", "PgRepo[User]@Save"},
		{aspect.Annotated[Limited](), "annotated(aspect_test.Limited)", "PgRepo[User]@Save"},
		{aspect.Annotated[Hidden](), "annotated(aspect_test.Hidden)", ""},

		{aspect.At("Stripe@Charge"), "Stripe@Charge", "Stripe@Charge"},
		{aspect.At("Stripe@*a*e"), "Stripe@*a*e", "Stripe@Charge Stripe@Name"},
		{aspect.At(" S*@Charge, Re*d "), "S*@Charge, Re*d", "Stripe@Charge Stripe@Refund"},
		{aspect.At("PgRepo[*]@Save"), "PgRepo[*]@Save", "PgRepo[User]@Save"},
		{aspect.At(full + "Job@Call"), full + "Job@Call", "Job@Call"},
		{aspect.At("github.com/*@*"), "github.com/*@*", ""},
		{aspect.At("github.com/**@Save"), "github.com/**@Save", "PgRepo[User]@Save"},
		{aspect.At("Gateway@Charge"), "Gateway@Charge", ""},
		{aspect.At("Stripe#second@Charge"), "Stripe#second@Charge", ""},
		{aspect.Not(aspect.At("Stripe@*,C*")), `not("Stripe@*,C*")`, "Job@Call " + repo},
		{aspect.And(aspect.At("*@*a*e"), aspect.Class("S*")), "and(*@*a*e, class(S*))", "Stripe@Charge Stripe@Name"},

		{aspect.And(aspect.Class("Stripe"), aspect.Method("*e*")), "and(class(Stripe), method(*e*))", "Stripe@Charge Stripe@Name Stripe@Refund"},
		{aspect.And(aspect.Class("Stripe"), aspect.Class("Job")), "and(class(Stripe), class(Job))", ""},
		{aspect.And(), "and()", every},
		{aspect.Or(aspect.Class("Job"), aspect.Method("Charge")), "or(class(Job), method(Charge))", "Job@Call Stripe@Charge"},
		{aspect.Or(), "or()", ""},
		{aspect.Not(aspect.Class("Stripe")), "not(class(Stripe))", "Job@Call " + repo},
		{aspect.Not(aspect.Any()), "not(any)", ""},
		{aspect.Optional(aspect.Class("Job")), "optional(class(Job))", "Job@Call"},
		{aspect.And(aspect.Class("Stripe"), aspect.Optional(aspect.Class("Job"))), "and(class(Stripe), optional(class(Job)))", ""},
		{aspect.Not(aspect.Or(aspect.Class("Stripe"), aspect.Not(aspect.Annotated[Limited]()))),
			"not(or(class(Stripe), not(annotated(aspect_test.Limited))))", "PgRepo[User]@Save"},
	} {
		t.Run(c.text, func(t *testing.T) {
			require.Equal(t, c.text, c.p.String())
			got, w := met(t, c.p)
			require.Equal(t, c.want, got)
			read, err := aspect.ParsePointcut(c.text)
			require.NoError(t, err)
			require.Equal(t, c.text, read.String())
			again, _ := met(t, read)
			require.Equal(t, c.want, again, "what is read back meets the same")
			if c.want != "" {
				require.NoError(t, w.Verify())
				return
			}
			d := onlyProblem(t, w.Verify())
			require.Equal(t, "pointcut "+c.text+" matches nothing", d.Problem)
			require.Regexp(t, `^aspect/pointcut_test.go:\d+$`, d.Place)
		})
	}
}

func TestWrongPointcutsAreDefinitionErrors(t *testing.T) {
	bound := (&Stripe{}).Charge
	for _, c := range []struct {
		name            string
		p               aspect.Pointcut
		problem, remedy string
	}{
		{"nil", nil, "a pointcut is nil", "write aspect.Any() or leave it out"},
		{"nil that is optional", aspect.Optional(nil), "a pointcut is nil", "write aspect.Any() or leave it out"},
		{"nil inside", aspect.Or(aspect.Any(), aspect.Not(nil)), "a pointcut is nil", "write aspect.Any() or leave it out"},
		{"a bound method value", aspect.Method(bound), "aspect_test.(*Stripe).Charge is a method value, bound to its receiver", "write the method expression"},
		{"a plain func", aspect.Method(recovering), "aspect_test.recovering is a func, and no method", "write the method expression"},
		{"no func at all", aspect.Method(7), "a value of type int is no method", "write the method expression"},
		{"a class of no letters", aspect.Class(""), "class() names no class", "write any, or a class or glob, as in class(Pg*)"},
		{"several classes", aspect.Class("Stripe,Job"), "class(Stripe,Job) has several classes", "write or(class(Stripe), class(Job))"},
		{"no methods", aspect.Method(""), "method() names no method", "write any, or names and globs by comma"},
		{"methods by space", aspect.Method("Get Find"), `"Get Find" is no method`, "write method(Get,Find)"},
		{"methods with a comma too many", aspect.Method("Charge,"), "an item of the methods is empty", "leave out the comma"},
		{"a reference with several methods by @", aspect.At("Stripe@Charge@Refund"), `"Stripe@Charge@Refund" has several @`, `write "Stripe@Charge,Refund"`},
		{"a reference with spaces", aspect.At("Stripe @ Charge"), `"Stripe @ Charge" has a space in it`, "write Class@Method without spaces"},
		{"a method that is nil", aspect.Method(nil), "nil is no method", "write the method expression"},
		{"a reference without a method", aspect.At("Stripe"), `"Stripe" is no reference`, "write Class@Method"},
		{"a reference without a class", aspect.Not(aspect.At("@Charge")), `"@Charge" names no class`, "write Class@Method, or *@Charge"},
		{"a reference without the name of a service", aspect.At("Stripe#@Charge"), `"Stripe#@Charge" names no service after #`, "leave # out"},
		{"a reference that takes something out", aspect.At("S*@*,!Name"), `"S*@*,!Name" takes nothing out`, "write and(S*@*, not(method(Name)))"},
		{"a reference with an empty method", aspect.At("Stripe@Charge,"), `"" in "Stripe@Charge," is no method`, "write Class@Method, names and globs by comma"},
		{"a reference with a type for a method", aspect.At("Stripe@Gateway.Charge"), `"Gateway.Charge" in "Stripe@Gateway.Charge" is no method`, "write Class@Method"},
		{"a type without a name", aspect.Method(".Charge"), "method(.Charge) names no type", "as in method(payment.Gateway.Charge)"},
		{"a type that is a glob", aspect.Method("Pg*.Get"), "method(Pg*.Get) has a glob for a type", "as in method(payment.Gateway.Charge)"},
		{"a type without a method", aspect.Method("Gateway."), "method(Gateway.) names no method of Gateway", "write Gateway.* or the name of one"},
		{"a list that takes something out", aspect.And(aspect.Class("*"), aspect.Method("*,!Name")), "method(!Name) takes nothing out", `write not(method(Name)), or aspect.Not(aspect.Method("Name")) in code`},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := aspect.NewWeaver(aspect.WithAspect(c.p, 0, aspect.Func(proceed)))
			d := onlyProblem(t, w.Verify())
			require.Contains(t, d.Problem, c.problem)
			require.Contains(t, d.Remedy, c.remedy)
			require.Regexp(t, `^aspect/pointcut_test.go:\d+$`, d.Place)
		})
	}
}

func TestAPointcutOfNoMethodPrintsWhatWasGiven(t *testing.T) {
	var none func()
	for want, method := range map[string]any{
		"method(42)":                           42,
		"method(4.5)":                          4.5,
		"method(true)":                         true,
		"method(nil)":                          nil,
		"method(a nil func())":                 none,
		"method(a *aspect_test.Stripe)":        &Stripe{},
		"method(aspect_test.recovering)":       recovering,
		"method(aspect_test.(*Stripe).Charge)": (&Stripe{}).Charge,
		"method(aspect_test.Gateway.Charge)":   Gateway.Charge,
	} {
		require.Equal(t, want, aspect.Method(method).String())
	}
}

func TestVerifyReportsEveryPointcut(t *testing.T) {
	w := aspect.NewWeaver(
		aspect.WithAspect(aspect.Class("Stripe"), 3, aspect.Func(proceed)),
		aspect.WithAspect(aspect.Class("Strip"), 2, aspect.Func(proceed)),
		aspect.WithAspect(nil, 1, aspect.Func(proceed)))
	require.Len(t, definitionErrors(t, w.Verify()), 3, "nothing is wrapped yet")
	wrapped[Gateway](t, w, &Stripe{})
	errs := definitionErrors(t, w.Verify())
	require.Len(t, errs, 2)
	require.Equal(t, "pointcut class(Strip) matches nothing", errs[0].Problem)
	require.Equal(t, "a pointcut is nil", errs[1].Problem)
	require.NoError(t, aspect.NewWeaver().Verify(), "the weaver's own aspect need not meet anything")
}

func TestAMethodExpressionOfAValueMeetsItsPointer(t *testing.T) {
	for _, target := range []Gateway{&Cash{}, valueCash{}} {
		var tr trail
		w := aspect.NewWeaver(
			aspect.WithAspect(aspect.Method(Cash.Charge), 0, tr.leave("Cash")),
			aspect.WithAspect(aspect.Method(valueCash.Charge), 0, tr.leave("valueCash")))
		_, err := wrapped(t, w, target).Charge(t.Context(), "7", 5)
		require.NoError(t, err)
		require.Len(t, tr, 1)
	}
}

// valueCash is a Gateway that is no pointer.
type valueCash struct{ *Stripe }

func (valueCash) Charge(context.Context, string, int) (string, error) { return "cash", nil }

// Animal has a method that policies have too.
type Animal interface {
	Kind() string
	Feed() error
}

type cat struct{}

func (cat) Kind() string { return "cat" }
func (cat) Feed() error  { return nil }

func TestAspectsDoNotMeetWhatTheWeavingIsMadeOf(t *testing.T) {
	var tr trail
	w := aspect.NewWeaver(aspect.WithAspect(aspect.Any(), 0, tr.leave("met")))
	a := wrapped[aspect.Aspect](t, w, aspect.Func(proceed))
	require.False(t, aspect.IsWoven(a), "an aspect around an aspect would have no end")
	require.NoError(t, wrapped[Animal](t, w, cat{}).Feed())
	require.Equal(t, "met", tr.take(), "a method Kind does not make a policy")
}

func TestANilAspectIsADefinitionError(t *testing.T) {
	for name, a := range map[string]aspect.Aspect{"nil": nil, "a nil func": aspect.Func(nil)} {
		t.Run(name, func(t *testing.T) {
			w := aspect.NewWeaver(aspect.WithAspect(aspect.Class("Stripe"), 0, a))
			_, err := aspect.Wrap[Gateway](w, &Stripe{})
			d := onlyProblem(t, err)
			require.Equal(t, "the aspect is nil", d.Problem)
			require.Regexp(t, `^aspect/pointcut_test.go:\d+$`, d.Place)
		})
	}
}

// A misspelt name under Not would let the aspect run where it must not.
func TestEachNameInAPointcutHasToMeetSomething(t *testing.T) {
	for _, c := range []struct {
		pointcut aspect.Pointcut
		want     string
	}{
		{aspect.And(aspect.Class("Stripe"), aspect.Not(aspect.Method("Chrage"))), "method(Chrage) in pointcut and(class(Stripe), not(method(Chrage))) matches nothing"},
		{aspect.Or(aspect.Method("Charge"), aspect.Class("Strip")), "class(Strip) in pointcut or(method(Charge), class(Strip)) matches nothing"},
		{aspect.Method("Charge,Rfund"), "method(Rfund) in pointcut method(Charge,Rfund) matches nothing"},
		{aspect.Not(aspect.Interface[io.Reader]()), "interface(io.Reader) in pointcut not(interface(io.Reader)) matches nothing"},
		{aspect.Not(aspect.At("Stripe@Chrage")), "Stripe@Chrage in pointcut not(Stripe@Chrage) matches nothing"},
		{aspect.At("Stripe@Charge,Rfund"), "Stripe@Rfund in pointcut Stripe@Charge,Rfund matches nothing"},
		{aspect.Not(aspect.At("Stripe#other@Charge")), "Stripe#other@Charge in pointcut not(Stripe#other@Charge) matches nothing"},
		{aspect.Not(aspect.Annotated[Quick]()), ""}, // one may exclude what nobody carries yet
		{aspect.And(aspect.Class("Stripe"), aspect.Not(aspect.Method("Charge"))), ""},
		{aspect.Optional(aspect.Class("Strip")), ""},
		{aspect.Optional(aspect.And(aspect.Annotated[Quick](), aspect.Method("Chrage"))), ""},
		{aspect.Or(aspect.Class("Stripe"), aspect.Optional(aspect.Class("Strip"))), ""},
		{aspect.Or(aspect.Optional(aspect.Class("Stripe")), aspect.Class("Strip")), "class(Strip) in pointcut or(optional(class(Stripe)), class(Strip)) matches nothing"},
	} {
		t.Run(c.pointcut.String(), func(t *testing.T) {
			w := aspect.NewWeaver(aspect.WithAspect(c.pointcut, 1, aspect.Func(aspect.JoinPoint.Proceed)))
			wrapped[Gateway](t, w, &Stripe{})
			err := w.Verify()
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.want)
		})
	}
}
