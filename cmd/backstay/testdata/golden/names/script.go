package names

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"golden/script"
)

type methods struct{ *script.Script }

func (t methods) Proxy() error  { return t.Call("Proxy") }
func (t methods) Invoke() error { return t.Call("Invoke") }
func (t methods) Arg(i int) any {
	_ = t.Call("Arg", i)
	return i
}
func (t methods) Result(i int) any {
	_ = t.Call("Result", i)
	return -i
}
func (t methods) Clear()       { _ = t.Call("Clear") }
func (t methods) Clone() error { return t.Call("Clone") }
func (t methods) Release()     { _ = t.Call("Release") }
func (t methods) End()         { _ = t.Call("End") }
func (t methods) Run() error   { return t.Call("Run") }
func (t methods) Frame() int {
	_ = t.Call("Frame")
	return 7
}
func (t methods) Target() string {
	_ = t.Call("Target")
	return "target"
}
func (t methods) Args() error      { return t.Call("Args") }
func (t methods) Results() error   { return t.Call("Results") }
func (t methods) target() int      { return 1 }
func (t methods) proxy() int       { return 2 }
func (t methods) args() int        { return 3 }
func (t methods) methodsBase() int { return 4 }
func (t methods) invokeChain() int { return 5 }
func (t methods) woven() int       { return 6 }

func TestMethods(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Methods](s, methods{s})

	s.NoError(errors.Join(p.Proxy(), p.Invoke(), p.Clone(), p.Run(), p.Args(), p.Results()))
	script.Equal(s, p.Arg(1), any(1))
	script.Equal(s, p.Result(1), any(-1))
	p.Clear()
	p.Release()
	p.End()
	script.Equal(s, p.Frame(), 7)
	script.Equal(s, p.Target(), "target")
	script.Equal(s, []int{p.target(), p.proxy(), p.args(), p.methodsBase(), p.invokeChain(), p.woven()}, []int{1, 2, 3, 4, 5, 6})
}

type cases struct{ *script.Script }

func (t cases) Foo(n int) (int, error) { return n, t.Call("Foo", n) }
func (t cases) foo(n int) int          { return -n }
func (t cases) URL() string {
	_ = t.Call("URL")
	return "URL"
}
func (t cases) Url() string {
	_ = t.Call("Url")
	return "Url"
}
func (t cases) ID() (string, error) { return "ID", t.Call("ID") }

func TestCases(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Cases](s, cases{s})

	n, err := p.Foo(1)
	s.NoError(err)
	script.Equal(s, n, 1)
	s.Called("Foo", 1)
	script.Equal(s, p.foo(1), -1)
	script.Equal(s, p.URL(), "URL")
	script.Equal(s, p.Url(), "Url")
	id, err := p.ID()
	s.NoError(err)
	script.Equal(s, id, "ID")
}

type keywords struct{ *script.Script }

func (t keywords) Type() error   { return t.Call("Type") }
func (t keywords) Range() error  { return t.Call("Range") }
func (t keywords) Go() error     { return t.Call("Go") }
func (t keywords) Func() error   { return t.Call("Func") }
func (t keywords) Select() error { return t.Call("Select") }
func (t keywords) Default() int {
	_ = t.Call("Default")
	return 1
}

func TestKeywords(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Keywords](s, keywords{s})

	s.NoError(errors.Join(p.Type(), p.Range(), p.Go(), p.Func(), p.Select()))
	script.Equal(s, p.Default(), 1)
}

type params struct{ *script.Script }

func (t params) Locals(a, b, c, d, e int) (int, error) {
	return a + b + c + d + e, t.Call("Locals", a, b, c, d, e)
}
func (t params) Errors(a error, b, c, d string) (string, int, error) {
	return b + c + d, 2, t.Call("Errors", a, b, c, d)
}
func (t params) Results(a error) (error, error, error) {
	return a, a, t.Call("Results", a)
}
func (t params) ErrorOnly(a error) error { return t.Call("ErrorOnly", a) }
func (t params) Predeclared(a, b, c, d, e, f string) (string, error) {
	return a + b + c + d + e + f, t.Call("Predeclared", a, b, c, d, e, f)
}
func (t params) Packages(a fmt.Stringer, ctx context.Context, b string) error {
	return t.Call("Packages", a, ctx, b)
}
func (t params) Types(a, b, c, d, e int) error { return t.Call("Types", a, b, c, d, e) }
func (t params) Numbered(a, b, c, d, e int, f ...int) (int, int, error) {
	return a, b, t.Call("Numbered", a, b, c, d, e, f)
}
func (t params) Underscored(a, b, c int) error { return t.Call("Underscored", a, b, c) }
func (t params) plain(a, b int, c string) string {
	return fmt.Sprint(a, b, c)
}

