// Command random plays the same calls through a generated proxy and through one made at run time, for every case that the
// test has drawn, and says where they differ.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/backstay/backstay/annotation"
	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/retry"
)

// Quick retries once, at once.
type Quick struct{ annotation.AbstractRetry }

func (Quick) Defaults() []annotation.Option {
	return []annotation.Option{annotation.Policies(retry.Classifier, retry.MaxAttempts), annotation.MaxAttempts(2)}
}

func main() {
	failed := false
	for _, c := range cases {
		for _, line := range c() {
			failed = true
			fmt.Println(line)
		}
	}
	if failed {
		os.Exit(1)
	}
	fmt.Println(len(cases), "interfaces behave the same")
}

// compare plays target as a G, whose proxy is generated, and as an R, which is the same interface and has none.
func compare[G, R any](name string, target func(*trace) any) func() []string {
	return func() (problems []string) {
		want, wantKind := play[R](target)
		got, gotKind := play[G](target)
		if wantKind != aspect.RunTime || gotKind != aspect.Generated {
			return []string{fmt.Sprintf("%s: the proxies are %v and %v", name, wantKind, gotKind)}
		}
		for i := range max(len(want), len(got)) {
			if w, g := at(want, i), at(got, i); w != g {
				return []string{fmt.Sprintf("%s, event %d: run-time %q, generated %q", name, i, w, g)}
			}
		}
		if len(want) == 0 {
			return []string{name + ": nothing was called"}
		}
		return nil
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}

// trace is what targets and aspects have seen, in order.
type trace struct {
	lines []string
	calls map[string]int
}

func (t *trace) add(format string, args ...any) {
	t.lines = append(t.lines, fmt.Sprintf(format, args...))
}

var errFirst = errors.New("the first call fails")

// call notes a call of a target's method, which fails the first time.
func (t *trace) call(method string, args ...any) error {
	t.calls[method]++
	t.add("target %s(%s)", method, texts(args))
	if t.calls[method] == 1 {
		return errFirst
	}
	return nil
}

// play calls every method of an I once: retried twice where it returns an error, under three aspects, the innermost of
// which calls twice what returns none.
func play[I any](target func(*trace) any) ([]string, aspect.ProxyKind) {
	t := reflect.TypeFor[I]()
	tr := &trace{calls: map[string]int{}}
	retried := map[string]bool{}
	var wrap []aspect.WrapOption
	for i := range t.NumMethod() {
		m := t.Method(i)
		if n := m.Type.NumOut(); n > 0 && m.Type.Out(n-1) == reflect.TypeFor[error]() {
			retried[m.Name] = true
			wrap = append(wrap, aspect.Annotate[Quick](m.Name))
		}
	}
	around := func(name string, priority int, twice bool) aspect.WeaverOption {
		return aspect.WithAspect(aspect.Any(), priority, aspect.Func(func(jp aspect.JoinPoint) error {
			method := jp.Ref().Method
			m, _ := t.MethodByName(method)
			args := make([]any, m.Type.NumIn())
			for i := range args {
				args[i] = aspect.Arg[any](jp, i)
			}
			tr.add("%s before %s(%s)", name, method, texts(args))
			if twice && !retried[method] {
				_ = jp.Clone().Proceed()
			}
			err := jp.Proceed()
			results := make([]any, m.Type.NumOut())
			for i := range results {
				results[i] = aspect.Result[any](jp, i)
			}
			tr.add("%s after %s: %s, %v", name, method, texts(results), err)
			return err
		}))
	}
	w := aspect.NewWeaver(around("c", 10, true), around("a", aspect.RetryPriority+1, false), around("b", aspect.RetryPriority-1, false))
	woven, err := aspect.Wrap[I](w, target(tr).(I), wrap...)
	if err != nil {
		return []string{err.Error()}, aspect.KindOf(woven)
	}
	v := reflect.ValueOf(woven)
	for i := range t.NumMethod() {
		m := t.Method(i)
		f := v.MethodByName(m.Name)
		var in []reflect.Value
		for at := range m.Type.NumIn() {
			in = append(in, filled(m.Type.In(at), fmt.Sprint(m.Name, " argument ", at)))
		}
		call := f.Call
		if m.Type.IsVariadic() {
			call = f.CallSlice
		}
		var out []any
		for _, o := range call(in) {
			out = append(out, o.Interface())
		}
		tr.add("%s returned %s", m.Name, texts(out))
	}
	return tr.lines, aspect.KindOf(woven)
}

// result is what a target returns.
func result[T any](method string, i int) T {
	v := filled(reflect.TypeFor[T](), fmt.Sprint(method, " result ", i))
	return reflect.Indirect(pointerTo(v)).Interface().(T)
}

func pointerTo(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p
}

type contextKey struct{}

func texts(all []any) string {
	var b []string
	for _, v := range all {
		if ctx, ok := v.(context.Context); ok { // an attempt's is another than the caller's
			v = ctx.Value(contextKey{})
		}
		b = append(b, fmt.Sprintf("%T %v", v, v))
	}
	return strings.Join(b, ", ")
}

// made keeps what filled has made, so that both plays pass the same pointers, channels and funcs.
var made = map[string]reflect.Value{}

// filled is a value of type t that depends on the seed and, as far as t allows, is not zero.
func filled(t reflect.Type, seed string) reflect.Value {
	key := fmt.Sprint(t, " ", seed)
	if v, ok := made[key]; ok {
		return v
	}
	v := reflect.New(t).Elem()
	fill(v, seed)
	made[key] = v
	return v
}

func fill(v reflect.Value, seed string) {
	h := fnv.New64a()
	h.Write([]byte(seed))
	n := h.Sum64()
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(n%2 == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(n % 100))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(n % 100)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(n % 100))
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(float64(n%100), 1))
	case reflect.String:
		v.SetString(seed)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), seed+"0")
		fill(v.Index(1), seed+"1")
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), fmt.Sprint(seed, i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(filled(v.Type().Key(), seed+"key"), filled(v.Type().Elem(), seed+"value"))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), seed)
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				fill(f, fmt.Sprint(seed, i))
			}
		}
	case reflect.Chan:
		both := reflect.ChanOf(reflect.BothDir, v.Type().Elem())
		v.Set(reflect.MakeChan(both, 1).Convert(v.Type()))
	case reflect.Func:
		t := v.Type()
		v.Set(reflect.MakeFunc(t, func([]reflect.Value) (out []reflect.Value) {
			for o := range t.Outs() {
				out = append(out, reflect.Zero(o))
			}
			return out
		}))
	case reflect.Interface:
		values := []any{
			context.WithValue(context.Background(), contextKey{}, seed), errors.New(seed), bytes.NewBufferString(seed), time.Duration(n % 100),
		}
		if i := slices.IndexFunc(values, func(x any) bool { return reflect.TypeOf(x).Implements(v.Type()) }); i >= 0 {
			v.Set(reflect.ValueOf(values[i]))
		}
	}
}
