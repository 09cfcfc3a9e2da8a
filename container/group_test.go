package container_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
)

type (
	callersByName struct {
		container.In
		All map[string]Caller `group:"callers"`
	}
	requiredCallers struct {
		container.In
		All []Caller `group:"callers,required"`
	}
	requiredByName struct {
		container.In
		Absent *Missing          `optional:"true"`
		All    map[string]Caller `group:"callers,required"`
		C      *C                `name:"c"`
	}
	softByName struct {
		container.In
		All map[string]*C `group:"cs,soft,required"`
	}
	softRequired struct {
		container.In
		All []*C `group:"cs,required,soft"`
	}
	// namedAndGrouped gives results that are in a group and are found by their names.
	namedAndGrouped struct {
		container.Out
		Mail  Caller `name:"mail" group:"callers"`
		Paper Caller `name:"paper" group:"callers"`
	}
)

// named provides Callers in a group, by names.
func named(c *container.Container, names ...string) {
	for _, n := range names {
		c.Provide(func() *Client { return &Client{} }, container.As[Caller](), container.Group("callers"), container.Name(n))
	}
}

func TestAGroupIsTakenAsAMapByTheNamesOfItsMembers(t *testing.T) {
	for name, test := range map[string]struct {
		wire func(c *container.Container)
		want []string
	}{
		"of Provide": {func(c *container.Container) { named(c, "mail", "paper") }, []string{"mail", "paper"}},
		"of a result struct": {func(c *container.Container) {
			c.Provide(func() namedAndGrouped { return namedAndGrouped{Mail: &Plain{}, Paper: &Plain{}} })
		}, []string{"mail", "paper"}},
		"of both, with a value": {func(c *container.Container) {
			named(c, "sms")
			c.Supply(&Plain{}, container.As[Caller](), container.Group("callers"), container.Name("pigeon"))
			c.Provide(func() namedAndGrouped { return namedAndGrouped{Mail: &Plain{}, Paper: &Plain{}} })
		}, []string{"mail", "paper", "sms", "pigeon"}},
		"of scoped and transient ones": {func(c *container.Container) {
			c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), container.Group("callers"), container.Name("scoped"), container.Scoped())
			c.Provide(func() *Plain { return &Plain{} }, container.As[Caller](), container.Group("callers"), container.Name("transient"), container.Transient())
		}, []string{"scoped", "transient"}},
		"of nobody": {func(*container.Container) {}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			test.wire(c)
			c.Provide(func(p callersByName) map[string]Caller { return p.All }, container.Scoped())
			s := ours(t, c)
			got := in[map[string]Caller](t, s)
			require.NotNil(t, got)
			require.Len(t, got, len(test.want))
			for _, n := range test.want {
				require.NotNil(t, got[n], n)
				if n != "transient" {
					require.True(t, in[Caller](t, s, container.Name(n)) == got[n], "a member is found by its name as well")
				}
			}
			require.NoError(t, s.Invoke(func(p callersByName) { require.Len(t, p.All, len(test.want)) }))
		})
	}
}

func TestASingletonTakesGroupsAsMapsBesideOtherInputs(t *testing.T) {
	c := container.New()
	named(c, "mail", "paper")
	c.Supply(&C{1}, container.Name("c"))
	var got requiredByName
	var given *A
	c.Provide(func(a *A, p requiredByName, all callersByName) (*B, error) {
		require.Equal(t, p.All, all.All)
		got, given = p, a
		return &B{}, nil
	})
	c.Supply(&A{})
	must[*B](t, c)
	require.Same(t, must[*A](t, c), given)
	require.Nil(t, got.Absent)
	require.Equal(t, 1, got.C.n)
	require.Len(t, got.All, 2)
	require.True(t, aspect.IsWoven(got.All["mail"]), "woven like any other")
	require.True(t, must[Caller](t, c, container.Name("paper")) == got.All["paper"])
	require.NoError(t, c.Invoke(func(p requiredByName) { require.Equal(t, got.All, p.All) }))
}

func TestAMemberThatCannotBeBuiltFailsTheMap(t *testing.T) {
	for name, opts := range map[string][]container.ProvideOption{"a singleton": nil, "a transient": {container.Transient()}} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			c.Provide(func() (Caller, error) { return nil, errDown }, append(opts, container.Group("callers"), container.Name("mail"))...)
			err := c.Invoke(func(callersByName) { t.Error("called") })
			require.ErrorIs(t, err, errDown)
			require.Equal(t, "backstay: Invoke (HERE) needs Caller#mail (HERE): down", text(err))
		})
	}
}

