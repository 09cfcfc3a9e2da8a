package hyperf_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

// Tests is what the ancestor's demo class has.
type Tests interface {
	Test1()
	Test2()
	Test3()
	No()
}

type (
	tests    struct{}
	Demo     struct{ tests }
	DemoUser struct{ tests }
	Other    struct{ tests }
)

func (tests) Test1() {}
func (tests) Test2() {}
func (tests) Test3() {}
func (tests) No()    {}

// DemoAnnotation is an annotation of a user's own.
type DemoAnnotation struct{ Text string }

// DemoAlias is one that embeds it.
type DemoAlias struct{ DemoAnnotation }

// met calls all methods of a Demo, a DemoUser and an Other, and returns those that the pointcut's aspect has met.
func met(t *testing.T, p aspect.Pointcut, annotations ...aspect.WrapOption) string {
	t.Helper()
	var refs []string
	w := aspect.NewWeaver(aspect.WithAspect(p, 0, aspect.Func(func(jp aspect.JoinPoint) error {
		refs = append(refs, jp.Ref().String())
		return jp.Proceed()
	})))
	for i, target := range []Tests{&Demo{}, &DemoUser{}, &Other{}} {
		var opts []aspect.WrapOption
		if i == 0 {
			opts = annotations
		}
		woven, err := aspect.Wrap(w, target, opts...)
		require.NoError(t, err)
		woven.Test1()
		woven.Test2()
		woven.Test3()
		woven.No()
	}
	require.NoError(t, w.Verify())
	return strings.Join(refs, " ")
}

// hyperf:7.7 A rule Class::method is And(Class, Method) here. The ancestor's tests all ask about __construct too, which
// some rules weave and some do not. Go's constructors are functions: no rule meets one.
func TestAncestorsRules(t *testing.T) {
	const demo, user = "Demo@Test1 Demo@Test2 Demo@Test3 Demo@No", "DemoUser@Test1 DemoUser@Test2 DemoUser@Test3 DemoUser@No"
	and := aspect.And
	for _, c := range []struct {
		name        string
		p           aspect.Pointcut
		annotations []aspect.WrapOption // on Demo
		want        string
	}{
		{"testParseMoreThanOneMethods", and(aspect.Class("Demo"), aspect.Method("Test1,Test2")), nil, "Demo@Test1 Demo@Test2"},
		{"testParseMoreThanOneMethods, as two rules", aspect.Or(
			and(aspect.Class("Demo"), aspect.Method("Test1")), and(aspect.Class("Demo"), aspect.Method("Test2"))), nil, "Demo@Test1 Demo@Test2"},
		{"testParseOneMethod", and(aspect.Class("Demo"), aspect.Method("Test1")), nil, "Demo@Test1"},
		{"testParseOneMethod, that the compiler checks", aspect.Method((*Demo).Test1), nil, "Demo@Test1"},
		{"testParseClass", aspect.Class("Demo"), nil, demo},
		{"testParseClassAnnotations", aspect.Annotated[DemoAnnotation](),
			[]aspect.WrapOption{aspect.Annotate[DemoAnnotation]("*")}, demo},
		{"testParseMethodAnnotations", aspect.Annotated[DemoAnnotation](),
			[]aspect.WrapOption{aspect.Annotate[DemoAnnotation]("Test1"), aspect.Annotate[DemoAnnotation](Tests.Test2)}, "Demo@Test1 Demo@Test2"},
		// The ancestor finds an annotation by its very class. Ours finds one that embeds it as well.
		{"testParseMethodAnnotations, one that embeds it", aspect.Annotated[DemoAnnotation](),
			[]aspect.WrapOption{aspect.Annotate[DemoAlias]("Test*,!Test2")}, "Demo@Test1 Demo@Test3"},
		{"testMatchClassPattern", and(aspect.Class("Demo*"), aspect.Method("Test1")), nil, "Demo@Test1 DemoUser@Test1"},
		{"testMatchClassPattern, all methods", aspect.Class("Demo*"), nil, demo + " " + user},
		{"testMatchMethodPattern", and(aspect.Class("Demo"), aspect.Method("Test*")), nil, "Demo@Test1 Demo@Test2 Demo@Test3"},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, met(t, c.p, c.annotations...)) })
	}
}

// Traced is an aspect that is a class, as the ancestor's are.
type Traced struct{ met *[]string }

func (a *Traced) Process(jp aspect.JoinPoint) error {
	*a.met = append(*a.met, jp.Ref().String())
	return jp.Proceed()
}

// hyperf:7.7, testAspectAnnotation: an aspect's rules and priority stand where it is registered, in any number.
func TestAncestorsAspectAnnotation(t *testing.T) {
	var refs []string
	c := container.New()
	c.Provide(func() *Traced { return &Traced{&refs} },
		container.AsAspect(aspect.Or(aspect.Class("Demo"), aspect.Annotated[DemoAnnotation]()), 0))
	c.Provide(func() *Demo { return &Demo{} }, container.As[Tests](), container.Name("demo"))
	c.Provide(func() *Other { return &Other{} }, container.As[Tests](), container.Name("other"),
		container.Annotate[DemoAnnotation](Tests.No, annotation.Set(func(a *DemoAnnotation) { a.Text = "no" })))
	for _, name := range []string{"demo", "other"} {
		v, err := container.Get[Tests](c, container.Name(name))
		require.NoError(t, err)
		v.Test1()
		v.No()
	}
	require.Equal(t, []string{"Demo#demo@Test1", "Demo#demo@No", "Other#other@No"}, refs)
}

