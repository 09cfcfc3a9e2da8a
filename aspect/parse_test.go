package aspect_test

import (
	"context"
	"io"
	"math/rand"
	randv2 "math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aspect"
)

// parsed is the pointcut of a text; it wants no error.
func parsed(t testing.TB, text string) aspect.Pointcut {
	t.Helper()
	p, err := aspect.ParsePointcut(text)
	require.NoError(t, err)
	return p
}

func TestParsePointcutReadsWhatPeopleWrite(t *testing.T) {
	for _, c := range []struct{ text, canonical, want string }{
		{" any ", "any", every},
		{"class( Stripe )", "class(Stripe)", stripe},
		{`class("Stripe")`, "class(Stripe)", stripe},
		{"class (Job)", "class(Job)", "Job@Call"},
		{"annotated(Quick)", "annotated(Quick)", "Stripe@Charge"},
		{"annotated(AbstractRetry)", "annotated(AbstractRetry)", "Stripe@Charge"},
		{"annotated(" + full + "Limited)", "annotated(" + full + "Limited)", "PgRepo[User]@Save"},
		{"annotated(aspect.Quick)", "annotated(aspect.Quick)", ""},
		{"interface(Gateway)", "interface(Gateway)", stripe},
		{"interface(Repo[User])", "interface(Repo[User])", repo},
		{"interface(Job)", "interface(Job)", "Job@Call"},
		{"method(Gateway.Charge,Load)", "method(Gateway.Charge,Load)", "PgRepo[User]@Load Stripe@Charge"},
		{"method(Stripe.Charge)", "method(Stripe.Charge)", "Stripe@Charge"},
		{"method(*Stripe.Charge)", "method(*Stripe.Charge)", "Stripe@Charge"},
		{"method(**Stripe.Charge)", "method(**Stripe.Charge)", ""},
		{"Stripe@Charge,Name", "Stripe@Charge,Name", "Stripe@Charge Stripe@Name"},
		{`"Stripe@Charge,Name"`, "Stripe@Charge,Name", "Stripe@Charge Stripe@Name"},
		{"or( Job@Call,\n\tclass(Stripe) )", "or(Job@Call, class(Stripe))", "Job@Call " + stripe},
		{`and("S*@*e,Tags",not(method(Tags)))`, `and("S*@*e,Tags", not(method(Tags)))`, "Stripe@Charge Stripe@Name"},
		{"and(any, PgRepo[*]@Load)", "and(any, PgRepo[*]@Load)", "PgRepo[User]@Load"},
		{"or(or(), and(and(), Job@*))", "or(or(), and(and(), Job@*))", "Job@Call"},
	} {
		t.Run(c.text, func(t *testing.T) {
			p := parsed(t, c.text)
			require.Equal(t, c.canonical, p.String())
			got, _ := met(t, p)
			require.Equal(t, c.want, got)
		})
	}
}

