package retry_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
	"unsafe"

	"github.com/backstay/backstay/retry"
	"github.com/stretchr/testify/require"
)

// balance decides for itself: only an overdrawn one is falsy.
type balance int

func (b balance) Falsy() bool { return b < 0 }

// page decides for itself by its pointer.
type page struct{ items []int }

func (p *page) Falsy() bool { return len(p.items) == 0 }

// A func and a channel that decide by what is in them; of a nil one that would be a panic, or for ever.
type (
	source func() bool
	feed   chan bool
)

func (s source) Falsy() bool { return s() }
func (f feed) Falsy() bool   { f <- true; return <-f }

type (
	anyOfThem  interface{ Error() string }
	asksItself interface{ Falsy() bool }
)

// ptr is a pointer to a result, as Judged gives it.
func ptr[T any](v T) *T { return &v }

// hyperf:7.6 has false, an empty string, null and 0 for falsy, and true, a text and 1 not. Its null is a nil of any kind
// here, which it never asks about; and its "0" is falsy too, for PHP reads it as a number.
func TestFalsy(t *testing.T) {
	for _, c := range []struct {
		judged any
		want   bool
	}{
		{nil, false}, // the method has no result to judge
		{ptr(false), true}, {ptr(true), false},
		{ptr(""), true}, {ptr("ok"), false}, {ptr("0"), false},
		{ptr(0), true}, {ptr(1), false}, {ptr(-1), false},
		{ptr(0.0), true}, {ptr(0.1), false}, {ptr(int64(0)), true}, {ptr(uint8(1)), false},
		{ptr([]byte(nil)), true}, {ptr([]byte{}), true}, {ptr([]byte{0}), false},
		{ptr([]string(nil)), true}, {ptr([]string{}), true}, {ptr([]string{""}), false},
		{ptr([]int{}), true}, {ptr([]int{0}), false},
		{ptr(map[string]int{}), true}, {ptr(map[string]int(nil)), true}, {ptr(map[string]int{"": 0}), false},
		{ptr([0]int{}), true}, {ptr([2]int{}), true}, {ptr([2]int{0, 1}), false},
		{ptr(struct{ a, b int }{}), true}, {ptr(struct{ a, b int }{0, 1}), false},
		{ptr(time.Time{}), true}, {ptr(time.Unix(0, 0)), false},
		{ptr((*int)(nil)), true}, {ptr(new(int)), false},
		{ptr((func())(nil)), true}, {ptr(func() {}), false},
		{ptr((chan int)(nil)), true}, {ptr(make(chan int)), false},
		{ptr(any(nil)), true}, {ptr(any(0)), true}, {ptr(any("x")), false}, {ptr(any([]int{})), true},
		{ptr(any((*int)(nil))), true},
		{ptr(anyOfThem(nil)), true}, {ptr(anyOfThem(errors.New("x"))), false}, {ptr(anyOfThem(status{})), true},
		{ptr(fmt.Stringer(nil)), true}, {ptr(fmt.Stringer(time.Duration(0))), true}, {ptr(fmt.Stringer(time.Second)), false},

		{ptr(balance(0)), false}, {ptr(balance(-1)), true},
		{ptr(any(balance(0))), false}, {ptr(any(balance(-1))), true},
		{ptr(page{}), true}, {ptr(page{items: []int{1}}), false},
		{ptr(&page{}), true}, {ptr(&page{items: []int{1}}), false},
		{ptr((*page)(nil)), true}, // nil is falsy; its method is not called
		{ptr((*balance)(nil)), true}, {ptr(ptr(balance(0))), false},
		{ptr(source(nil)), true}, {ptr(any(source(nil))), true}, {ptr(source(func() bool { return false })), false},
		{ptr(any(source(func() bool { return true }))), true},
		{ptr(feed(nil)), true}, {ptr(any(feed(nil))), true}, {ptr(make(feed, 1)), true},
		{ptr(unsafe.Pointer(nil)), true}, {ptr(unsafe.Pointer(new(int))), false},
		{ptr(asksItself((*page)(nil))), true}, {ptr(asksItself(&page{items: []int{1}})), false},
	} {
		t.Run(fmt.Sprintf("%T %v", c.judged, c.judged), func(t *testing.T) {
			set := settings(retry.Classifier, retry.MaxAttempts)
			h := compiled(t, retry.Definition{Settings: set, Hooks: retry.Hooks{RetryIfResult: predicates(retry.Falsy)}})
			calls := 0
			err := h.Run(t.Context(), new(retry.Session), &frame{judged: c.judged}, func(context.Context) error { calls++; return nil })
			require.NoError(t, err)
			require.Equal(t, c.want, calls > 1)
		})
	}
}

func TestFalsyJudgesTheResultOfAChain(t *testing.T) {
	falsy := retry.NewExpression(func(s *retry.Session) bool { return s.Failure() == nil && retry.Falsy(s) })

	texts := []string{"", "", "found"}
	calls := 0
	v, err := retry.For[string]().With(falsy).Max(5).Call(t.Context(), func(context.Context) (string, error) {
		calls++
		return texts[calls-1], nil
	})
	require.NoError(t, err)
	require.Equal(t, "found", v)

	calls = 0
	require.NoError(t, retry.With(falsy).Max(5).Run(t.Context(), func(context.Context) error { calls++; return nil }))
	require.Equal(t, 1, calls, "a chain without a result has nothing to judge")
}
