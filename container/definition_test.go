package container_test

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/container/testdata/malformed"
	"github.com/backstay/backstay/retry"
)

type (
	missingTag struct {
		container.In
		A *A `nmae:"x"`
	}
	foreignTag struct {
		container.In
		A *A `json:"a"`
	}
	doubleTag struct {
		container.In
		A *A `name:"x" name:"y"`
	}
	notOptional struct {
		container.In
		A *A `optional:"yes, please"`
	}
	groupOption struct {
		container.In
		A []*A `group:"x,flatten"`
	}
	groupWithName struct {
		container.In
		A []*A `group:"x" name:"y"`
	}
	groupNoSlice struct {
		container.In
		A *A `group:"x"`
	}
	lazyGroup struct {
		container.In
		A []container.Lazy[*A] `group:"x"`
	}
	unexportedIn struct {
		container.In
		a *A
	}
	ignoreTag struct {
		container.In `ignore-unexported:"please"`
	}
	namedMissing struct {
		container.In
		A *A `name:"x"`
	}
	pointerIn struct {
		*container.In
		A *A
	}
	pointerOut struct {
		*container.Out
		A *A
	}
	outTag struct {
		container.Out
		A *A `optional:"true"`
	}
	unexportedOut struct {
		container.Out
		a *A
	}
	outName struct {
		container.Out
		A *A `name:"x@y"`
	}
	outA struct {
		container.Out
		Caller *Client
	}
)

func (unexportedIn) use() *A  { return unexportedIn{}.a }
func (unexportedOut) use() *A { return unexportedOut{}.a }

type Wide interface {
	Caller
	Extra()
}
type Differs interface{ Call() error }
type sealed interface{ hidden() }