func TestParsePointcutTellsWhatIsWrongAndWhere(t *testing.T) {
	for _, c := range []struct {
		text, problem, remedy string
		at                    string // the character
	}{
		{"", "a pointcut is missing", "write any, class(...), method(...) or Class@Method", "1"},
		{"Stripe", `"Stripe" is no pointcut`, "write class(Stripe), method(Stripe), or Class@Method", "1"},
		{"*", `"*" is no pointcut`, "did you mean any?", "1"},
		{"Any", `"Any" is no pointcut`, "did you mean any?", "1"},
		{"any()", "any takes nothing", "write any", "1"},
		{"and(any, Every)", `"Every" is no pointcut`, "did you mean any?", "10"},
		{"or(any, clas(Stripe))", "clas(...) is no pointcut", "did you mean class?", "9"},
		{"Interface(Gateway)", "Interface(...) is no pointcut", "did you mean interface?", "1"},
		{"mehtod(Charge)", "mehtod(...) is no pointcut", "did you mean method?", "1"},
		{"execution(* x)", "execution(...) is no pointcut", "write Class@Method, such as Pg*@Get*", "1"},
		{"or(any, call(x))", "call(...) is no pointcut", "write Class@Method, such as Pg*@Get*", "9"},
		{"At(Stripe@Charge)", "At(...) is no pointcut", "write the reference alone, such as Pg*@Get*", "1"},
		{"foo(Charge)", "foo(...) is no pointcut", "write one of any, annotated, class, interface, method, not, optional, and, or, or a Class@Method", "1"},
		{"adn(any, any)", "adn(...) is no pointcut", "did you mean and?", "1"},
		{"nto(any)", "nto(...) is no pointcut", "did you mean not?", "1"},
		{"ors(any)", "ors(...) is no pointcut", "did you mean or?", "1"},
		{"within(Stripe)", "within(...) is no pointcut", "did you mean class?", "1"},
		{"func(string) error@Call", "func(...) is no pointcut", "write one of any, annotated, class, interface, method, not, optional, and, or, or a Class@Method, in quotes", "1"},
		{"!class(Stripe)", `"!class(Stripe)" is no pointcut`, "write not(P)", "1"},
		{"@Audited", `"@Audited" is no pointcut`, "write annotated(Type) for what carries an annotation, or *@Method", "1"},
		{"any, class(Stripe)", `", class(Stripe)" follows a pointcut`, "write or(P, P), or and(P, P)", "4"},
		{"class(Stripe) && method(Charge) && any", `"&& method(Charge) &&..." follows a pointcut`, "write and(P, P)", "15"},
		{"class(é) || any", `"|| any" follows a pointcut`, "write or(P, P)", "10"},
		{"class(Stripe))", `")" follows a pointcut`, "leave it out", "14"},
		{"and(class(Stripe) method(Charge))", `"method(Charge))" follows a pointcut`, "write a comma between the pointcuts of and", "19"},
		{"and(class(Stripe) and any)", `"and any)" follows a pointcut`, "write and(P, P)", "19"},
		{"class(Stripe", "class(...) is not closed", "write ) at its end", "1"},
		{"or(any, class(a(b)", "class(...) is not closed", "write ) at its end", "9"},
		{"or(any", "or(...) is not closed", "write ) at its end", "1"},
		{"or(any, ", "or(...) is not closed", "write ) at its end", "1"},
		{"or(any,)", "a pointcut is missing", "write any", "8"},
		{"or(,any)", "a pointcut is missing", "write any", "4"},
		{"not()", "not of 0 pointcuts", "write not(P) of one, such as not(or(P, P))", "1"},
		{"optional(any, any)", "optional of 2 pointcuts", "write optional(P) of one, such as optional(or(P, P))", "1"},
		{"optional any", `"optional any" is no pointcut`, "write optional(any)", "1"},
		{"not(any, any)", "not of 2 pointcuts", "write not(P) of one, such as not(or(P, P))", "1"},
		{`class("Stripe)`, "a string is not closed, or has a sign that Go does not allow in one", "write a Go string", "7"},
		{`class("Stripe" any)`, "there is no ) after the string", `write class("Stripe")`, "16"},
		{`and("Stripe")`, `"Stripe" is no reference`, "write Class@Method", "5"},
		{"and(Stripe@Charge,Refund)", `"Refund" is no pointcut`, `quote the reference: "Stripe@Charge,Refund"`, "19"},
		{"or(Mem@Get,Set, Find, any)", `"Set" is no pointcut`, `quote the reference: "Mem@Get,Set,Find"`, "12"},
		{`or("Mem@Get",Set, any)`, `"Set" is no pointcut`, "write class(Set), method(Set), or Class@Method", "14"},
		{"or(Mem@Get, not(Set))", `"Set" is no pointcut`, "write class(Set), method(Set), or Class@Method", "17"},
		{"or(any, Set)", `"Set" is no pointcut`, "write class(Set), method(Set), or Class@Method", "9"},
		{"not any", `"not any" is no pointcut`, "write not(any)", "1"},
		{"and(any, NOT class(Stripe))", `"NOT class(Stripe)" is no pointcut`, "write not(class(Stripe))", "10"},
		{"not Stripe@Charge", `"not Stripe@Charge" is no pointcut`, "write not(Stripe@Charge)", "1"},
		{"not not any", `"not not any" is no pointcut`, "write not(P)", "1"},
		{"not Stripe", `"not Stripe" is no pointcut`, "write not(P)", "1"},
		{"not", `"not" is no pointcut`, "write not(P)", "1"},
		{"and", `"and" is no pointcut`, "write and(P, P)", "1"},
		{"not(or)", `"or" is no pointcut`, "write or(P, P)", "5"},
		{"class", `"class" is no pointcut`, "write class(GLOB)", "1"},
		{"class Stripe", `"class Stripe" is no pointcut`, "write class(Stripe)", "1"},
		{"any and class(Stripe)", `"any and class(Stripe)" is no pointcut`, "write and(P, P)", "1"},
		{"Stripe@Charge or Job@Call", `"Stripe@Charge or Job@Call" is no pointcut`, "write or(P, P)", "1"},
		{"Annotated[main.Audited]()", `"Annotated[main.Audited]()" is no pointcut`, "write annotated(main.Audited)", "1"},
		{"and(any, aspect.Interface[main.Repo[K, V]]())", `"aspect.Interface[main.Repo[K, V]]()" is no pointcut`, "write interface(main.Repo[K, V])", "10"},
		{"Interface[Cache]", `"Interface[Cache]" is no pointcut`, "write interface(Cache)", "1"},
		{"aspect.Class(Stripe)", `"aspect.Class(Stripe)" is no pointcut`, "write class(GLOB)", "1"},
		{"aspect.Any()", `"aspect.Any()" is no pointcut`, "write any", "1"},
		{"class(a) class(b)", `"class(b)" follows a pointcut`, "write and(class(a), class(b))", "10"},
		{`class(a) "b@c,d"`, `"\"b@c,d\"" follows a pointcut`, `write and(class(a), "b@c,d")`, "10"},
		{"class(a) b", `"b" follows a pointcut`, "leave it out", "10"},
		{"class()", "class() names no class", "write any, or a class or glob, as in class(Pg*)", "1"},
		{`or(any, class(" "))`, `class(" ") names no class`, "write any, or a class or glob", "9"},
		{"class(Stripe, Job)", "class(Stripe, Job) has several classes", "write or(class(Stripe), class(Job))", "1"},
		{"method()", "method() names no method", "write any, or names and globs by comma, as in method(Get*,Find)", "1"},
		{"method(,)", "method(,) names no method", "write any, or names and globs by comma", "1"},
		{"method(Get,)", "an item of the methods is empty", "leave out the comma", "1"},
		{"method(Get Find)", `"Get Find" is no method`, "write method(Get,Find)", "1"},
		{"method(Gateway.Get | Find)", `"Gateway.Get | Find" is no method`, "write names and globs by comma, as in method(Get*,Find), or Type.Method", "1"},
		{"method(Get[int])", `"Get[int]" is no method`, "write names and globs by comma", "1"},
		{"method(Stripe@Charge)", `"Stripe@Charge" is no method`, "write Stripe@Charge", "1"},
		{"method(2nd)", `"2nd" is no method`, "write names and globs by comma", "1"},
		{"Mem@Get@Set", `"Mem@Get@Set" has several @`, `write "Mem@Get,Set"`, "1"},
		{"Mem@a.b@Set", `"Mem@a.b@Set" has several @`, "write Class@Method with one", "1"},
		{"MemCache @ Get", `"MemCache @ Get" has a space in it`, "write Class@Method without spaces", "1"},
		{"Mem Cache@Get", `"Mem Cache@Get" has a space in it`, "write Class@Method without spaces", "1"},
		{"or(any, Cache# users@Get)", `"Cache# users@Get" has a space in it`, "write Class@Method without spaces", "9"},
		{"Mem,Pg@Get", `"Mem,Pg@Get" has a comma in its class`, "write or(P, P) of a Class@Method each", "1"},
		{"interface(Cache,Repo)", "interface(Cache,Repo) has several types", "write or(interface(Cache), interface(Repo))", "1"},
		{"annotated(Audited, Strict[K,V])", "annotated(Audited, Strict[K,V]) has several types", "write or(annotated(Audited), annotated(Strict[K,V]))", "1"},
		{"annotated(Audited,)", "annotated(Audited,) has several types", "write annotated(Audited)", "1"},
		{"annotated(Audited Strict)", "annotated(Audited Strict) has a space in a type", "write its name, as in annotated(audit.Audited)", "1"},
		{"annotated(@Audited)", "annotated(@Audited) has an @ before a type", "leave it out, as in annotated(audit.Audited)", "1"},
		{"interface(Repo[*])", "interface(Repo[*]) has a glob for a type", "write one, such as Repo[int], or several in or(P, P)", "1"},
		{"interface(Repo[K, audit.*])", "interface(Repo[K, audit.*]) has a glob for a type, and each instance is a type of its own", "write one, such as Repo[int]", "1"},
		{"interface(*.Repo)", "interface(*.Repo) has a glob for a type", "write its name, as in interface(payment.Gateway)", "1"},
		{"method(Repo[*].Get)", "method(Repo[*].Get) has a glob for a type", "write one, such as Repo[int]", "1"},
		{"Stripe@Charge, class(Job)", `"class(Job)" in "Stripe@Charge, class(Job)" is no method`, "write Class@Method", "1"},
		{"Stripe@*,!Name", `"Stripe@*,!Name" takes nothing out`, "write and(Stripe@*, not(method(Name)))", "1"},
		{"or(any, method(*,!Name))", "method(!Name) takes nothing out", "write not(method(Name))", "9"},
		{"annotated()", "annotated() names no type", "write its name, as in annotated(audit.Audited)", "1"},
		{"annotated(Aud*)", "annotated(Aud*) has a glob for a type", "write its name, as in annotated(audit.Audited)", "1"},
		{"interface(*)", "interface(*) names no type", "write its name, as in interface(payment.Gateway)", "1"},
		{"any\nany", `"any\nany" is no pointcut`, "write and(P, P), or or(P, P)", "1"},
		{"a\nb", `"a\nb" is no pointcut`, `write class("a\nb"), or Class@Method`, "1"},
		{strings.Repeat("not(", 1001) + "any" + strings.Repeat(")", 1001), "it nests deeper than 1000 pointcuts", "side by side", "4005"},
	} {
		t.Run(c.text[:min(len(c.text), 40)], func(t *testing.T) {
			p, err := aspect.ParsePointcut(c.text)
			require.Nil(t, p)
			d := onlyProblem(t, err)
			require.Contains(t, d.Problem, ", character "+c.at+": "+c.problem)
			require.Contains(t, d.Remedy, c.remedy)
			require.NotContains(t, err.Error(), "\n")
		})
	}
	for _, text := range []string{strings.Repeat("not ", 1000) + "any", strings.Repeat("and(not ", 900) + "any", strings.Repeat("any ", 1000)} {
		_, err := aspect.ParsePointcut(text)
		require.Error(t, err, "advice takes no exponential time")
	}
	parsed(t, strings.Repeat("not(", 1000)+"any"+strings.Repeat(")", 1000))
}

