// Package tiny is what the tests of the mutation runner mutate. Its tests are good, save where a comment says otherwise.
package tiny

import (
	"errors"
	"fmt"
)

// limit is a constant: it cannot be mutated at run time.
const limit = 3 + 4

type mode int

const (
	low mode = iota
	high
)

var errNegative = errors.New("negative")

// Clamp bounds n. Whether a bound itself is taken as outside makes no difference.
func Clamp(n int) int {
	if n < 0 {
		return 0
	} else if n > limit {
		return limit
	}
	return n
}

// Count counts what f accepts. The tests of this package have it accept everything.
func Count[T any](all []T, f func(T) bool) (n int) {
loop:
	for _, x := range all {
		if !f(x) {
			continue loop
		}
		n++
	}
	return n
}

// Both is tested in all combinations.
func Both(a, b bool) bool { return a && b }

// Either is tested but for both.
func Either(a, b bool) bool { return a || b }

func word(m mode) string {
	switch m {
	case low:
		return "low"
	case high:
		return "high"
	}
	panic("no such mode: " + fmt.Sprint(int(m)+1))
}

// Sum fails for negative numbers.
func Sum(numbers ...int) (sum int, err error) {
	seen := make([]int, 0, len(numbers)+8)
	for _, n := range numbers {
		if n < 0 {
			return 0, errNegative
		}
		seen = append(seen, n)
	}
	for i := 0; i < len(seen); i++ {
		sum += seen[i]
	}
	return sum, nil
}

// Unreached has no test.
func Unreached(c chan<- int) {
	select {
	case c <- 1 << len(c):
	default:
	}
}

// Hides has names that hide types, so that what is returned cannot be given a type by its name.
func Hides(n int) int {
	int := n
	return int
}
