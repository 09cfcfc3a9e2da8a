package tiny_test

import (
	"testing"

	"github.com/backstay/backstay/internal/mutate/testdata/tiny"
)

func TestClamp(t *testing.T) {
	for n, want := range map[int]int{-2: 0, -1: 0, 0: 0, 1: 1, 2: 2, 6: 6, 7: 7, 8: 7, 100: 7} {
		if got := tiny.Clamp(n); got != want {
			t.Errorf("Clamp(%d) = %d, want %d", n, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	if n := tiny.Count([]string{"a"}, func(string) bool { return true }); n != 1 {
		t.Errorf("Count = %d, want 1", n)
	}
}

func TestBoth(t *testing.T) {
	if tiny.Both(true, false) || tiny.Both(false, true) || !tiny.Both(true, true) {
		t.Error("Both")
	}
}

func TestEither(t *testing.T) {
	if !tiny.Either(true, false) || !tiny.Either(false, true) || tiny.Either(false, false) {
		t.Error("Either")
	}
}

func TestSum(t *testing.T) {
	if sum, err := tiny.Sum(1, 2, 3); sum != 6 || err != nil {
		t.Errorf("Sum = %d, %v", sum, err)
	}
	if sum, err := tiny.Sum(0, 1); sum != 1 || err != nil {
		t.Errorf("Sum = %d, %v", sum, err)
	}
	if sum, err := tiny.Sum(1, -2); sum != 0 || err == nil {
		t.Errorf("Sum = %d, %v", sum, err)
	}
}

func TestHides(t *testing.T) {
	if n := tiny.Hides(3); n != 3 {
		t.Errorf("Hides = %d, want 3", n)
	}
}