// Every mistake that a container finds itself: one line, with what, where and what to write instead.
func TestDefinitionErrors(t *testing.T) {
	as := container.As[Caller]
	for name, test := range map[string]struct {
		wire func(c *container.Container)
		want []string
	}{
		"a constructor that is nil": {
			func(c *container.Container) { c.Provide(nil) },
			[]string{"backstay: the constructor is nil; give it a func (HERE)"},
		},
		"a constructor that is no func": {
			func(c *container.Container) { c.Provide(7) },
			[]string{"backstay: int is no constructor; give it a func that returns the service, or use Supply (HERE)"},
		},
		"a constructor that is a nil func": {
			func(c *container.Container) { c.Provide((func() *A)(nil)) },
			[]string{"backstay: A: the constructor is a nil func() *container_test.A; give it a func (HERE)"},
		},
		"a constructor without results": {
			func(c *container.Container) {
				c.Provide(func() {})
				c.Provide(func() error { return nil })
			},
			[]string{
				"backstay: its constructor returns nothing that could be provided; let it return the service (HERE)",
				"backstay: its constructor returns nothing that could be provided; let it return the service (HERE)",
			},
		},
		"a variadic constructor": {
			func(c *container.Container) { c.Provide(func(...int) *A { return nil }) },
			[]string{"backstay: A: func(...int) *container_test.A is variadic, and nothing is injected into a variadic parameter; wrap it in a func without that parameter (HERE)"},
		},
		"a service that is an error": {
			func(c *container.Container) {
				c.Provide(func() (error, *A) { return nil, nil })
				c.Supply(failing{io.EOF})
			},
			[]string{
				"backstay: A: error is an error, so it cannot be told from a failure of its constructor; provide it as an interface without Error() string, by container.As, or return the error as the last result (HERE)",
				"backstay: failing: container_test.failing is an error, so it cannot be told from a failure of its constructor; provide it as an interface without Error() string, by container.As, or return the error as the last result (HERE)",
			},
		},
		"a name that cannot be one": {
			func(c *container.Container) {
				c.Supply(1, container.Name(""))
				c.Provide(func() *A { return nil }, container.Name("a@b"))
				c.Provide(func() *B { return nil }, container.Name("a#b"))
				c.Supply("", container.Name("`"))
				c.Provide(func() outName { return outName{} })
			},
			[]string{
				"backstay: int: its name is empty; give it a name, or leave container.Name out (HERE)",
				`backstay: A: the name "a@b" has an @ or #, so that no reference Class#name@Method can say it; leave it out (HERE)`,
				`backstay: B: the name "a#b" has an @ or #, so that no reference Class#name@Method can say it; leave it out (HERE)`,
				"backstay: string: the name \"`\" has a backquote, so that no tag can say it; leave it out (HERE)",
				`backstay: outName: field A of container_test.outName: the name "x@y" has an @ or #, so that no reference Class#name@Method can say it; leave it out (HERE)`,
			},
		},
		"a name of a slice that is flattened": {
			func(c *container.Container) {
				c.Provide(func() []*A { return nil }, container.Group(flat), container.Name("x"))
			},
			[]string{`backstay: []*container_test.A#x: result 1 is flattened into group "g", so there is nothing that the name "x" could be for; leave the name or flatten out (HERE)`},
		},
		"a supplied nil": {
			func(c *container.Container) { c.Supply(nil); c.Supply((*A)(nil)); c.Supply((func())(nil)) },
			[]string{
				"backstay: nil is supplied; supply a value (HERE)",
				"backstay: A: a nil *container_test.A is supplied; supply a value (HERE)",
				"backstay: func(): a nil func() is supplied; supply a value (HERE)",
			},
		},
		"a nil option": {
			func(c *container.Container) { c.Supply(1, nil) },
			[]string{"backstay: int: one of its options is nil; leave it out (HERE)"},
		},
		"two names, and one that no tag can say": {
			func(c *container.Container) {
				c.Supply(1, container.Name("a"), container.Name("b"))
				c.Supply(2, container.Name("c`"))
			},
			[]string{
				`backstay: int#a: it has two names, "a" and "b"; give it one by container.Name (HERE)`,
				"backstay: int: the name \"c`\" has a backquote, so that no tag can say it; leave it out (HERE)",
			},
		},
		"two groups": {
			func(c *container.Container) { c.Supply(1, container.Group("a"), container.Group("b")) },
			[]string{`backstay: int: it is in two groups, "a" and "b"; leave it in one (HERE)`},
		},
		"a group that is written wrong": {
			func(c *container.Container) {
				c.Supply(1, container.Group(""))
				c.Supply(2, container.Group("a,soft"))
				c.Supply(1, container.Group("a,flatten"))
			},
			[]string{
				`backstay: int: container.Group(""): the group has no name; write container.Group("name") or container.Group("name,flatten") (HERE)`,
				`backstay: int: container.Group("a,soft"): "soft" is not known here; write container.Group("name") or container.Group("name,flatten") (HERE)`,
				`backstay: int: the value is of type int, and only a slice is flattened into a group; return a slice (HERE)`,
			},
		},
		"As of what it does not implement": {
			func(c *container.Container) {
				c.Provide(func() *Plain { return nil }, container.As[Wide]())
				c.Provide(func() Plain { return Plain{} }, as())
				c.Provide(func() *Plain { return nil }, container.As[Differs](), container.Name("differs"))
				c.Provide(func() *Plain { return nil }, container.As[sealed]())
				c.Provide(func() Caller { return nil }, container.As[Closer](), container.Name("other"))
			},
			[]string{
				"backstay: Plain: container.As[container_test.Wide]: *container_test.Plain does not implement it: it has no method Extra; implement it, or name another interface (HERE)",
				"backstay: Plain: container.As[container_test.Caller]: container_test.Plain does not implement it: it has no method Call; implement it, or name another interface; *container_test.Plain implements it (HERE)",
				"backstay: Plain#differs: container.As[container_test.Differs]: *container_test.Plain does not implement it: its method Call is not a func() error; implement it, or name another interface (HERE)",
				"backstay: Plain: container.As[container_test.sealed]: *container_test.Plain does not implement it: it has no method hidden of package github.com/backstay/backstay/container_test; implement it, or name another interface (HERE)",
				"backstay: Caller#other: container.As[container_test.Closer]: container_test.Caller does not implement it: it has no method Shut; implement it, or name another interface (HERE)",
			},
		}, // and nothing more: no service counts as missing or as provided twice
		"As of no interface": {
			func(c *container.Container) { c.Provide(func() *Plain { return nil }, container.As[*A]()) },
			[]string{"backstay: Plain: container.As[*container_test.A] names no interface; name an interface that the service implements (HERE)"},
		},
		"As that two results implement": {
			func(c *container.Container) { c.Provide(func() (*Plain, *Client) { return nil, nil }, as()) },
			[]string{"backstay: Plain: container.As[container_test.Caller] may be for *container_test.Plain or for *container_test.Client; provide each by a constructor of its own (HERE)"},
		},
		"As for a field": {
			func(c *container.Container) { c.Provide(func() outA { return outA{} }, as()) },
			[]string{"backstay: outA: container.As[container_test.Caller] cannot change the type of a field of a result struct; declare the field as container_test.Caller, and say container.Impl[*container_test.Client]() (HERE)"},
		},
		"Impl that does not fit": {
			func(c *container.Container) {
				c.Provide(func() Caller { return nil }, container.Impl[*A]())
				c.Provide(func() Caller { return nil }, container.Impl[Plain](), container.Name("1"))
				c.Provide(func() Caller { return nil }, container.Impl[Closer](), container.Name("2"))
				c.Provide(func() *A { return nil }, container.Impl[*B]())
			},
			[]string{
				"backstay: Caller: container.Impl[*container_test.A]: *container_test.A does not implement container_test.Caller: it has no method Call; name the type that the constructor builds (HERE)",
				"backstay: Caller#1: container.Impl[container_test.Plain]: container_test.Plain does not implement container_test.Caller: it has no method Call; name the type that the constructor builds; *container_test.Plain implements it (HERE)",
				"backstay: Caller#2: container.Impl[container_test.Closer] names an interface; name the concrete type that the constructor builds (HERE)",
				"backstay: A: container.Impl[*container_test.B]: the constructor returns a *container_test.A; leave it out: it is for constructors that return an interface (HERE)",
			},
		},
		"an annotation for one of several results": {
			func(c *container.Container) {
				c.Provide(func() (Caller, Closer) { return nil, nil }, container.Annotate[aliases.Retry]("Call"))
			},
			[]string{`backstay: Caller: aliases.Retry: it builds several services, and the annotation does not say which it is for; select the methods by a method expression of one of them (HERE)`},
		},
		"AsAspect of what is none": {
			func(c *container.Container) { c.Provide(func() *A { return nil }, container.AsAspect(aspect.Any(), 1)) },
			[]string{"backstay: A: *container_test.A is no aspect.Aspect; give it a method Process(aspect.JoinPoint) error (HERE)"},
		},
		"a key that is provided twice": {
			func(c *container.Container) {
				c.Provide(func() *Plain { return nil }, as())
				c.Provide(func() *Client { return nil }, as())
				c.Supply("a", container.Name("region"))
				c.Supply("b", container.Name("region"))
				c.Provide(func() (*A, *A) { return nil, nil })
			},
			[]string{
				"backstay: Client: container_test.Caller is provided twice, first at HERE; give one of them another name by container.Name (HERE)",
				`backstay: string#region: string named "region" is provided twice, first at HERE; give one of them another name by container.Name (HERE)`,
				"backstay: A: *container_test.A is provided twice, first at HERE; give one of them another name by container.Name (HERE)",
			},
		},
		"two listeners without a name, which somebody wants": {
			func(c *container.Container) {
				c.Provide(func() retry.Listener { return nil })
				c.Provide(func() retry.Listener { return nil })
				c.Provide(func(retry.Listener) *A { return nil })
			},
			[]string{"backstay: A: nothing provides retry.Listener, which its constructor takes; did you mean one of the several retry.Listener without a name, which has to be given one? Else Provide one (HERE)"},
		},
		"two matchers of one name and two types": {
			func(c *container.Container) {
				c.Supply(retry.Is(io.EOF), container.Name("eof"))
				c.Supply(retry.As[*failingPointer](), container.Name("eof"))
			},
			[]string{`backstay: asMatcher[*failingPointer]#eof: two matchers are named "eof", the first at HERE; give one of them another name by container.Name (HERE)`},
		},
		"tags of parameter structs": {
			func(c *container.Container) {
				c.Supply(&A{})
				c.Provide(func(missingTag) *B { return nil })
				c.Provide(func(foreignTag) *B { return nil }, container.Name("1"))
				c.Provide(func(malformed.In) *B { return nil }, container.Name("2"))
				c.Provide(func(doubleTag) *B { return nil }, container.Name("3"))
				c.Provide(func(notOptional) *B { return nil }, container.Name("4"))
				c.Provide(func(groupOption) *B { return nil }, container.Name("5"))
				c.Provide(func(groupWithName) *B { return nil }, container.Name("6"))
				c.Provide(func(groupNoSlice) *B { return nil }, container.Name("7"))
				c.Provide(func(unexportedIn) *B { return nil }, container.Name("8"))
				c.Provide(func(ignoreTag) *B { return nil }, container.Name("9"))
				c.Provide(func(lazyGroup) *B { return nil }, container.Name("10"))
			},
			[]string{
				`backstay: B: field A of container_test.missingTag: the tag key "nmae" is not known; did you mean name? (HERE)`,
				`backstay: B#1: field A of container_test.foreignTag: the tag key "json" is not known; known here: name, optional, group (HERE)`,
				`backstay: B#2: field A of malformed.In: the tag "name: \"x\"" is malformed; write it as key:"value" pairs with one space between them (HERE)`,
				`backstay: B#3: field A of container_test.doubleTag: the tag key "name" is there twice; write it once (HERE)`,
				`backstay: B#4: field A of container_test.notOptional: optional:"yes, please" is neither true nor false; write optional:"true" (HERE)`,
				`backstay: B#5: field A of container_test.groupOption: group:"x,flatten": "flatten" is not known here; write group:"name" or group:"name,soft,required" (HERE)`,
				`backstay: B#6: field A of container_test.groupWithName: a group has neither a name nor is it optional: without services it is empty; leave name and optional out (HERE)`,
				`backstay: B#7: field A of container_test.groupNoSlice takes group "x" as a *container_test.A; make it a slice of what is in the group, or a map[string] of it (HERE)`,
				"backstay: B#8: field a of container_test.unexportedIn is not exported, so it cannot be filled; export it, or write container.In `ignore-unexported:\"true\"` (HERE)",
				`backstay: B#9: field In of container_test.ignoreTag: ignore-unexported:"please" is neither true nor false; write ignore-unexported:"true" (HERE)`,
				`backstay: B#10: field A of container_test.lazyGroup takes group "x" as a []container.Lazy[*github.com/backstay/backstay/container_test.A]; make it a slice of what is in the group, or a map[string] of it (HERE)`,
			},
		},
		"structs of parameters and results in the wrong place": {
			func(c *container.Container) {
				c.Provide(func(*inParams) *A { return nil })
				c.Provide(func(outResults) *A { return nil }, container.Name("1"))
				c.Provide(func(*outResults) *A { return nil }, container.Name("2"))
				c.Provide(func(pointerIn) *A { return nil }, container.Name("3"))
				c.Provide(func() inParams { return inParams{} })
				c.Provide(func() *outResults { return nil })
				c.Provide(func() pointerOut { return pointerOut{} })
				c.Provide(func() outTag { return outTag{} })
				c.Provide(func() unexportedOut { return unexportedOut{} })
				c.Provide(func() outA { return outA{} }, container.Name("4"))
			},
			[]string{
				"backstay: A: parameter 1 is a pointer to a struct that embeds container.In; take the struct by value (HERE)",
				"backstay: A#1: parameter 1 is a struct of results; take a struct that embeds container.In (HERE)",
				"backstay: A#2: parameter 1 is a struct of results; take a struct that embeds container.In (HERE)",
				"backstay: A#3: container_test.pointerIn embeds a pointer to container.In; embed container.In itself (HERE)",
				"backstay: inParams: result 1 is a struct of parameters; return a struct that embeds container.Out (HERE)",
				"backstay: outResults: result 1: *container_test.outResults is no struct of results by value; embed container.Out itself, and return the struct, not a pointer to it (HERE)",
				"backstay: pointerOut: result 1: container_test.pointerOut is no struct of results by value; embed container.Out itself, and return the struct, not a pointer to it (HERE)",
				`backstay: outTag: field A of container_test.outTag: the tag key "optional" is not known; known here: name, group (HERE)`,
				"backstay: unexportedOut: field a of container_test.unexportedOut is not exported, so it cannot be provided; export it (HERE)",
				"backstay: outA#4: container.Name and container.Group cannot tell which field of container_test.outA is meant; write name:\"x\" or group:\"x\" into the field's tag (HERE)",
			},
		},
		"a missing dependency": {
			func(c *container.Container) { c.Provide(func(*B) *A { return nil }) },
			[]string{"backstay: A: nothing provides *container_test.B, which its constructor takes; Provide one (HERE)"},
		},
		"a missing dependency that is there under another name": {
			func(c *container.Container) {
				c.Supply("eu", container.Name("region"))
				c.Provide(func(string) *A { return nil })
				c.Supply(&A{}, container.Name("y"))
				c.Provide(func(namedMissing) *B { return nil })
			},
			[]string{
				`backstay: A: nothing provides string, which its constructor takes; did you mean the string named "region" (a field of a container.In struct with the tag ` + "`name:\"region\"`" + `)? Else Provide one (HERE)`,
				`backstay: B: nothing provides *container_test.A named "x", which its constructor takes; did you mean the *container_test.A without a name, or the *container_test.A named "y" (a field of a container.In struct with the tag ` + "`name:\"y\"`" + `)? Else Provide one (HERE)`,
			},
		},
		"a missing name": {
			func(c *container.Container) { c.Provide(func(namedMissing) *B { return nil }) },
			[]string{`backstay: B: nothing provides *container_test.A named "x", which its constructor takes; Provide one with container.Name("x") (HERE)`},
		},
		"a missing dependency that comes close": {
			func(c *container.Container) {
				c.Provide(func() *Plain { return nil }, as())
				c.Provide(func() *other { return nil }, container.As[Closer](), container.Group("closers"))
				c.Provide(func() B { return B{} })
				c.Provide(func(*Plain) *A { return nil }, container.Name("1"))
				c.Provide(func(*B) *A { return nil }, container.Name("2"))
				c.Provide(func(Closer) *A { return nil }, container.Name("3"))
				c.Provide(func(differentCaller) *A { return nil }, container.Name("4"))
			},
			[]string{
				"backstay: A#1: nothing provides *container_test.Plain, which its constructor takes; did you mean container_test.Caller, which *container_test.Plain is provided as (HERE)? Else Provide one (HERE)",
				"backstay: A#2: nothing provides *container_test.B, which its constructor takes; did you mean container_test.B? Else Provide one (HERE)",
				"backstay: A#3: nothing provides container_test.Closer, which its constructor takes; did you mean to provide *container_test.Plain as it, by container.As[container_test.Closer]() (HERE), or []container_test.Closer by the tag `group:\"closers\"`? Else Provide one (HERE)",
				"backstay: A#4: nothing provides container_test.differentCaller, which its constructor takes; did you mean to provide *container_test.Plain as it, by container.As[container_test.differentCaller]() (HERE), or to provide *container_test.other as it, by container.As[container_test.differentCaller]() (HERE)? Else Provide one (HERE)",
			},
		},
		"a Lazy of what nobody provides": {
			func(c *container.Container) { c.Provide(func(container.Lazy[*B]) *A { return nil }) },
			[]string{"backstay: A: nothing provides *container_test.B, which its constructor takes as a container.Lazy; Provide one (HERE)"},
		},
		"a cycle of constructors": {
			func(c *container.Container) {
				c.Provide(func(*B) *A { return nil })
				c.Provide(func(*C, *C) *B { return nil })
				c.Provide(func(*A) *C { return nil })
			},
			[]string{"backstay: A: a cycle: A needs B (HERE), B needs C (HERE), C needs A (HERE); let the constructor of A take a container.Lazy[*container_test.B] (HERE)"},
		},
		"a constructor that needs what it builds": {
			func(c *container.Container) { c.Provide(func(*A) *A { return nil }) },
			[]string{"backstay: A: a cycle: A needs A (HERE); let the constructor of A take a container.Lazy[*container_test.A] (HERE)"},
		},
		"two cycles through one service": {
			func(c *container.Container) {
				c.Provide(func(*B, *C) *A { return nil })
				c.Provide(func(*A) *B { return nil })
				c.Provide(func(*A) *C { return nil })
			},
			[]string{
				"backstay: A: a cycle: A needs B (HERE), B needs A (HERE); let the constructor of A take a container.Lazy[*container_test.B] (HERE)",
				"backstay: A: a cycle: A needs C (HERE), C needs A (HERE); let the constructor of A take a container.Lazy[*container_test.C] (HERE)",
			},
		},
		"a cycle that is drawn once, though each takes the other twice": {
			func(c *container.Container) {
				c.Provide(func(*B, *B) *A { return nil })
				c.Provide(func(*A, *A) *B { return nil })
			},
			[]string{"backstay: A: a cycle: A needs B (HERE), B needs A (HERE); let the constructor of A take a container.Lazy[*container_test.B] (HERE)"},
		},
		"a cycle through a group": {
			func(c *container.Container) {
				type all struct {
					container.In
					All []*B `group:"b"`
				}
				c.Provide(func(all) *A { return nil })
				c.Provide(func(*A) *B { return nil }, container.Group("b"))
			},
			[]string{`backstay: A: a cycle: A needs B in group "b" (HERE), B needs A (HERE); let the constructor of B take a container.Lazy[*container_test.A] (HERE)`},
		},
		"a cycle of a group with itself": {
			func(c *container.Container) {
				type all struct {
					container.In
					All []*B `group:"b"`
				}
				c.Provide(func(all) *B { return nil }, container.Group("b"))
			},
			[]string{`backstay: B: a cycle: B needs B in group "b" (HERE); leave one of them out, or let the constructor of B take a container.Lazy of one of them instead of group "b" (HERE)`},
		},
		"a policy that takes the service that lists it": {
			func(c *container.Container) {
				c.Provide(func() *Client { return nil }, as(), container.Annotate[aliases.Retry]("Call",
					annotation.AddPolicies(retry.PolicyFrom("asks", func(Caller) counting { return counting{} }))))
			},
			[]string{"backstay: Client: a cycle: Client needs Client for policy \"asks\" of Call (HERE); leave one of them out (HERE)"},
		},
		"a fallback that needs the service": {
			func(c *container.Container) {
				c.Provide(func() *Client { return nil }, as(), container.Annotate[aliases.Retry](Caller.Call, annotation.Fallback("Plain@Call")))
				c.Provide(func(Caller) *Plain { return nil })
			},
			[]string{"backstay: Client: a cycle: Client needs Plain for fallback Plain@Call of Call (HERE), Plain needs Client (HERE); let the constructor of Plain take a container.Lazy[container_test.Caller] (HERE)"},
		},
		"fallbacks in a circle": {
			func(c *container.Container) {
				c.Provide(func() *Client { return nil }, as(), container.Annotate[aliases.Retry](Caller.Call, annotation.Fallback("Plain@Call")))
				c.Provide(func() *Plain { return nil }, as(), container.Name("plain"), container.Annotate[aliases.Retry](Caller.Call, annotation.Fallback("Client@Call")))
			},
			[]string{"backstay: Client: a cycle: Client needs Plain#plain for fallback Plain@Call of Call (HERE), Plain#plain needs Client for fallback Client@Call of Call (HERE); leave one of them out (HERE)"},
		},
		"references to what is not there": {
			func(c *container.Container) {
				retried := container.Annotate[aliases.Retry]
				c.Provide(func() *Client { return nil }, as(), container.Name("1"), retried("Call", annotation.Fallback("Plian@Call")))
				c.Provide(func() *Client { return nil }, as(), container.Name("2"), retried("Call", annotation.Fallback("Queue@Call")))
				c.Provide(func() *Client { return nil }, as(), container.Name("3"), retried("Call", annotation.Fallback("Plain#x@Call")))
				c.Provide(func() *Client { return nil }, as(), container.Name("4"), retried("Call", annotation.Fallback("Client@Call")))
				c.Provide(func() *Client { return nil }, as(), container.Name("5"), retried("Call", annotation.Fallback("plan")))
				c.Provide(func() *Client { return nil }, as(), container.Name("6"), retried("Call", annotation.Fallback("thing")))
				c.Provide(func() *Client { return nil }, as(), container.Name("7"), retried("Call", annotation.Fallback((*Buffer).Close)))
				c.Provide(func() *Plain { return nil }, container.Name("plain"))
			},
			[]string{
				"backstay: Client#1@Call: aliases.Retry: there is no service of class Plian; did you mean Plain? (HERE)",
				"backstay: Client#2@Call: aliases.Retry: there is no service of class Queue; Provide one (HERE)",
				`backstay: Client#3@Call: aliases.Retry: no service of class Plain is named "x"; write Plain#plain (HERE)`,
				"backstay: Client#4@Call: aliases.Retry: there are 7 services of class Client: Client#1 (HERE), Client#2 (HERE), Client#3 (HERE), Client#4 (HERE), Client#5 (HERE), Client#6 (HERE), Client#7 (HERE); tell them apart by container.Name, and write Class#name (HERE)",
				`backstay: Client#5@Call: aliases.Retry: nothing is supplied under the name "plan"; did you mean plain? Else Supply one with container.Name("plan") (HERE)`,
				`backstay: Client#6@Call: aliases.Retry: nothing is supplied under the name "thing"; Supply one with container.Name("thing") (HERE)`,
				"backstay: Client#7@Call: aliases.Retry: nothing provides *container_test.Buffer; Provide one (HERE)",
			},
		},
		"a name that several services have": {
			func(c *container.Container) {
				c.Provide(func() *Client { return nil }, as(), container.Annotate[aliases.Retry]("Call", annotation.Fallback("x")))
				c.Supply(func() error { return nil }, container.Name("x"))
				c.Supply(func(error) error { return nil }, container.Name("x"))
			},
			[]string{`backstay: Client@Call: aliases.Retry: there are 2 services of the name "x": func() error#x (HERE), func(error) error#x (HERE); give all but one another name by container.Name (HERE)`},
		},
		"an aspect around what it needs": {
			func(c *container.Container) {
				c.Provide(func(Closer) aspect.Func { return nil }, container.AsAspect(aspect.Any(), 1))
				c.Provide(func() *Plain { return nil }, container.As[Closer]())
			},
			[]string{"backstay: Func: a cycle: Func needs Plain (HERE), Plain needs Func for aspect around any (HERE); let the constructor of Func take a container.Lazy[container_test.Closer] (HERE)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := container.New()
			test.wire(c)
			require.Equal(t, test.want, verified(t, c))
		})
	}
}