// hyperf:7.7, testIsMatchClassRule and testIsMatch, with classes of nested packages: http.ServeMux in net/http for the
// ancestor's Foo\Bar, and httputil.ReverseProxy in net/http/httputil for its Foo\Bar\Baz. Both are asked about their one
// method, ServeHTTP; where a row asks about another, a rule that names it meets nothing. The rows that ask about a class
// alone, to know whether its source must be rewritten, have their answer in what is met.
func TestAncestorsClassRules(t *testing.T) {
	const mux, proxy = "ServeMux@ServeHTTP", "ReverseProxy@ServeHTTP"
	for _, c := range []struct {
		rule, class, method string // the ancestor's, and ours
		want                string
	}{
		{`Foo\Bar`, "net/http.ServeMux", "", mux},
		{`F*\Bar`, "n*/http.ServeMux", "", mux},
		{`Foo\Bar::method`, "net/http.ServeMux", "ServeHTTP", mux},
		{`Foo\Bar::test`, "net/http.ServeMux", "Test", ""},
		{`Foo\Bar::metho*`, "net/http.ServeMux", "Serve*", mux},
		{`Foo\Bar::tes*`, "net/http.ServeMux", "Tes*", ""},
		{`Foo\B`, "net/http.ServeMu", "", ""},
		{`foo\bar`, "net/http.servemux", "", ""},
		{`*::method`, "**", "ServeHTTP", mux + " " + proxy},
		{`*::method`, "*", "ServeHTTP", mux + " " + proxy}, // a class has a short form too, without its package

		// Ours differs: the ancestor's star crosses into what is below; ours stays within a segment, so that a rule for a
		// package does not silently take in the packages below it. Two stars cross.
		{`Foo\B*`, "net/h*", "", mux},
		{`Foo\B*, crossing`, "net/h**", "", mux + " " + proxy},
		{`F*\Ba*`, "n*/h*", "", mux},
		{`F*\Ba*, crossing`, "n*/h**", "", mux + " " + proxy},
		{`F*\Ba*::method`, "n*/h*", "ServeHTTP", mux},

		// Ours differs: the ancestor takes other characters of a regular expression for what they mean there, once there is a
		// star in the rule.
		{`Foo\B.r*`, "net/http.S.rve*", "", ""},
		{`Foo\(Bar*`, "net/(http*", "", ""},
	} {
		t.Run(c.rule+" "+c.class, func(t *testing.T) {
			p := aspect.Class(c.class)
			if c.method != "" {
				p = aspect.And(p, aspect.Method(c.method))
			}
			var refs []string
			w := aspect.NewWeaver(aspect.WithAspect(p, 0, aspect.Func(func(jp aspect.JoinPoint) error {
				refs = append(refs, jp.Ref().String())
				return jp.Proceed()
			})))
			for _, target := range []http.Handler{http.NewServeMux(), &httputil.ReverseProxy{Rewrite: func(*httputil.ProxyRequest) {}, Transport: offline{}}} {
				woven, err := aspect.Wrap(w, target)
				require.NoError(t, err)
				woven.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", http.NoBody))
			}
			require.Equal(t, c.want, strings.Join(refs, " "))
			// The ancestor says nothing of a rule that meets nothing.
			require.Equal(t, c.want == "", w.Verify() != nil)
		})
	}
}

// offline reaches nobody.
type offline struct{}

func (offline) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusTeapot, Body: http.NoBody, Header: http.Header{}}, nil
}

// hyperf:7.7 The order of the ancestor's aspects: larger priorities first, and those that are equal as registered; it puts
// those that meet by a class rule before those that meet by an annotation, ours does not tell them apart.
func TestAncestorsOrderOfAspects(t *testing.T) {
	var order []string
	pass := func(name string) aspect.Func {
		return func(jp aspect.JoinPoint) error {
			order = append(order, name+">")
			err := jp.Proceed()
			order = append(order, "<"+name)
			return err
		}
	}
	w := aspect.NewWeaver(
		aspect.WithAspect(aspect.Annotated[DemoAnnotation](), 0, pass("Mid1")),
		aspect.WithAspect(aspect.Class("Demo"), -1, pass("Lo")),
		aspect.WithAspect(aspect.Class("Demo"), 10, pass("Hi")),
		aspect.WithAspect(aspect.Class("Demo"), 0, pass("Mid2")))
	woven, err := aspect.Wrap[Tests](w, &Demo{}, aspect.Annotate[DemoAnnotation]("*"))
	require.NoError(t, err)
	woven.No()
	require.Equal(t, "Hi> Mid1> Mid2> Lo> <Lo <Mid2 <Mid1 <Hi", strings.Join(order, " "))
}
