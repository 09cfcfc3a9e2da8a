package chart

import (
	"math"
	"strconv"
)

// scale is an axis from zero to an end that is a tick.
type scale struct{ step, end float64 }

// scaleTo is a scale of at most five steps of 1, 2 or 5 times a power of ten that has room for most, and for a word above it.
func scaleTo(most float64) scale {
	most = max(most*1.18, 5) // what is counted has no halves
	decade := math.Pow(10, math.Floor(math.Log10(most/5)))
	for _, n := range []float64{1, 2, 5, 10} {
		if step := n * decade; most <= 5*step {
			return scale{step, math.Ceil(most/step) * step}
		}
	}
	return scale{10 * decade, 50 * decade} // what rounding has left over
}

// ticks are the values from zero to the end.
func (s scale) ticks() (at []float64) {
	for n := 0.0; n*s.step <= s.end*(1+1e-9); n++ {
		at = append(at, n*s.step)
	}
	return at
}

// seconds is the step of the numbers below a panel: about five of them, at seconds that people count in.
func seconds(length int) int {
	for _, step := range []int{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800} {
		if length <= 6*step {
			return step
		}
	}
	return 3600
}

// number writes a value with commas between thousands.
func number(v float64) string {
	digits := strconv.FormatFloat(v, 'f', 0, 64)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
