package plot

import (
	"math"
	"strconv"

	gonum "gonum.org/v1/plot"

	"github.com/backstay/backstay/benchmarks/harness"
)

// logTicks are at the powers of ten, and where those are fewer than three, at twice and five times them as well.
func logTicks(from, to float64) (ticks []gonum.Tick) {
	steps := []float64{1}
	if math.Log10(to)-math.Log10(from) < 2.5 {
		steps = []float64{1, 2, 5}
	}
	const slack = 1e-9
	for exponent := math.Floor(math.Log10(from)); exponent <= math.Ceil(math.Log10(to)); exponent++ {
		for _, s := range steps {
			if v := s * math.Pow(10, exponent); v >= from*(1-slack) && v <= to*(1+slack) {
				ticks = append(ticks, gonum.Tick{Value: v, Label: number(v)})
			}
		}
	}
	return ticks
}

// linearTicks are at about six round values.
func linearTicks(from, to float64) (ticks []gonum.Tick) {
	step := linearStep(from, to)
	for n := math.Ceil(from / step); n*step <= to*(1+1e-9); n++ {
		v := n * step
		ticks = append(ticks, gonum.Tick{Value: v, Label: number(v)})
	}
	return ticks
}

func linearStep(from, to float64) float64 { return onGrid((to-from)/6, math.Ceil) }

// number writes a round value without needless digits.
func number(v float64) string {
	if v >= 1 && v == math.Round(v) {
		return harness.Count(v)
	}
	return strconv.FormatFloat(v, 'g', 6, 64) // 6: the sum of many steps is not exact
}
