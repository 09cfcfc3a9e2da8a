package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// wrong has one mistake after the other, and one package without.
const wrong = `
-- names/names.go --
package names

import web "net/http"

 //go:generate go tool backstay -type PaymentGatewy
 //go:generate go tool backstay -type Nothing
 //go:generate go tool backstay -type net/http.RoundTriper,wep.Handler,web.Hanlder
 //go:generate go tool backstay -type gone.Thing,example.com/m/gone.Thing,example.org/gone.Thing
 //go:generate go tool backstay -type New,Limit

type PaymentGateway interface{ Charge() error }

func New() PaymentGateway { return nil }

const Limit = 3

func use(web.Handler) {}
-- args/args.go --
package args

 //go:generate go tool backstay -type Repo[string],Plain[int],Repo[[]int,int]
 //go:generate go tool backstay -type Repo[string,web.Header],Repo[string,3]
 //go:generate go tool backstay -type Repo[string,example.com/m/gone.X],Repo[string,net/http.Heder],Repo[string,

type Plain interface{ P() error }

type Repo[K comparable, V any] interface{ Load(key K) (V, error) }
-- broken/broken.go --
package broken

 //go:generate go tool backstay -type Missing,Embeds,Aliased

type Missing interface {
	Good() error
	Bad(a undefinedA, b undefinedB) error
}

type Base interface{ Low(x undefinedC) }

type Embeds interface {
	Base
	undefinedD
}

type Aliased interface{ Get(v Alias) }

type Alias = []undefinedE

func elsewhere() { undefinedF() }
-- syntax/syntax.go --
package syntax

 //go:generate go tool backstay -type S
type S interface{ Call() error }

func broken( {}
-- cycle/cycle.go --
package cycle

 //go:generate go tool backstay -type example.com/m/user.User,Repo[example.com/m/user.T]
type Repo[T any] interface{ Load() (T, error) }

type C int
-- user/user.go --
package user

import "example.com/m/cycle"

type User interface{ Use(cycle.C) error }

type T int
-- directives/directives.go --
package directives

 //go:generate go tool backstay -typ D
 //go:generate go tool backstay
 //go:generate go tool backstay -type D,
 //go:generate go tool backstay -type D -o ../d.go
 //go:generate go tool backstay -type D ../other
 //go:generate go tool backstay ./...
type D interface{ Call() error }
-- outputs/outputs.go --
package outputs

 //go:generate go tool backstay -type A
 //go:generate go tool backstay -type B -tags special
 //go:generate go tool backstay -type C -o c_gen.go
type A interface{ Call() error }

type B interface{ Call() error }
-- outputs/outputs_test.go --
package outputs

 //go:generate go tool backstay -type D
 //go:generate go tool backstay -type D -o d_gen.go
type D interface{ Call() error }

type C interface{ Call() error }
-- outputs/external_test.go --
package outputs_test

 //go:generate go tool backstay -type E
type E interface{ Call() error }
-- outputs/outputs_plan9.go --
package outputs

 //go:generate go tool backstay -type F
type F interface{ Call() error }
-- constraints/a.go --
package constraints

 //go:generate go tool backstay -type A,B,Tagged,Other
type A interface{ Call() error }
-- constraints/b.go --
//go:build !other

package constraints

type B interface{ Call() error }
-- constraints/tagged.go --
//go:build tagged && (more || !go1.1)

package constraints

type Tagged interface{ Call() error }
-- constraints/other_plan9.go --
package constraints

type Other interface{ Call() error }
-- externals/externals.go --
package externals

type X interface{ Call() error }
-- externals/externals_test.go --
package externals_test

 //go:generate go tool backstay -type X,syscall.WaitStatus
-- refused/refused.go --
package refused

 //go:generate go tool backstay -type Number,Struct
type Number interface{ ~int }

type Struct struct{}
-- limits/limits.go --
package limits

 //go:generate go tool backstay -type example.com/m/tree/internal/deep.Deep,example.com/m/program.Program,internal/poll.String
 //go:generate go tool backstay -type example.com/m/constraints.Tagged,io.Reade,io.reader,io.EOF
-- tree/internal/deep/deep.go --
package deep

type Deep interface{ Call() error }
-- program/program.go --
package main

type Program interface{ Call() error }

func main() {}
-- two/a.go --
package a

 //go:generate go tool backstay -type X
-- two/b.go --
package b

type X interface{ Call() error }
-- fine/fine.go --
package fine

 //go:generate go tool backstay -type Fine
type Fine interface{ Call() error }
`

func TestAllProblemsAreToldAtOnceWithTheirPlaces(t *testing.T) {
	m := newModule(t, wrong)
	status, lines := m.run("./...")
	require.Equal(t, exitProblems, status)
	require.Equal(t, strings.TrimSpace(wantProblems), refusals.ReplaceAllString(strings.ReplaceAll(strings.Join(lines, "\n"), m.dir, "DIR"), ": it is ..."))
	require.FileExists(t, "fine/backstay_gen.go", "what has no problems is generated")

	status, again := m.run("-check", "./...")
	require.Equal(t, exitProblems, status)
	require.Equal(t, lines, again)
}

// refusals are the reasons why there can be no proxy: what they say exactly is package emit's affair.
var refusals = regexp.MustCompile(`: it is (of package|an?) .*`)