// What weaving finds is reported with the rest.
func TestDefinitionErrorsOfWeaving(t *testing.T) {
	for name, test := range map[string]struct {
		wire  func(c *container.Container)
		words []string
	}{
		"a mark on a service that is provided as its concrete type": {
			func(c *container.Container) { c.Provide(func() *Client { return nil }) },
			[]string{"Client: aliases.Retry", "container.As", "(Client._)"},
		},
		"interfaces that overlap": {
			func(c *container.Container) {
				c.Provide(func() *Buffer { return nil }, container.As[io.ReadCloser](), container.As[io.WriteCloser]())
			},
			[]string{"Buffer", "io.ReadCloser", "io.WriteCloser", "Close", "one interface", "(HERE)"},
		},
		"a pointcut that matches nothing": {
			func(c *container.Container) {
				c.Supply(aspect.Func(aspect.JoinPoint.Proceed), container.AsAspect(aspect.Class("Nowhere*"), 1))
			},
			[]string{"Nowhere*", "matches nothing", "(HERE)"},
		},
		"no pointcut": {
			func(c *container.Container) {
				c.Supply(aspect.Func(aspect.JoinPoint.Proceed), container.AsAspect(nil, 1))
			},
			[]string{"pointcut", "(HERE)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := container.New()
			test.wire(c)
			all := verified(t, c)
			require.Len(t, all, 1)
			for _, w := range test.words {
				require.Contains(t, all[0], w)
			}
		})
	}
}

type differentCaller interface {
	Call(ctx context.Context) error
	Shut(ctx context.Context) error
}

type other struct{ Plain }

type failingPointer struct{}

func (*failingPointer) Error() string { return "" }