func TestAReferenceMeetsOneOfSeveralServicesOfAClass(t *testing.T) {
	for text, want := range map[string]string{
		"Stripe@Charge":       "first second",
		"Stripe#first@Charge": "first",
		"S*#second@*":         "second",
	} {
		t.Run(text, func(t *testing.T) {
			var names []string
			w := aspect.NewWeaver(aspect.WithAspect(aspect.At(text), 0, aspect.Func(func(jp aspect.JoinPoint) error {
				names = append(names, jp.Ref().Name)
				return jp.Proceed()
			})))
			for _, name := range []string{"first", "second"} {
				_, err := wrapped[Gateway](t, w, &Stripe{}, aspect.WithName(name)).Charge(t.Context(), "7", 5)
				require.NoError(t, err)
			}
			require.Equal(t, want, strings.Join(names, " "))
			require.NoError(t, w.Verify())
		})
	}
}

// Reader has the short name of io.Reader.
type Reader interface{ Read() (string, error) }

type book struct{}

func (book) Read() (string, error) { return "once upon a time", nil }

func TestANameThatMeetsSeveralTypesIsADefinitionError(t *testing.T) {
	var stdlib io.Reader = strings.NewReader("")
	for _, c := range []struct {
		text, problem string
	}{
		{"interface(rand.Source)", "interface(rand.Source) means math/rand.Source and math/rand/v2.Source"},
		{"not(interface(rand.Source))", "interface(rand.Source) means math/rand.Source and math/rand/v2.Source"},
		{"interface(math/rand.Source)", ""},
		{"method(Source.Uint64, Source.Int63)", ""}, // each is a method of one of the two
		{"interface(Reader)", "interface(Reader) means github.com/backstay/backstay/aspect_test.Reader and io.Reader"},
		{"or(interface(aspect_test.Reader), interface(io.Reader))", ""},
	} {
		t.Run(c.text, func(t *testing.T) {
			w := aspect.NewWeaver(aspect.WithAspect(parsed(t, c.text), 0, aspect.Func(proceed)))
			wrapped(t, w, rand.NewSource(1))
			wrapped[randv2.Source](t, w, randv2.NewPCG(1, 2))
			wrapped[Reader](t, w, book{})
			wrapped(t, w, stdlib)
			if c.problem == "" {
				require.NoError(t, w.Verify())
				return
			}
			d := definitionErrors(t, w.Verify())[0]
			require.Equal(t, c.problem, d.Problem)
			require.Equal(t, "write the one with its import path, or both in or(...)", d.Remedy)
			require.Regexp(t, `^aspect/parse_test.go:\d+$`, d.Place)
		})
	}
}

