package main

import (
	"context"
	"fmt"

	"github.com/backstay/backstay/benchmarks/harness"
	"github.com/backstay/backstay/benchmarks/plot"
)

// family is what becomes one table and one picture: lines over the same sizes.
type family struct {
	name  string // of the picture's file, and for -run
	title string
	about string // Markdown
	x     string // what the size is
	y     string // what is measured, with the unit
	logX  bool
	logY  bool
	value func(nanos float64, x int) float64 // in the unit of y; nil: nanoseconds
	lines []line
}

// line is one contender.
type line struct {
	name   string
	floor  bool // what the others are compared with
	dashed bool
	points []point
}

// point is one size of one contender: how to set up its measurement.
type point struct {
	x   int
	new func() (harness.Op, error)
}

// over is a line with a point for each of the sizes.
func over(sizes []int, l line, set func(x int) (harness.Op, error)) line {
	for _, x := range sizes {
		l.points = append(l.points, point{x, func() (harness.Op, error) { return set(x) }})
	}
	return l
}

// upTo are the sizes that are not above the limit.
func upTo(limit int, sizes ...int) (kept []int) {
	for _, s := range sizes {
		if s <= limit {
			kept = append(kept, s)
		}
	}
	return kept
}

// works are the family's measurements, one work for each size, so that the contenders of one size are measured next to one
// another.
func (f *family) works() (all []harness.Work) {
	at := map[int]int{}
	for _, l := range f.lines {
		for _, p := range l.points {
			i, ok := at[p.x]
			if !ok {
				i = len(all)
				at[p.x] = i
				all = append(all, harness.Work{Name: f.work(p.x)})
			}
			all[i].Cases = append(all[i].Cases, harness.Case{Name: l.name, New: p.new})
		}
	}
	return all
}

func (f *family) work(x int) string { return fmt.Sprint(f.name, " ", x) }

// in converts what an operation took to the family's unit.
func (f *family) in(nanos float64, x int) float64 {
	if f.value == nil {
		return nanos
	}
	return f.value(nanos, x)
}

// figure is the picture of the medians.
func (f *family) figure(r *harness.Results) plot.Figure {
	fig := plot.Figure{Title: f.title, X: f.x, Y: f.y, LogX: f.logX, LogY: f.logY}
	for _, l := range f.lines {
		drawn := plot.Line{Name: l.name, Floor: l.floor, Dashed: l.dashed}
		for _, p := range l.points {
			drawn.Points = append(drawn.Points, plot.Point{X: float64(p.x), Y: f.in(r.Of(f.work(p.x), l.name).Nanos(), p.x)})
		}
		fig.Lines = append(fig.Lines, drawn)
	}
	return fig
}

// calling calls the stores in turn.
func calling(stores []Store, err error) (harness.Op, error) {
	if err != nil {
		return harness.Op{}, err
	}
	ctx, next := context.Background(), 0
	return harness.Op{Run: func(_, n int) error {
		for range n {
			if err := call(ctx, stores[next]); err != nil {
				return err
			}
			if next++; next == len(stores) {
				next = 0
			}
		}
		return nil
	}}, nil
}
