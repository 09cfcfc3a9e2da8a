package user_test

import (
	"testing"

	"github.com/backstay/backstay/internal/mutate/testdata/tiny"
)

func TestCountSkips(t *testing.T) {
	if n := tiny.Count([]int{1, 2, 3}, func(n int) bool { return n > 1 }); n != 2 {
		t.Errorf("Count = %d, want 2", n)
	}
}
