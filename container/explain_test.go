package container_test

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/explain"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// requireGolden compares a text with a file, whatever the lines in these tests and the kind of proxies.
func requireGolden(t *testing.T, name, got string) {
	t.Helper()
	got = strings.ReplaceAll(placeOfTest.ReplaceAllString(got, "HERE"), "run-time", "generated")
	file := filepath.Join("testdata", "explain", name)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "%s; if it is meant to differ, run the test with -update", file)
}

func TestExplainTellsEverythingOfAContainer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := office()
		require.NoError(t, c.Verify())
		requireGolden(t, "unbuilt.txt", c.Explain().String())
		dot, mermaid := c.Explain().DOT(), c.Explain().Mermaid()
		requireGolden(t, "office.dot", dot)
		requireGolden(t, "office.mmd", mermaid)

		scope := c.Scope()
		scope.Supply(Request{})
		_, err := container.Get[*Desk](c)
		require.NoError(t, err)
		_, err = container.Get[Closer](scope)
		require.NoError(t, err)
		requireGolden(t, "built.txt", c.Explain().String())
		require.Equal(t, dot, c.Explain().DOT(), "pictures do not depend on what is built")
		require.Equal(t, mermaid, c.Explain().Mermaid())
	})
}

func TestExplainReturnsACopy(t *testing.T) {
	c := office()
	first := c.Explain()
	require.Equal(t, first, c.Explain())
	first.Services[2].Methods[0].Aspects[0].Name = "changed"
	first.Services[2].Needs[0].To = explain.Nobody
	require.NotEqual(t, first, c.Explain())
}

func TestExplainFreezesThePlanAndBuildsNothing(t *testing.T) {
	c := container.New()
	c.Provide(func() *A { panic("built") })
	require.False(t, c.Explain().Services[0].Built)
	c.Provide(func() *B { return &B{} })
	require.Len(t, verified(t, c), 1)
}

func TestExplainTellsWhatIsKnownDespiteDefinitionErrors(t *testing.T) {
	c := container.New()
	c.Provide(func(*B) *A { return &A{} })
	c.Provide(func() *C { return &C{} }, container.As[Caller]())
	c.Provide(nil)
	c.Provide(func(*A) *Client { return &Client{} }, container.As[Caller]())
	w := c.Explain()
	problems := make([]string, len(w.Problems))
	for i, p := range w.Problems {
		problems[i] = placeOfTest.ReplaceAllString(p, "HERE")
	}
	require.Equal(t, verified(t, c), problems)
	require.NotEmpty(t, problems)
	require.Equal(t, []explain.Need{{To: explain.Nobody, Kind: explain.Parameter, Key: "*container_test.B", Place: w.Services[0].Place}}, w.Find("A").Needs)
	require.Equal(t, 0, w.Find("Client").Needs[0].To)
	require.Equal(t, "Call", w.Find("Client").Methods[0].Name)

	var none *container.Container
	w = none.Explain()
	require.Empty(t, w.Services)
	require.Len(t, w.Problems, 1)
}

// built are the references of what is built.
func built(c *container.Container) (refs []string) {
	for _, s := range c.Explain().Services {
		if s.Built {
			refs = append(refs, s.Ref.String())
		}
	}
	return refs
}

func TestOnlyWhatHasBeenBuiltIsToldToBe(t *testing.T) {
	// Those of A to C are run by dig as they are, that of Checkout is not, since it can fail.
	for _, c := range []struct {
		name  string
		wire  func(c *container.Container, fail func() error)
		after []string // when something went wrong
	}{
		{"the constructor panics", func(c *container.Container, fail func() error) {
			c.Provide(func(*B) *A { _ = fail(); return &A{} })
			c.Provide(func() *B { return &B{} })
		}, []string{"B"}},
		{"the constructor of what it needs panics", func(c *container.Container, fail func() error) {
			c.Provide(func(*B, *C) *A { return &A{} })
			c.Provide(func() *B { return &B{} })
			c.Provide(func(*B) *C { _ = fail(); return &C{} })
		}, []string{"B"}},
		{"one that can fail panics", func(c *container.Container, fail func() error) {
			c.Provide(func(*Checkout) *A { return &A{} })
			c.Provide(func(*B) (*Checkout, error) { return &Checkout{}, fail() })
			c.Provide(func() *B { return &B{} })
		}, []string{"B"}},
		{"one that is built for weaving panics", func(c *container.Container, fail func() error) {
			c.Provide(func(Caller) *A { return &A{} })
			c.Provide(func(*B) *Client { return &Client{} }, container.As[Caller](), container.Annotate[aliases.Retry]("Call", annotation.Fallback((*Backup).Call)))
			c.Provide(func() *Backup { _ = fail(); return &Backup{} })
			c.Provide(func() *B { return &B{} })
		}, []string{"B"}},
		{"a transient panics", func(c *container.Container, fail func() error) {
			c.Provide(func(*B, *C) *A { return &A{} })
			c.Provide(func() *C { _ = fail(); return &C{} }, container.Transient())
			c.Provide(func() *B { return &B{} })
		}, []string{"B"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			down := true
			con := container.New()
			c.wire(con, func() error {
				if down {
					panic("down")
				}
				return nil
			})
			require.Empty(t, built(con))
			require.Panics(t, func() { _, _ = container.Get[*A](con) })
			require.Equal(t, c.after, built(con))
			down = false
			must[*A](t, con)
			require.Len(t, built(con), len(con.Explain().Services))
		})
	}
}

