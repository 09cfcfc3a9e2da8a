package tiny

import (
	"os"
	"testing"
)

func TestWords(t *testing.T) {
	if word(low) != "low" || word(high) != "high" {
		t.Error("wrong word")
	}
}

// Like a test that counts allocations, this one may fail for the guards alone.
func TestGuards(t *testing.T) {
	t.Run("are not noticed", func(t *testing.T) {})
	t.Run("are noticed", func(t *testing.T) {
		if _, guarded := os.LookupEnv("BACKSTAY_MUTANT"); guarded {
			t.Error("the package is mutated")
		}
	})
}
