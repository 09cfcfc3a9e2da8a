package annotation_test

import (
	"reflect"
	"testing"

	"github.com/backstay/backstay/aliases"
	"github.com/backstay/backstay/annotation"
)

type unmarked struct {
	a, b, c int
	d       map[string]int
	e       *testing.T
}

type charged struct {
	_ annotation.On[aliases.BackoffRetryThrowable] `method:"Charge" maxAttempts:"4" fallback:"OfflineGateway@Charge"`
	methods
}

func BenchmarkMarks(b *testing.B) {
	b.Run("none", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			annotation.Marks(reflect.TypeFor[*unmarked]())
		}
	})
	b.Run("one", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			annotation.Marks(reflect.TypeFor[*charged]())
		}
	})
}

func BenchmarkResolve(b *testing.B) {
	s := asGateway[charged]()
	marks := annotation.Marks(s.Impl)
	b.ReportAllocs()
	for b.Loop() {
		annotation.Resolve(s, marks, nil, "")
	}
}