func TestWhatFailedIsNotBuilt(t *testing.T) {
	c := container.New()
	c.Provide(func() (*A, error) { return nil, errDown })
	c.Provide(func() (Caller, error) { return nil, nil })
	c.Provide(func() (*B, error) { return nil, errDown }, container.Transient())
	for _, err := range []error{
		c.Invoke(func(*A) {}), c.Invoke(func(Caller) {}), c.Invoke(func(*B) {}),
	} {
		require.Error(t, err)
	}
	require.Empty(t, built(c))
}

func TestBuildTimeIsThatOfTheConstructorAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := container.New()
		c.Provide(func(*B) *A { return after(time.Second, &A{}) })
		c.Provide(func(*C, container.Provider[*Cart]) (*B, error) { return after(time.Minute, &B{}), nil })
		c.Provide(func() *C { return after(time.Hour, &C{}) })
		wait := 3 * time.Second
		c.Provide(func() *Cart { wait *= 2; return after(wait, &Cart{}) }, container.Transient())
		must[*A](t, c)
		must[*Cart](t, c)
		must[*Cart](t, c)
		took := map[string]time.Duration{}
		for _, s := range c.Explain().Services {
			took[s.Ref.Class] = s.Took
		}
		require.Equal(t, map[string]time.Duration{"A": time.Second, "B": time.Minute, "C": time.Hour, "Cart": 6 * time.Second}, took)
	})
}

func TestExplainMayBeCalledWhileOthersBuildAndFromInside(t *testing.T) {
	c := office()
	var inside *explain.Wiring
	c.Provide(func(*Desk) *Checkout { inside = c.Explain(); return &Checkout{} })
	require.NoError(t, c.Verify())
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 5 {
				_ = c.Explain().String()
			}
		})
	}
	must[*Checkout](t, c)
	all.Wait()
	require.True(t, inside.Find("Desk").Built)
	require.False(t, inside.Find("Checkout").Built)
	require.True(t, c.Explain().Find("Checkout").Built)
}

func TestEachServiceHasItsOwnKeysAndDecorators(t *testing.T) {
	type pair struct {
		container.Out
		First  *Plain
		Second Caller `name:"second"`
		Third  *A     `group:"as"`
	}
	c := container.New()
	c.Provide(func() pair { return pair{First: &Plain{}, Second: &Plain{}, Third: &A{}} })
	c.Provide(func() *Buffer { return &Buffer{} }, container.As[interface{ Close() error }](), container.AsSelf())
	c.Provide(func(*Buffer, *Plain) *C { return &C{} })
	c.Decorate(func(p *Plain) *Plain { return p })
	c.Decorate(func(p Caller) Caller { return p }, container.Name("second"))
	c.Decorate(func(a *A) *A { return a }, container.Group("as"))
	c.Decorate(func(b *Buffer) *Buffer { return b })
	c.Decorate(func(p *Plain) (*Plain, error) { return p, errors.ErrUnsupported })
	require.NoError(t, c.Verify())
	w := c.Explain()
	var decorated []int
	for _, s := range w.Services {
		decorated = append(decorated, len(s.Decorators))
	}
	require.Equal(t, []int{2, 1, 1, 1, 0}, decorated)
	require.Equal(t, []string{"interface { Close() error }", "*container_test.Buffer"}, w.Find("Buffer").Provided)
	require.Equal(t, "as", w.Find("A").Group)
	require.Equal(t, []int{3, 0}, []int{w.Find("C").Needs[0].To, w.Find("C").Needs[1].To}, "the concrete type is the same service")
}

func TestExplainTellsWhatADeploymentHasConfigured(t *testing.T) {
	c := container.New()
	c.Provide(func() *Client { return &Client{} }, container.As[Caller]())
	c.Configure("Client@Call", annotation.MaxAttempts(7))
	require.NoError(t, c.Verify())
	for _, a := range c.Explain().Find("Client").Methods[0].Attributes {
		if a.Key == "maxAttempts" {
			require.Equal(t, "7", a.Value)
			require.Equal(t, "configuration HERE", placeOfTest.ReplaceAllString(a.Origin, "HERE"))
			return
		}
	}
	require.Fail(t, "there are no maxAttempts")
}
