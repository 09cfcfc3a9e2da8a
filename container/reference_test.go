package container_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	othershop "github.com/backstay/backstay/container/testdata/other/shop"
	"github.com/backstay/backstay/container/testdata/shop"
)

func TestAnAmbiguousClassOrInterfaceIsNotResolvedByTheServiceThatHasNoName(t *testing.T) {
	const apart = "; tell them apart by container.Name, and write Class#name"
	for name, test := range map[string]struct {
		wire  func(c *container.Container)
		class string
		want  string // the problem and the remedy
	}{
		"two classes of one name": {
			func(c *container.Container) {
				c.Provide(func() *shop.A { return &shop.A{} })
				c.Provide(func() *A { return &A{} }, container.Name("mine"))
			},
			"A", "there are 2 services of class A: shop.A (HERE), container_test.A#mine (HERE); tell them apart: write shop.A or container_test.A#mine",
		},
		"two classes of one qualified name": {
			func(c *container.Container) {
				c.Provide(func() *shop.A { return &shop.A{} })
				c.Provide(func() *othershop.A { return &othershop.A{} }, container.Name("other"))
			},
			"shop.A", "there are 2 services of class shop.A: github.com/backstay/backstay/container/testdata/shop.A (HERE), github.com/backstay/backstay/container/testdata/other/shop.A#other (HERE); " +
				"tell them apart: write github.com/backstay/backstay/container/testdata/shop.A or github.com/backstay/backstay/container/testdata/other/shop.A#other",
		},
		"an interface that two classes are provided as": {
			func(c *container.Container) {
				c.Provide(func() *Plain { return &Plain{} }, container.As[Caller]())
				c.Provide(func() *Client { return &Client{} }, container.As[Caller](), container.Name("x"))
			},
			"Caller", "there are 2 services of class Caller: Plain (HERE), Client#x (HERE); tell them apart: write Plain or Client#x",
		},
		"an interface that is the class of one service, and what another is provided as": {
			func(c *container.Container) {
				c.Provide(func() Caller { return &Plain{} })
				c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), container.Name("x"))
			},
			"Caller", "there are 2 services of class Caller: Caller (HERE), Plain#x (HERE)" + apart,
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			test.wire(c)
			_, err := c.Lookup(test.class)
			require.Equal(t, "backstay: "+test.want+" (HERE)", text(err))

			c = container.New()
			test.wire(c)
			c.Provide(func() *Buffer { return &Buffer{} }, container.As[Closer2](),
				container.Annotate[aliases.Retry]("Close", annotation.Fallback(test.class+"@Call")))
			require.Contains(t, verified(t, c), "backstay: Buffer@Close: aliases.Retry: "+test.want+" (HERE)")
		})
	}
}

type Closer2 interface{ Close() error }

func TestAServiceWithoutANameStandsForItsClassBesideNamedOnes(t *testing.T) {
	plain := &Plain{}
	c := container.New()
	c.Supply(plain, container.As[Caller]())
	c.Supply(&Plain{calls: 1}, container.As[Caller](), container.Name("x"))
	got, err := c.Lookup("Plain")
	require.NoError(t, err)
	require.Same(t, plain, got)
}

func TestANamedServiceIsFoundByAnInterfaceThatIsAnothersClass(t *testing.T) {
	named := &Plain{}
	c := container.New()
	c.Provide(func() Caller { return &Plain{calls: 1} })
	c.Provide(func() *Plain { return named }, container.As[Caller](), container.Name("x"))
	got, err := c.Lookup("Caller#x")
	require.NoError(t, err)
	require.Same(t, named, got)
}

func TestAServiceThatIsProvidedAsTwoInterfacesOfOneNameIsOne(t *testing.T) {
	type Caller interface{ Shut(context.Context) error }
	plain := &Plain{}
	c := container.New()
	c.Supply(plain, container.As[Closer](), container.As[Caller](), container.Name("x"))
	got, err := c.Lookup("Closer")
	require.NoError(t, err)
	require.Same(t, plain, got)
}