func TestASoftGroupHasWhatIsBuiltAndARequiredOneSomebody(t *testing.T) {
	c := container.New()
	c.Provide(func() *C { return &C{1} }, container.Group("cs"), container.Name("one"))
	c.Provide(func() *C { return &C{2} }, container.Group("cs"), container.Name("two"))
	c.Provide(func(p softByName) *A { require.Empty(t, p.All); return &A{} })
	c.Provide(func(p softRequired) *B { require.Equal(t, []*C{{2}}, p.All); return &B{} })
	must[*A](t, c)
	two := must[*C](t, c, container.Name("two"))
	must[*B](t, c)
	require.NoError(t, c.Invoke(func(p softByName) { require.Equal(t, map[string]*C{"two": two}, p.All) }))
}

func TestAServiceIsInAGroupAndFoundAlone(t *testing.T) {
	c := container.New()
	c.Provide(func() *C { return &C{1} }, container.Group("cs"), container.Name("one"))
	c.Provide(func() *C { return &C{2} }, container.Group("cs"))
	one := must[*C](t, c, container.Name("one"))
	require.NoError(t, c.Invoke(func(p gatheredCs) { require.Equal(t, []*C{one, {2}}, p.All) }))
}

func TestGroupMistakes(t *testing.T) {
	type (
		intKeys struct {
			container.In
			All map[int]*C `group:"cs"`
		}
		lazies struct {
			container.In
			All map[string]container.Lazy[*C] `group:"cs"`
		}
		unknown struct {
			container.In
			All []*C `group:"cs,requierd"`
		}
		flattenedByName struct {
			container.Out
			All []*C `group:"cs,flatten" name:"x"`
		}
		csByName struct {
			container.In
			All map[string]*C `group:"cs"`
		}
		requiredCs struct {
			container.In
			All []*C `group:"cs,required"`
		}
	)
	for name, test := range map[string]struct {
		wire func(c *container.Container)
		want []string
	}{
		"a map that is none of names": {
			func(c *container.Container) {
				c.Provide(func(intKeys) *A { return nil })
				c.Provide(func(lazies) *B { return nil })
			},
			[]string{
				`backstay: A: field All of container_test.intKeys takes group "cs" as a map[int]*container_test.C; make it a slice of what is in the group, or a map[string] of it (HERE)`,
				`backstay: B: field All of container_test.lazies takes group "cs" as a map[string]container.Lazy[*github.com/backstay/backstay/container_test.C]; make it a slice of what is in the group, or a map[string] of it (HERE)`,
			},
		},
		"an option that nobody knows": {
			func(c *container.Container) { c.Provide(func(unknown) *A { return nil }) },
			[]string{`backstay: A: field All of container_test.unknown: group:"cs,requierd": "requierd" is not known here; write group:"name" or group:"name,soft,required" (HERE)`},
		},
		"a member of a map without a name": {
			func(c *container.Container) {
				c.Provide(func() *C { return nil }, container.Group("cs"))
				c.Provide(func() *C { return nil }, container.Group("cs"), container.Name("x"))
				c.Provide(func() []*C { return nil }, container.Group("cs,flatten"))
				c.Provide(func(csByName) *A { return nil })
			},
			[]string{
				`backstay: A: its constructor takes group "cs" as a map, by the names of its members, and C (HERE) has none; give it one by container.Name, or take a slice (HERE)`,
				`backstay: A: its constructor takes group "cs" as a map, by the names of its members, and what is in []*container_test.C (HERE), which is flattened into it, has none; Provide each by itself, with container.Name, or take a slice (HERE)`,
			},
		},
		"a name of what is flattened, in a result struct": {
			func(c *container.Container) { c.Provide(func() flattenedByName { return flattenedByName{} }) },
			[]string{`backstay: flattenedByName: field All of container_test.flattenedByName is flattened into group "cs", so there is nothing that the name "x" could be for; leave the name or flatten out (HERE)`},
		},
		"two members of one name": {
			func(c *container.Container) { named(c, "mail", "mail") },
			[]string{`backstay: Client#mail: container_test.Caller named "mail" is provided twice: this line has run more than once; call the func that it stands in once for each container, or tell the services apart by container.Name (HERE)`},
		},
		"a required group that nobody is in": {
			func(c *container.Container) {
				c.Provide(func(requiredCallers) *A { return nil })
				c.Provide(func() *C { return nil })
				c.Decorate(func(v *C, _ requiredCs) *C { return v })
			},
			[]string{
				`backstay: A: nothing of type container_test.Caller is in group "callers", which its constructor requires; Provide one with container.Group("callers") (HERE)`,
				`backstay: C: nothing of type *container_test.C is in group "cs", which its decorator requires; did you mean to put C into it, by container.Group("cs") (HERE)? Else Provide one with container.Group("cs") (HERE)`,
			},
		},
		"a required group that many could be in": {
			func(c *container.Container) {
				for _, n := range []string{"1", "2", "3", "4"} {
					c.Provide(func() *C { return nil }, container.Name(n))
				}
				c.Provide(func(requiredCs) *A { return nil })
			},
			[]string{`backstay: A: nothing of type *container_test.C is in group "cs", which its constructor requires; did you mean to put C#1 into it, by container.Group("cs") (HERE), or to put C#2 into it, by container.Group("cs") (HERE), or to put C#3 into it, by container.Group("cs") (HERE)? Else Provide one with container.Group("cs") (HERE)`},
		},
		"a required group of another name": {
			func(c *container.Container) {
				c.Provide(func() *Client { return nil }, container.As[Caller](), container.Group("caller"))
				c.Provide(func(requiredByName) *A { return nil })
				c.Supply(&C{}, container.Name("c"))
			},
			[]string{`backstay: A: nothing of type container_test.Caller is in group "callers", which its constructor requires; did you mean group "caller"? Else Provide one with container.Group("callers") (HERE)`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			test.wire(c)
			require.Equal(t, test.want, verified(t, c))
		})
	}
}

