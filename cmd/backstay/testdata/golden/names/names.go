// Package names has names that generated code would like to have itself.
package names

import (
	"context"
	"fmt"

	takenProxy2 "strings"
)

//go:generate go tool backstay -type Methods,Cases,Keywords,Params,Taken,HTTPClient,httpClient,Payment,PaymentGateway,Type

// Methods has methods that are called like those and the fields of generated types.
type Methods interface {
	Proxy() error
	Invoke() error
	Arg(i int) any
	Result(i int) any
	Clear()
	Clone() error
	Release()
	End()
	Run() error
	Frame() int
	Target() string
	Args() error
	Results() error
	target() int
	proxy() int
	args() int
	methodsBase() int
	invokeChain() int
	woven() int
}

// Cases has methods that differ in case only.
type Cases interface {
	Foo(n int) (int, error)
	foo(n int) int
	URL() string
	Url() string
	ID() (ID string, err error)
}

// Keywords has methods that are keywords once their first letter is small.
type Keywords interface {
	Type() error
	Range() error
	Go() error
	Func() error
	Select() error
	Default() (Type int)
}

// Params has parameters and results that are called like everything else.
type Params interface {
	Locals(p, c, i, target, chain int) (int, error)
	Errors(err error, nil, r0, _ string) (_ string, r1 int, _ error)
	Results(err error) (c, p, err2 error)
	ErrorOnly(err error) error
	Predeclared(any, string, append, new, int, error string) (len string, true error)
	Packages(fmt fmt.Stringer, context context.Context, aspect string) error
	Types(paramsProxy, paramsTypes, paramsTypesArgs, paramsTypesResults, newParamsProxy int) error
	Numbered(_, p0, _, p1, p2_ int, p2 ...int) (r1, _ int, _ error)
	Underscored(p, p_, p__ int) error
	plain(p, c int, nil string) string
}

// Taken has a proxy whose best names are taken.
type Taken interface {
	Do(n int) (int, error)
}

type (
	takenProxy    struct{}
	takenDo       struct{}
	takenDoArgs   int
	aspect        = takenDo
	newTakenProxy = takenProxy
)

var takenDoResults = takenProxy2.ToLower("TAKEN")

// HTTPClient and httpClient want the same names.
type HTTPClient interface {
	Get(url string) (aspect, error)
}

type httpClient interface {
	Get(url string) (newTakenProxy, error)
}

// Payment and PaymentGateway want the same names for calls.
type Payment interface {
	GatewayCharge(n int) error
	GatewayChargeArgs(n int) error
}

// PaymentGateway is the other one.
type PaymentGateway interface {
	Charge(n int) error
}

// Type is called like a keyword.
type Type interface {
	Type() (Type, error)
}
