//go:build gc && !purego && (amd64 || arm64)

package dynproxy

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"runtime/debug"
	"unsafe"
)

// selfCheck reports whether the layouts of raw.go and the routines are those of the
// toolchain that built the program. It goes from what can be read to what must be
// run, so that a difference is found before it can do harm.
func selfCheck() error {
	return run(checkRegistration, checkWords, checkItab, checkClosure, checkEntries, checkProxy)
}

// run returns the first failure of some checks, a panic in one included.
func run(checks ...func() error) (err error) {
	// A wrong address read or called here should be an error, not the end of the program.
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the self check panicked: %v", p)
		}
		if err != nil {
			err = fmt.Errorf("toolchain %s is not as expected: %w", runtime.Version(), err)
		}
	}()
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// probe and secondProbe are the interfaces of the proxy that the self check makes.
// The order of all their names is not that of the interfaces. Mixed has more
// arguments than there are registers, of both kinds.
type probe interface {
	Alpha() int
	Mixed(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q int, x float64, s string, rest ...string) (string, float64, int)
}

type secondProbe interface {
	Beta(s string) (string, error)
	Zeta() *probeTarget
}

// probeTarget implements the probes, and has no other methods.
type probeTarget struct{ alpha int }

func (t *probeTarget) Alpha() int { return t.alpha }

func (t *probeTarget) Beta(s string) (string, error) { return s + "!", nil }

func (t *probeTarget) Mixed(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q int, x float64, s string, rest ...string) (string, float64, int) {
	sum := a + 2*b + 3*c + 5*d + 7*e + 11*f + 13*g + 17*h + 19*i + 23*j + 29*k + 31*l + 37*m + 41*n + 43*o + 47*p + 53*q
	return s + rest[0], 2 * x, sum + len(rest)
}

func (t *probeTarget) Zeta() *probeTarget { return t }

// checkRegistration registers an address twice, which should give one number. It
// also takes the first number that addReflectOff hands out, -1, lest it become that
// of a method's code: the runtime takes it for a method that the linker removed.
func checkRegistration() error {
	code := codeAt(&forwardRoutine)
	if number := addReflectOff(code); number >= 0 || number != addReflectOff(code) {
		return errors.New("code addresses are not registered under negative numbers of their own")
	}
	return nil
}

// checkWords compares the words of interface values with the addresses known to
// reflect and to the language.
func checkWords() error {
	target := new(probeTarget)
	var v any = target
	words := (*eface)(unsafe.Pointer(&v))
	if unsafe.Sizeof(v) != unsafe.Sizeof(*words) || words.data != unsafe.Pointer(target) {
		return errors.New("an interface value does not hold a pointer as its second word")
	}
	if words.descriptor != descriptorOf(reflect.TypeOf(v)) {
		return errors.New("an interface value does not hold a type as its first word")
	}
	var p probe = target
	if unsafe.Sizeof(p) != unsafe.Sizeof(iface{}) || (*iface)(unsafe.Pointer(&p)).data != unsafe.Pointer(target) {
		return errors.New("an interface value with methods does not hold a pointer as its second word")
	}
	return nil
}

// checkItab compares an itab with the types and method addresses known to reflect.
// A pointer's methods have one address for both ways to pass it as the receiver.
func checkItab() error {
	var v interface {
		probe
		secondProbe
	} = new(probeTarget)
	itab := (*iface)(unsafe.Pointer(&v)).itab
	interfaceType, targetType := reflect.TypeOf(&v).Elem(), reflect.TypeOf(v)
	if itab.inter != descriptorOf(interfaceType) || itab.descriptor != descriptorOf(targetType) {
		return errors.New("an itab does not begin with its types")
	}
	for i := range interfaceType.NumMethod() {
		if itab.method(i) != targetType.Method(i).Func.Pointer() {
			return errors.New("an itab does not have the addresses of methods in their order")
		}
	}
	return nil
}

// checkClosure compares the first word of a closure with the code address known to
// reflect.
func checkClosure() error {
	f := reflect.MakeFunc(reflect.TypeFor[func()](), func([]reflect.Value) []reflect.Value { return nil })
	if *(*uintptr)(closureOf(f)) != f.Pointer() {
		return errors.New("a closure does not begin with the address of its code")
	}
	return nil
}

// checkEntries reports whether the tables of addresses hold functions' entries.
func checkEntries() error {
	for _, address := range append([]uintptr{forwardRoutine}, methodRoutines[:]...) {
		if f := runtime.FuncForPC(address); f == nil || f.Entry() != address {
			return errors.New("the table of routines does not have their addresses")
		}
	}
	return nil
}

// checkProxy makes a proxy of two interfaces, of whose methods some have handlers
// and some go straight through, and calls them in every way.
func checkProxy() error {
	interfaces := []reflect.Type{reflect.TypeFor[probe](), reflect.TypeFor[secondProbe]()}
	methods, err := methodsOf(interfaces)
	if err != nil {
		return err
	}
	t, err := makeType(interfaces, methods)
	if err != nil {
		return err
	}
	target := &probeTarget{alpha: 40}
	both := []reflect.Value{reflect.ValueOf(target), reflect.ValueOf(target)}
	through := func(name string) Handler {
		f := reflect.ValueOf(target).MethodByName(name)
		return func(args []reflect.Value) []reflect.Value {
			if f.Type().IsVariadic() {
				return f.CallSlice(args)
			}
			return f.Call(args)
		}
	}
	// In the order of the names: Alpha, Beta, Mixed, Zeta.
	for _, handlers := range [][]Handler{
		{nil, through("Beta"), nil, through("Zeta")},
		{through("Alpha"), nil, through("Mixed"), nil},
	} {
		if err := callProbes(t.New(both, handlers, target), target); err != nil {
			return err
		}
	}
	return nil
}

// callProbes calls the methods of a proxy of the probes through interfaces, by
// reflection, and with the proxy itself as the receiver.
func callProbes(v any, target *probeTarget) error {
	first, isFirst := v.(probe)
	second, isSecond := v.(secondProbe)
	alpha, isAlpha := v.(interface{ Alpha() int })
	if !isFirst || !isSecond || !isAlpha {
		return errors.New("a proxy does not implement its interfaces")
	}
	s, x, n := first.Mixed(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 1.5, "s", "t", "u")
	_, _, want := target.Mixed(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 1.5, "s", "t", "u")
	if s != "st" || x != 3 || n != want {
		return fmt.Errorf("a proxy's method returned %q, %v, %d instead of %q, %v, %d", s, x, n, "st", 3.0, want)
	}
	beta, err := second.Beta("b")
	if first.Alpha() != 40 || alpha.Alpha() != 40 || beta != "b!" || err != nil || second.Zeta() != target {
		return errors.New("a proxy's methods do not return what their targets do")
	}
	byAddress := reflect.ValueOf(v).Method(0).Call(nil)
	byValue := reflect.TypeOf(v).Method(0).Func.Call([]reflect.Value{reflect.ValueOf(v)})
	if byAddress[0].Int() != 40 || byValue[0].Int() != 40 {
		return errors.New("a proxy's methods do not return by reflection what their targets do")
	}
	if data, ok := DataOf(v); !ok || data != any(target) {
		return errors.New("a proxy does not give its data back")
	}
	return nil
}