func TestParams(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Params](s, params{s})

	n, err := p.Locals(1, 2, 3, 4, 5)
	s.NoError(err)
	script.Equal(s, n, 15)
	s.Called("Locals", 1, 2, 3, 4, 5)

	argument := errors.New("an argument")
	text, n, err := p.Errors(argument, "b", "c", "d")
	s.NoError(err)
	script.Equal(s, text, "bcd")
	script.Equal(s, n, 2)
	s.Called("Errors", argument, "b", "c", "d")

	first, second, err := p.Results(argument)
	s.NoError(err)
	script.Equal(s, first, argument)
	script.Equal(s, second, argument)
	s.Called("Results", argument)

	s.NoError(p.ErrorOnly(argument))
	s.Called("ErrorOnly", argument)

	text, err = p.Predeclared("a", "b", "c", "d", "e", "f")
	s.NoError(err)
	script.Equal(s, text, "abcdef")
	s.Called("Predeclared", "a", "b", "c", "d", "e", "f")

	ctx := script.Context("names")
	s.NoError(p.Packages(nil, ctx, "aspect"))
	s.Called("Packages", nil, ctx, "aspect")

	s.NoError(p.Types(1, 2, 3, 4, 5))
	s.Called("Types", 1, 2, 3, 4, 5)

	n, m, err := p.Numbered(1, 2, 3, 4, 5, 6, 7)
	s.NoError(err)
	script.Equal(s, n, 1)
	script.Equal(s, m, 2)
	s.Called("Numbered", 1, 2, 3, 4, 5, []int{6, 7})

	s.NoError(p.Underscored(1, 2, 3))
	s.Called("Underscored", 1, 2, 3)

	script.Equal(s, p.plain(1, 2, "c"), "1 2c")
}

type others struct{ *script.Script }

func (t others) Do(n int) (int, error)           { return n, t.Call("Do", n) }
func (t others) GatewayCharge(n int) error       { return t.Call("GatewayCharge", n) }
func (t others) GatewayChargeArgs(n int) error   { return t.Call("GatewayChargeArgs", n) }
func (t others) Charge(n int) error              { return t.Call("Charge", n) }
func (t others) Get(url string) (takenDo, error) { return takenDo{}, t.Call("Get", url) }
func (t others) Type() (Type, error)             { return t, t.Call("Type") }

func TestTaken(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Taken](s, others{s})

	n, err := p.Do(len(takenDoResults))
	s.NoError(err)
	script.Equal(s, n, 5)
	s.Called("Do", int(takenDoArgs(5)))
}

type lower struct{ others }

func (t lower) Get(url string) (takenProxy, error) {
	return takenProxy{}, t.Call("Get", url)
}

func TestTwoThatWantOneName(t *testing.T) {
	s := script.New(t)
	_, err := script.Weave[HTTPClient](s, others{s}).Get("url")
	s.NoError(err)
	s.Called("Get", "url")

	s = script.New(t)
	_, err = script.Weave[httpClient](s, lower{others{s}}).Get("url")
	s.NoError(err)
	s.Called("Get", "url")
}

func TestCallsThatWantOneName(t *testing.T) {
	s := script.New(t)
	p := script.Weave[Payment](s, others{s})
	s.NoError(p.GatewayCharge(1))
	s.Called("GatewayCharge", 1)
	s.NoError(p.GatewayChargeArgs(2))
	s.Called("GatewayChargeArgs", 2)
	s.NoError(script.Weave[PaymentGateway](s, others{s}).Charge(3))
	s.Called("Charge", 3)
}

func TestType(t *testing.T) {
	s := script.New(t)
	again, err := script.Weave[Type](s, others{s}).Type()
	s.NoError(err)
	script.Equal(s, again, Type(others{s}))
}