// chargeable is a part of Gateway that no pointcut of another test mentions.
type chargeable interface {
	Charge(ctx context.Context, order string, cents int) (string, error)
}

func TestAnInterfaceByNameHasTheMethodsThatTheProgramTellsOfIt(t *testing.T) {
	p := parsed(t, "interface(chargeable)")
	got, _ := met(t, p)
	require.Empty(t, got, "nothing is provided as that very interface")
	aspect.Interface[chargeable]()
	got, _ = met(t, p)
	require.Equal(t, stripe, got)
}

func TestAnAnnotationByNameIsAKind(t *testing.T) {
	// Strict embeds Limited, which is what the pointcut names.
	w := aspect.NewWeaver(aspect.WithAspect(parsed(t, "annotated(Limited)"), 0, aspect.Func(proceed)))
	require.True(t, aspect.IsWoven(wrapped[Gateway](t, w, &Stripe{}, aspect.Annotate[Strict]("Charge"))))
	require.NoError(t, w.Verify())
	require.False(t, aspect.IsWoven(wrapped[Gateway](t, w, &Stripe{}, aspect.Annotate[Audited]("Charge"))))
}

func TestAMisspeltTypeUnderNotIsADefinitionError(t *testing.T) {
	for text, problem := range map[string]string{
		"not(annotated(Audted))":        "annotated(Audted) in pointcut not(annotated(Audted)) matches nothing",
		"and(any, not(interface(Gat)))": "interface(Gat) in pointcut and(any, not(interface(Gat))) matches nothing",
		"not(method(Gate.Charge))":      "method(Gate.Charge) in pointcut not(method(Gate.Charge)) matches nothing",
	} {
		t.Run(text, func(t *testing.T) {
			_, w := met(t, parsed(t, text))
			require.Equal(t, problem, onlyProblem(t, w.Verify()).Problem)
		})
	}
}
