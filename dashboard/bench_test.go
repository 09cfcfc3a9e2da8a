package dashboard_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/backstay/backstay/dashboard"
	"github.com/backstay/backstay/retry"
)

func BenchmarkSuccess(b *testing.B) {
	board, ctx := dashboard.New(), b.Context()
	e := retry.Event(retry.Succeeded{MethodRef: charge, Attempts: 1, Elapsed: 20 * time.Millisecond, Session: 0x8123400})
	b.ReportAllocs()
	for b.Loop() {
		board.On(ctx, e)
	}
}

// Each goroutine has its sessions where its processor allocates them, as real ones have.
func BenchmarkSuccessParallel(b *testing.B) {
	board, ctx := dashboard.New(), b.Context()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		e := retry.Event(retry.Succeeded{MethodRef: charge, Attempts: 1, Elapsed: 20 * time.Millisecond, Session: sessionID()})
		for pb.Next() {
			board.On(ctx, e)
		}
	})
}

// The worst case: everybody calls one method, and has its sessions in the same place.
func BenchmarkSuccessParallelOnOneStripe(b *testing.B) {
	board, ctx := dashboard.New(), b.Context()
	e := retry.Event(retry.Succeeded{MethodRef: charge, Attempts: 1, Elapsed: 20 * time.Millisecond, Session: 0x8123400})
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			board.On(ctx, e)
		}
	})
}

// A session that fails once and then succeeds: three events.
func BenchmarkRetry(b *testing.B) {
	board, ctx := dashboard.New(), b.Context()
	err := errors.New("503 Service Unavailable")
	b.ReportAllocs()
	for b.Loop() {
		board.On(ctx, retry.AttemptFailed{MethodRef: charge, Attempt: 1, Err: err, Session: 64})
		board.On(ctx, retry.RetryScheduled{MethodRef: charge, Attempt: 2, Wait: time.Millisecond, Err: err, Session: 64})
		board.On(ctx, retry.Succeeded{MethodRef: charge, Attempts: 2, Elapsed: 20 * time.Millisecond, Session: 64})
	}
}

// A call that an open breaker refuses, and its fallback.
func BenchmarkRejected(b *testing.B) {
	board, ctx := dashboard.New(), b.Context()
	b.ReportAllocs()
	for b.Loop() {
		board.On(ctx, retry.Rejected{MethodRef: charge, Reason: retry.ErrCircuitOpen, Gate: "circuitBreaker", Session: 64})
		board.On(ctx, retry.FallbackSucceeded{MethodRef: charge, Cause: retry.ErrCircuitOpen, Session: 64})
	}
}

func BenchmarkState(b *testing.B) {
	for _, n := range []int{10, 300, 2000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			board := dashboard.New()
			for i := range n {
				for k := range 20 {
					board.On(b.Context(), retry.Succeeded{MethodRef: numbered(i), Attempts: 1, Elapsed: time.Duration(k) * time.Millisecond})
				}
			}
			h := board.Handler(nil)
			b.ReportAllocs()
			for b.Loop() {
				get(h, "/state")
			}
		})
	}
}

// sessionID is one such as sessions have: where a new object of their size is.
func sessionID() retry.SessionID {
	p := new([112]byte)
	kept.Store(p)
	return retry.SessionID(uintptr(unsafe.Pointer(p)))
}

var kept atomic.Pointer[[112]byte]