// A service whose class is an interface that others are provided as too still knows itself.
func TestAFallbackThatIsTheMethodItselfIsSeenWhereTheClassIsAnInterface(t *testing.T) {
	c := container.New()
	c.Provide(func() Caller { return &Plain{} }, container.Annotate[aliases.Retry]("Call", annotation.Fallback(Caller.Call)))
	c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), container.Name("x"))
	all := verified(t, c)
	require.Len(t, all, 1)
	require.Contains(t, all[0], "is the method itself")
}

type Pair[K, V any] struct {
	key   K
	value V
}

func TestLookupSaysWhichClassWasMeant(t *testing.T) {
	c := container.New()
	c.Provide(func() *Pair[string, int] { return &Pair[string, int]{"x", 1} })
	c.Provide(func() *Plain { return &Plain{} }, container.As[Closer]())
	for _, class := range []string{"Pair[string,int]", "Pair[string, int]", "container_test.Pair[ string , int ]"} {
		got, err := c.Lookup(class)
		require.NoError(t, err, class)
		require.Same(t, must[*Pair[string, int]](t, c), got)
	}
	for class, want := range map[string]string{
		"Pair":                 "did you mean Pair[string,int]?",
		"Piar":                 "did you mean Pair[string,int]?",
		"Pair[string, uint]":   "did you mean Pair[string,int]?",
		"Pair[bool, []string]": "Provide one",
		"Clsoer":               "did you mean Closer?",
		"container_test.Plian": "did you mean container_test.Plain?",
	} {
		_, err := c.Lookup(class)
		require.Equal(t, "backstay: there is no service of class "+class+"; "+want+" (HERE)", text(err))
	}
}

func TestANameThatNothingIsSuppliedUnderSaysWhatWasMeant(t *testing.T) {
	for name, remedy := range map[string]string{
		"bsuy":     `; did you mean busy? Else Supply one with container.Name("bsuy")`,
		"flta":     `; did you mean flat? Else Supply one with container.Name("flta")`,
		"backof":   `; did you mean backoff? Else Supply one with container.Name("backof")`,
		"Plian":    `; did you mean the class Plain? Else Supply one with container.Name("Plian")`,
		"Plain":    `, which is a class; Supply one with container.Name("Plain")`,
		"whatever": `; Supply one with container.Name("whatever")`,
	} {
		c := container.New()
		c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](),
			container.Annotate[aliases.Retry]("Call", annotation.Fallback(name)))
		c.Supply(func() error { return nil }, container.Name("busy"))
		all := verified(t, c)
		require.Len(t, all, 1)
		require.Contains(t, all[0], "nothing is supplied under the name \""+name+"\""+remedy)
	}
}

func TestASharedBreakerIsFoundByTheMethodsThatUseIt(t *testing.T) {
	shared := container.Annotate[aliases.CircuitBreaker]
	c := container.New()
	c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), shared("Call", annotation.BreakerName("peer")))
	c.Provide(func() *other { return &other{} }, container.As[Closer](), container.Name("o"), shared("Shut", annotation.BreakerName("peer")))
	all := c.Breakers()
	require.Len(t, all, 1)
	for _, method := range []any{"peer", "Plain@Call", "other#o@Shut", "Closer@Shut", "other@Shut", Caller.Call, (*Plain).Call, (*other).Shut} {
		b, err := c.Breaker(method)
		require.NoError(t, err)
		require.Same(t, all[0], b)
	}
	for _, test := range []struct {
		method any
		want   string
	}{
		{"Plian@Call", "there is no service of class Plian; did you mean Plain?"},
		{"Plain@Clal", "there is no breaker Plain@Clal; did you mean Plain@Call?"},
		{"Closer@Sutu", "there is no breaker other#o@Sutu; did you mean other#o@Shut?"},
		{"other#p@Shut", `no service of class other is named "p"; write other#o`},
		{"pere", "there is no breaker pere; did you mean peer?"},
		{(*Plain).Shut, "there is no breaker Plain@Shut; Breakers lists all"},
	} {
		_, err := c.Breaker(test.method)
		require.Equal(t, "backstay: "+test.want+" (HERE)", text(err))
	}
}
