package harness

import "slices"

// Results are the samples of a run.
type Results struct {
	Works  []Work
	series map[[2]string]*Series
}

func newResults(works []Work) *Results {
	r := &Results{Works: works, series: map[[2]string]*Series{}}
	for _, w := range works {
		for _, c := range w.Cases {
			r.series[[2]string{w.Name, c.Name}] = &Series{Name: c.Name}
		}
	}
	return r
}

// Of returns the samples of one contender at one work; nil if it was not measured.
func (r *Results) Of(work, contender string) *Series { return r.series[[2]string{work, contender}] }

// Series are the samples of one contender at one work, one per pass.
type Series struct {
	Name    string
	samples []Sample
}

// last is what an operation cost in the pass before; 0 in the first.
func (s *Series) last() float64 {
	if len(s.samples) == 0 {
		return 0
	}
	return s.samples[len(s.samples)-1].Nanos
}

// Nanos is the median of what an operation took.
func (s *Series) Nanos() float64 { return s.median(func(x Sample) float64 { return x.Nanos }) }

// Bytes is the median of what an operation allocated.
func (s *Series) Bytes() float64 { return s.median(func(x Sample) float64 { return x.Bytes }) }

// Allocs is the median of how often an operation allocated.
func (s *Series) Allocs() float64 { return s.median(func(x Sample) float64 { return x.Allocs }) }

// Min is the least that an operation took in any pass.
func (s *Series) Min() float64 {
	return slices.MinFunc(s.samples, func(a, b Sample) int {
		if a.Nanos < b.Nanos {
			return -1
		}
		return 1
	}).Nanos
}

func (s *Series) median(of func(Sample) float64) float64 {
	values := make([]float64, len(s.samples))
	for i, x := range s.samples {
		values[i] = of(x)
	}
	return Median(values)
}

// Paired is the median of f over passes, where f sees what each of the series took in one and the same pass.
func Paired(f func(nanos ...float64) float64, series ...*Series) float64 {
	var values []float64
	nanos := make([]float64, len(series))
	for pass := range series[0].samples {
		for i, s := range series {
			nanos[i] = s.samples[pass].Nanos
		}
		values = append(values, f(nanos...))
	}
	return Median(values)
}

// Ratio is how many times as long a took as b, pass by pass.
func Ratio(a, b *Series) float64 {
	return Paired(func(n ...float64) float64 { return n[0] / n[1] }, a, b)
}

// Difference is how many nanoseconds longer a took than b, pass by pass.
func Difference(a, b *Series) float64 {
	return Paired(func(n ...float64) float64 { return n[0] - n[1] }, a, b)
}

// Median is the middle of the values, or the mean of the two in the middle. There has to be at least one.
func Median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
