package retry

import (
	"testing"
	"time"
)

var benchBreaker = BreakerSettings{ResetTimeout: 10 * time.Second}

func BenchmarkBreakerEnterClosed(b *testing.B) {
	br := newBreaker("", benchBreaker)
	b.ReportAllocs()
	for b.Loop() {
		k, _ := br.enter(5)
		br.record(k, success, 0, 5)
		br.leave(k, 5)
	}
}

func BenchmarkBreakerEnterOpen(b *testing.B) {
	br := newBreaker("", benchBreaker)
	k, _ := br.enter(0)
	br.exhausted(k, 0)
	b.ReportAllocs()
	for b.Loop() {
		br.enter(5)
	}
}

func BenchmarkBreakerEnterHalfOpenFull(b *testing.B) {
	br := newBreaker("", benchBreaker)
	k, _ := br.enter(0)
	br.exhausted(k, 0)
	br.enter(int64(benchBreaker.ResetTimeout))
	b.ReportAllocs()
	for b.Loop() {
		br.enter(int64(benchBreaker.ResetTimeout))
	}
}

func BenchmarkBreakerRecord(b *testing.B) {
	for _, c := range []struct {
		name     string
		settings BreakerSettings
	}{
		{"calls", BreakerSettings{ResetTimeout: time.Second, Window: 100, FailureRatio: 0.5}},
		{"time", BreakerSettings{ResetTimeout: time.Second, WindowTime: 10 * time.Second, FailureRatio: 0.5}},
		{"consecutive", BreakerSettings{ResetTimeout: time.Second, Consecutive: 5}},
	} {
		b.Run(c.name, func(b *testing.B) {
			br := newBreaker("", c.settings)
			k, _ := br.enter(0)
			b.ReportAllocs()
			for b.Loop() {
				br.record(k, success, 0, 5)
			}
		})
	}
}

func BenchmarkBreakerEnterClosedParallel(b *testing.B) {
	br := newBreaker("", benchBreaker)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			k, _ := br.enter(5)
			br.record(k, success, 0, 5)
			br.leave(k, 5)
		}
	})
}
