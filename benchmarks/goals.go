package main

import (
	"fmt"
	"io"
	"math"

	"github.com/backstay/backstay/benchmarks/harness"
)

// goal is one thing that a row of the design's table of speed asks for.
type goal struct {
	row   string
	what  string  // is measured
	limit float64 // met if the value is at least this, or at most this where most is set
	most  bool
	unit  string // after the number; none for ratios and counts
	value measurement
}

// verdict is a goal and what came of it.
type verdict struct {
	goal
	value float64
	who   string
}

// evaluate measures all goals of which everything was measured.
func evaluate(r *harness.Results) (all []verdict) {
	for _, g := range goals() {
		if value, who, ok := g.value(r); ok {
			all = append(all, verdict{g, value, who})
		}
	}
	return all
}

// margin is how far the goal is surpassed: 1 is just met, 2 is twice as good, below 1 is not met.
func (v verdict) margin() float64 {
	switch {
	case v.most && v.limit == 0 && v.value > 0:
		return 0
	case v.most && v.value <= 0:
		return math.Inf(1)
	case v.most:
		return v.limit / v.value
	}
	return v.value / v.limit
}

func (v verdict) met() bool { return v.margin() >= 1 }

func writeGoals(w io.Writer, all []verdict) {
	fmt.Fprint(w, "## Goals\n\n")
	if len(all) == 0 {
		fmt.Fprintln(w, "What was measured is not enough for any of the goals.")
		return
	}
	var rows [][]string
	met, worst, row := 0, all[0], ""
	for _, v := range all {
		answer := "**no**"
		if v.met() {
			answer = "yes"
			met++
		}
		if v.margin() < worst.margin() {
			worst = v
		}
		name := v.row
		if name == row { // the row's name is written once
			name = ""
		}
		row = v.row
		rows = append(rows, []string{name, v.what, v.bound(), v.measured(), v.who, answer})
	}
	harness.Table(w, []string{"work", "what", ">goal", ">measured", "decided by", "met"}, rows)
	fmt.Fprintf(w, "\n%d of %d met. ", met, len(all))
	fmt.Fprintf(w, "The worst is \"%s: %s\": goal %s, measured %s, %s of what it should be.\n",
		worst.row, worst.what, worst.bound(), worst.measured(), percent(worst.margin()))
}

func (v verdict) bound() string {
	if v.most {
		if v.limit == 0 {
			return "none"
		}
		return "at most " + amount(v.limit, v.unit)
	}
	return "at least " + amount(v.limit, v.unit)
}

func (v verdict) measured() string {
	if math.IsInf(v.value, 1) {
		return "more than can be told"
	}
	return amount(v.value, v.unit)
}

// amount is a number with its unit; ratios keep their decimals.
func amount(x float64, unit string) string {
	number := harness.Number(x)
	if x == math.Trunc(x) {
		number = harness.Count(x)
	}
	if unit == "" {
		return number
	}
	return number + " " + unit
}

func percent(x float64) string { return fmt.Sprintf("%.0f %%", 100*x) }