func TestAnInvokeThatTakesAGroupWronglyIsRefused(t *testing.T) {
	c := container.New()
	c.Provide(func() *Client { return &Client{} }, container.As[Caller](), container.Group("callers"))
	err := c.Invoke(func(callersByName, softByName) { t.Error("called") })
	require.Error(t, err)
	require.Equal(t, `backstay: Invoke: the func takes group "callers" as a map, by the names of its members, and Client (HERE) has none; give it one by container.Name, or take a slice (HERE)
backstay: Invoke: nothing of type *container_test.C is in group "cs", which the func requires; Provide one with container.Group("cs") (HERE)`, text(err))
}

// An empty group may be meant, and may be a name that is spelt in another way.
func TestNotesTellOfGroupsThatNobodyIsIn(t *testing.T) {
	type (
		idle struct {
			container.In
			All []*C `group:"css"`
		}
		other struct {
			container.In
			All map[string]Caller `group:"cs"`
		}
	)
	for name, test := range map[string]struct {
		wire func(c *container.Container)
		want []string
	}{
		"a name that is near": {func(c *container.Container) {
			c.Provide(func() *C { return nil }, container.Group("cs"))
			c.Provide(func(idle) *A { return nil })
		}, []string{`A: nothing of type *container_test.C is in group "css", which its constructor takes; did you mean group "cs"? (HERE)`}},
		"a type that is in no group": {func(c *container.Container) {
			c.Provide(func() *C { return nil })
			c.Provide(func(idle) *A { return nil })
		}, []string{`A: nothing of type *container_test.C is in group "css", which its constructor takes; did you mean to put C into it, by container.Group("css") (HERE)? (HERE)`}},
		"a type that implements it": {func(c *container.Container) {
			c.Provide(func() *Plain { return nil }, container.Group("cs"))
			c.Provide(func(other) *A { return nil })
		}, []string{`A: nothing of type container_test.Caller is in group "cs", which its constructor takes; did you mean to provide *container_test.Plain as it, by container.As[container_test.Caller]() (HERE)? (HERE)`}},
		"nothing that is near": {func(c *container.Container) {
			c.Provide(func(other) *A { return nil })
		}, []string{`A: nothing of type container_test.Caller is in group "cs", which its constructor takes (HERE)`}},
		"of a decorator": {func(c *container.Container) {
			c.Supply(&A{})
			c.Decorate(func(v *A, _ idle) *A { return v })
		}, []string{`A: nothing of type *container_test.C is in group "css", which its decorator takes (HERE)`}},
		"somebody is in it": {func(c *container.Container) {
			c.Provide(func() *C { return nil }, container.Group("css"))
			c.Provide(func(idle) *A { return nil })
		}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			test.wire(c)
			require.NoError(t, c.Verify())
			require.Equal(t, test.want, notes(c))
		})
	}
}
