package container_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
)

type namedCaller struct {
	container.In
	C *Client `name:"b"`
}

// What a remedy says can be done where the mistake is: a parameter has no container.Name, and Get no fields.
func TestARemedySaysHowANameIsAskedFor(t *testing.T) {
	for name, test := range map[string]struct {
		wire func(c *container.Container)
		want []string
	}{
		"a parameter of another type": {func(c *container.Container) { c.Provide(func(*Client) *A { return nil }) }, []string{
			"backstay: A: nothing provides *container_test.Client, which its constructor takes; did you mean the container_test.Caller named \"a\" (a field of a container.In struct with the tag `name:\"a\"`), which *container_test.Client is provided as (HERE)? Else Provide one (HERE)",
		}},
		"a parameter under another name": {func(c *container.Container) { c.Provide(func(namedCaller) *A { return nil }) }, []string{
			"backstay: A: nothing provides *container_test.Client named \"b\", which its constructor takes; did you mean the container_test.Caller named \"a\" (a field of a container.In struct with the tag `name:\"a\"`), which *container_test.Client is provided as (HERE)? Else Provide one (HERE)",
		}},
		"a parameter that As would serve": {func(c *container.Container) { c.Provide(func(Closer) *A { return nil }) }, []string{
			"backstay: A: nothing provides container_test.Closer, which its constructor takes; did you mean to provide *container_test.Client as it, by container.As[container_test.Closer]() (HERE), and then the container_test.Closer named \"a\" (a field of a container.In struct with the tag `name:\"a\"`)? Else Provide one (HERE)",
		}},
		"a pointer": {func(c *container.Container) {
			c.Supply(B{}, container.Name("b"))
			c.Provide(func(*B) *A { return nil })
		}, []string{
			"backstay: A: nothing provides *container_test.B, which its constructor takes; did you mean the container_test.B named \"b\" (a field of a container.In struct with the tag `name:\"b\"`)? Else Provide one (HERE)",
		}},
		"Override": {func(c *container.Container) { c.Override(func() Caller { return nil }) }, []string{
			"backstay: Caller: Override replaces container_test.Caller, and nothing provides it; did you mean the container_test.Caller named \"a\", by container.Name(\"a\")? Else Provide it (HERE)",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			c.Provide(func() *Client { return nil }, container.As[Caller](), container.Name("a"))
			test.wire(c)
			require.Equal(t, test.want, verified(t, c))
		})
	}
}

func TestWhatRunsConstructorsIsNotGivenToThem(t *testing.T) {
	c := container.New()
	c.Provide(func(*container.Container) *A { return nil })
	c.Provide(func(*container.Scope) *B { return nil }, container.Scoped())
	c.Provide(func() *C { return nil })
	c.Decorate(func(v *C, _ container.Source) *C { return v })
	const instead = "; take what is needed of it as parameters, or a container.Lazy or container.Provider of what is needed later (HERE)"
	require.Equal(t, []string{
		"backstay: A: nothing provides *container.Container, which its constructor takes" + instead,
		"backstay: B: nothing provides *container.Scope, which its constructor takes" + instead,
		"backstay: C: nothing provides container.Source, which its decorator takes" + instead,
	}, verified(t, c))

	c = container.New()
	require.Equal(t, "backstay: nothing provides *container.Container; use what is asked: it is one (HERE)", text(second(container.Get[*container.Container](c))))
	require.Equal(t, "backstay: Invoke: nothing provides *container.Container, which the func takes"+instead, text(c.Invoke(func(*container.Container) {})))

	c = container.New() // it is the user's to say so
	c.Supply(c)
	require.Same(t, c, must[*container.Container](t, c))
}

// To provide something would be the next mistake then.
func TestWhatComesAfterTheFirstUseIsNotToldToProvide(t *testing.T) {
	c := container.New()
	c.Provide(func() *Client { return &Client{} }, container.As[Caller](), container.Name("main"))
	c.Provide(func() *C { return &C{} }, container.Group("cs"))
	require.Equal(t, "backstay: Invoke: nothing provides container_test.Caller, which the func takes; did you mean the container_test.Caller named \"main\" (a field of a container.In struct with the tag `name:\"main\"`)? (HERE)",
		text(c.Invoke(func(Caller) {})))
	type clients struct {
		container.In
		All []*C `group:"c,required"`
	}
	require.Equal(t, `backstay: Invoke: nothing of type *container_test.C is in group "c", which the func requires; did you mean group "cs"? (HERE)`,
		text(c.Invoke(func(clients) {})))
}

func TestGetOfWhatIsInAGroupSaysHowGroupsAreTaken(t *testing.T) {
	c := container.New()
	c.Provide(func() *C { return &C{} }, container.Group("cs"))
	require.Equal(t, "backstay: nothing provides *container_test.C; did you mean []*container_test.C by the tag `group:\"cs\"`, in a struct that the func of an Invoke takes? (HERE)",
		text(second(container.Get[*C](c))))
}

func TestLookupTakesAClass(t *testing.T) {
	c := container.New()
	c.Provide(func() *Plain { return &Plain{} })
	require.Equal(t, "backstay: Plain@Call is a reference of a method, and Lookup takes a class; write Plain (HERE)", text(second(c.Lookup("Plain@Call"))))
}

// What a wiring that has run twice does to everything else is not told.
func TestAWiringThatHasRunTwiceIsToldOnceForEachLine(t *testing.T) {
	wire := func(c *container.Container) {
		c.Provide(func() *Plain { return nil }, container.As[Caller](), container.AsSelf())
		c.Provide(func() *Plain { return nil }, container.As[Closer](), container.Name("spare"), container.Group("all"))
		c.Provide(func(Caller, *Missing) *A { return nil })
		c.Provide(func() *Offline { return nil }, container.As[Caller](), container.Name("offline"),
			container.Annotate[aliases.Retry]("Call", annotation.Fallback("Plain@Call")))
	}
	c := container.New()
	wire(c)
	wire(c)
	again := func(what string) string {
		return "backstay: " + what + " is provided twice: this line has run more than once; call the func that it stands in once for each container, or tell the services apart by container.Name (HERE)"
	}
	require.ElementsMatch(t, []string{
		"backstay: A: nothing provides *container_test.Missing, which its constructor takes; Provide one (HERE)",
		again("Plain: container_test.Caller"),
		again(`Plain#spare: container_test.Closer named "spare"`),
		again("A: *container_test.A"),
		again(`Offline#offline: container_test.Caller named "offline"`),
	}, verified(t, c))
}