// wantProblems are the messages for all of them.
const wantProblems = `
args/args.go:3:1: interface Repo[string]: got 1 type arguments but example.com/m/args.Repo[K comparable, V any] has 2 type parameters; write arguments that fit Repo[K comparable, V any]
args/args.go:3:1: interface Plain[int]: Plain is not generic; leave out the brackets
args/args.go:3:1: interface Repo[[]int,int]: []int does not satisfy comparable; write arguments that fit Repo[K comparable, V any]
args/args.go:4:1: interface Repo[string,web.Header]: undefined: web; import its package in the file with the directive, or write the type with the whole import path
args/args.go:4:1: interface Repo[string,3]: the type arguments string,3 cannot be read; write arguments that fit Repo[K comparable, V any]
args/args.go:5:1: -type Repo[string,: the type arguments are incomplete; write for example Repo[string,Order]
broken/broken.go:7:8: interface Missing, method Bad: undefined: undefinedA; mend that first
broken/broken.go:7:22: interface Missing, method Bad: undefined: undefinedB; mend that first
broken/broken.go:10:28: interface Embeds, method Low: undefined: undefinedC; mend that first
broken/broken.go:14:2: interface Embeds: undefined: undefinedD; mend that first
broken/broken.go:19:16: interface Aliased: undefined: undefinedE; mend that first
constraints/a.go:3:1: interface Tagged: undefined: it is declared in tagged.go, which is built only under tagged && (more || !go1.1); add -tags more,tagged and a file of its own, for example -o more_tagged_backstay_gen.go
constraints/a.go:3:1: interface Other: undefined: it is declared in other_plan9.go, which is built only under plan9; put the directive into that file, with a file of its own, for example -o plan9_backstay_gen.go
constraints/a.go:3:1: interface B: it is built under !other, but A, which goes to backstay_gen.go too, always; give the directive of one of them a file of its own, for example -o other_backstay_gen.go
cycle/cycle.go:3:1: interface example.com/m/user.User: package example.com/m/user imports example.com/m/cycle, so importing it there would make a cycle; generate the proxy in a package that neither of them imports
cycle/cycle.go:3:1: interface Repo[example.com/m/user.T]: package example.com/m/user imports example.com/m/cycle, so importing it there would make a cycle; generate the proxy in a package that neither of them imports
directives/directives.go:3:1: flag provided but not defined: -typ; see go tool backstay -h
directives/directives.go:4:1: the directive names no interface; add -type Name
directives/directives.go:5:1: -type '': that names no interface; write Name, Name[Arg] or import/path.Name
directives/directives.go:6:1: -o ../d.go is not a file name; the output is always in the package's directory, write -o d.go
directives/directives.go:7:1: a directive with -type is for its own package, not for ../other; move it into that package
externals/externals_test.go:3:1: interface X: package externals_test does not declare it, package externals does; write example.com/m/externals.X
externals/externals_test.go:3:1: interface syscall.WaitStatus: it is ...
limits/limits.go:3:1: interface example.com/m/tree/internal/deep.Deep: it is ...
limits/limits.go:3:1: interface example.com/m/program.Program: it is ...
limits/limits.go:3:1: interface internal/poll.String: it is ...
limits/limits.go:4:1: interface example.com/m/constraints.Tagged: undefined: it is declared in tagged.go, which is built only under tagged && (more || !go1.1); add -tags more,tagged and a file of its own, for example -o more_tagged_backstay_gen.go
limits/limits.go:4:1: interface io.Reade: undefined: package io declares no type of that name; did you mean io.Reader?
limits/limits.go:4:1: interface io.reader: undefined: package io declares no type of that name; did you mean io.Reader?
limits/limits.go:4:1: interface io.EOF: EOF is no type but a variable; write the name of an interface
names/names.go:5:1: interface PaymentGatewy: undefined: package names declares no type of that name; did you mean PaymentGateway?
names/names.go:6:1: interface Nothing: undefined: package names declares no type of that name; its only interface is PaymentGateway
names/names.go:7:1: interface net/http.RoundTriper: undefined: package http declares no type of that name; did you mean net/http.RoundTripper?
names/names.go:7:1: interface wep.Handler: names.go imports no package as wep; did you mean web.Handler?
names/names.go:7:1: interface web.Hanlder: undefined: package http declares no type of that name; did you mean web.Handler?
names/names.go:8:1: interface gone.Thing: names.go imports no package as gone; write the interface's package with its whole import path
names/names.go:8:1: interface example.com/m/gone.Thing: no required module provides package example.com/m/gone; write an import path that exists, or first: go get example.com/m/gone
names/names.go:8:1: interface example.org/gone.Thing: no required module provides package example.org/gone; write an import path that exists, or first: go get example.org/gone
names/names.go:9:1: interface New: New is no type but a function; write the name of an interface
names/names.go:9:1: interface Limit: Limit is no type but a constant; write the name of an interface
outputs/outputs.go:4:1: backstay_gen.go is asked for with -tags special here, and without tags at outputs.go:3; give one of the directives a file of its own, for example -o special_backstay_gen.go
outputs/outputs.go:5:1: interface C: it is declared in outputs_test.go, so c_gen.go cannot see it; write -o c_gen_test.go
outputs/outputs_plan9.go:3:1: outputs_plan9.go is not built here (plan9), so backstay_gen.go would lack its interfaces; give this directive a file of its own: -o plan9_backstay_gen.go
outputs/outputs_test.go:3:1: backstay_gen_test.go is asked for in package outputs here, and in package outputs_test at external_test.go:3; give one of the directives a file of its own: -o external_backstay_gen_test.go
outputs/outputs_test.go:4:1: interface D: the directive is in a test file, so d_gen.go cannot see it; write -o d_gen_test.go
refused/refused.go:3:1: interface Number: it is ...
refused/refused.go:3:1: interface Struct: it is ...
syntax/syntax.go:6:14: expected ')', found '{'; mend that first
two/a.go:3:1: interface X: undefined, and the go command says: found packages a (a.go) and b (b.go) in DIR/two; mend that first
`
