package container_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/retry"
)

type inCaller struct {
	container.In
	Words string `name:"words"`
	B     *B     `optional:"true"`
}

func TestWhatADecoratorReturnsCanFailTheBuild(t *testing.T) {
	both := container.Options(container.As[Caller](), container.As[Closer]())
	impl := container.Impl[*Client]()
	client := func() *Client { return &Client{} }
	same := func(c Caller) Caller { t.Error("called"); return c }
	const asked = "backstay: container.Get (HERE) needs Client (HERE): "
	for name, test := range map[string]struct {
		constructor any
		opt         container.ProvideOption
		decorator   any
		want        string
	}{
		"an error": {
			client, both, func(Caller) (Caller, error) { return nil, errDown },
			asked + "its decorator (HERE): down",
		},
		"nil": {
			client, both, func(Caller) Caller { return nil },
			asked + "its decorator returned a nil container_test.Caller and no error; return a value, or an error (HERE)",
		},
		"what lacks another interface": {
			client, both, func(c Caller) Caller { return &tagged{c, "1"} },
			asked + "its decorator returned a *container_test.tagged, and the service is provided as container_test.Closer too, which that does not implement: it has no method Shut; implement it (HERE)",
		},
		"a type with a mark": {
			client, both, func(Caller) Caller { return &marked{Plain: &Plain{}} },
			asked + "aliases.Retry: its decorator returned a *container_test.marked, and nothing enforces its mark marked._: what is declared for a service is said where it is provided; leave it out, and say container.Annotate there (HERE)",
		},
		"the service, if that is nil": {
			func() Caller { return nil }, impl, same,
			asked + "its constructor returned a nil container_test.Caller and no error; return a value, or an error",
		},
		"the service, if that has marks that nobody knew": {
			func() Caller { return &Client{} }, container.Options(), same,
			"backstay: container.Get (HERE) needs Caller (HERE): aliases.Retry: its constructor built a *container_test.Client, whose mark Client._ was not known when the plan was verified; say container.Impl[*container_test.Client]() where it is provided",
		},
		"the service, if that is not what Impl says": {
			func() Caller { return &Plain{} }, impl, same,
			asked + "its constructor built a *container_test.Plain, and container.Impl says *container_test.Client; say container.Impl[*container_test.Plain]()",
		},
		"the service, if that could not be built": {
			func() (Caller, error) { return nil, errDown }, impl, same,
			asked + "down",
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, scoped := container.New(), container.New()
			c.Provide(test.constructor, test.opt)
			c.Decorate(test.decorator)
			_, err := container.Get[Caller](c)
			require.Error(t, err)
			require.Equal(t, test.want, text(err))

			scoped.Provide(test.constructor, test.opt, container.Scoped())
			scoped.Decorate(test.decorator)
			_, err = container.Get[Caller](ours(t, scoped))
			require.Error(t, err)
			require.Equal(t, test.want, text(err))
		})
	}
}

func TestTheErrorOfADecoratorIsFoundAndIsNotRemembered(t *testing.T) {
	fail := true
	c := container.New()
	c.Provide(func() *Plain { return &Plain{} }, container.As[Caller]())
	c.Provide(func(c Caller) *A { return &A{} })
	c.Decorate(func(c Caller) (Caller, error) {
		if fail {
			return nil, errDown
		}
		return &tagged{c, "1"}, nil
	})
	_, err := container.Get[*A](c)
	require.ErrorIs(t, err, errDown)
	require.Equal(t, "backstay: container.Get (HERE) needs A (HERE) needs Plain (HERE): its decorator (HERE): down", text(err))
	fail = false
	must[*A](t, c)
	require.Equal(t, "1", tags(must[Caller](t, c)))
}

func TestAnErrorForOneElementOfAFlattenedGroupFailsTheBuild(t *testing.T) {
	c := container.New()
	c.Provide(func() []Caller { return []Caller{&Plain{}, &Plain{err: errDown}} }, container.Group(flat))
	c.Decorate(func(c Caller) (Caller, error) { return c, c.(*Plain).err }, container.Group("g"))
	err := c.Invoke(func(callers) { t.Error("called") })
	require.ErrorIs(t, err, errDown)
	require.Contains(t, text(err), ": its decorator (HERE): down")
}

func TestAPanicOfADecoratorPassesThrough(t *testing.T) {
	c := container.New()
	c.Provide(func() *Plain { return &Plain{} }, container.As[Caller]())
	c.Decorate(func(Caller) Caller { panic(errDown) })
	require.PanicsWithValue(t, errDown, func() { _, _ = container.Get[Caller](c) })
}

// embedding has the marks of what it embeds, which hold without it.
type embedding struct{ *Client }

func TestMarksThatHoldAnywayMayStandOnWhatADecoratorReturns(t *testing.T) {
	for name, test := range map[string]struct {
		override func() Caller
		fn       func(Caller) Caller
		calls    int
	}{
		"of the service itself": {nil, func(c Caller) Caller { return c }, 3},
		"of what it embeds":     {nil, func(c Caller) Caller { return embedding{c.(*Client)} }, 3},
		"of an override, which are not read": {
			func() Caller { return &marked{Plain: &Plain{err: errDown}} }, func(c Caller) Caller { return c }, 3,
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			c.Provide(func() *Client { return &Client{fail: 9} }, container.As[Caller]())
			if test.override != nil {
				c.Override(test.override)
			}
			c.Decorate(test.fn)
			ctx, report := retry.WithReport(t.Context())
			require.ErrorIs(t, must[Caller](t, c).Call(ctx), errDown)
			require.Equal(t, test.calls, report.Attempts)
		})
	}
}

func TestWhatADecoratorFailsToDecorateIsClosedAtOnce(t *testing.T) {
	for name, decorator := range map[string]func(open) (open, error){
		"by an error": func(open) (open, error) { return nil, errDown },
		"by nil":      func(open) (open, error) { return nil, nil },
		"by a mark":   func(open) (open, error) { return markedOpen{}, nil },
		"by a panic":  func(open) (open, error) { panic(errDown) },
	} {
		for lifetime, opts := range map[string][]container.ProvideOption{"a singleton": nil, "a scoped service": {container.Scoped()}} {
			t.Run(lifetime+" "+name, func(t *testing.T) {
				var l log
				c := container.New()
				c.Provide(func() (*inTime, func()) { return &inTime{&l, "close", nil}, func() { l.add("cleanup") } },
					append(opts, container.As[open]())...)
				c.Decorate(func(o open) open { return struct{ open }{o} })
				c.Decorate(decorator)
				s := c.Scope()
				func() {
					defer func() { _ = recover() }()
					_, err := container.Get[open](s)
					require.Error(t, err)
				}()
				require.NoError(t, s.Close(closing(t)))
				require.Len(t, l.lines, 2)
				require.Contains(t, l.lines[0], "close", "whose Close the first decorator hides")
				require.Equal(t, "cleanup", l.lines[1])
			})
		}
	}
}

type markedOpen struct {
	_ annotation.On[aliases.Retry] `method:"*"`
	open
}
