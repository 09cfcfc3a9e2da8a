// Package plot draws measurements as SVG: lines over a size, and bars. Both have a white background, so that they read the
// same on a light and a dark page, and name what they draw beside it instead of in a box that covers something.
package plot

import (
	"bytes"
	"fmt"
	"math"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The size of a picture of lines.
const (
	width  = 680 * vg.Length(1)
	height = 360 * vg.Length(1)
)

// Figure is a picture of lines over a size.
type Figure struct {
	Title      string
	X, Y       string // what the axes show, with units
	LogX, LogY bool   // then all values there are above zero; else the axis begins at zero
	Lines      []Line
}

// Line is one contender.
type Line struct {
	Name   string
	Floor  bool // it is not a contender but what all are compared with: drawn in grey
	Dashed bool
	Points []Point // by X, ascending
}

// Point is one measurement.
type Point struct{ X, Y float64 }

// SVG draws the figure.
func (f Figure) SVG() ([]byte, error) {
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("plot %q: %w", f.Title, err)
	}
	p := newPlot(f.Title, f.X, f.Y, false)
	labels := f.labels()
	for i, l := range f.Lines {
		points := make(plotter.XYs, len(l.Points))
		for j, at := range l.Points {
			points[j] = plotter.XY(at)
		}
		line, dots, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, fmt.Errorf("plot %q: %w", f.Title, err)
		}
		line.Color, line.Width = labels[i].color, vg.Points(1.8)
		if l.Dashed {
			line.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
		}
		dots.Color, dots.Shape, dots.Radius = labels[i].color, draw.CircleGlyph{}, vg.Points(2.4)
		p.Add(line, dots)
	}
	f.scale(p)
	return save(width, height, func(c draw.Canvas) {
		room := widest(labels) + leader + vg.Points(10)
		p.Draw(draw.Crop(c, 0, -room, 0, 0))
		inner := p.DataCanvas(draw.Crop(c, 0, -room, 0, 0))
		x, y := p.Transforms(&inner)
		drawLabels(c, labels, x, y, inner.Min.Y, inner.Max.Y)
	}), nil
}

// check refuses what would give an empty picture or a wrong one.
func (f Figure) check() error {
	if len(f.Lines) == 0 {
		return fmt.Errorf("there are no lines")
	}
	for _, l := range f.Lines {
		if len(l.Points) == 0 {
			return fmt.Errorf("%s has no points", l.Name)
		}
		for _, p := range l.Points {
			if !finite(p.X, f.LogX) || !finite(p.Y, f.LogY) {
				return fmt.Errorf("%s has the point %v, which is not on the axes", l.Name, p)
			}
		}
	}
	return nil
}

// finite reports whether v can be drawn.
func finite(v float64, logarithmic bool) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && v >= 0 && (v > 0 || !logarithmic)
}

// scale sets up the axes, wide enough for all points.
func (f Figure) scale(p *gonum.Plot) {
	p.X.Min, p.X.Max = f.bounds(func(at Point) float64 { return at.X })
	switch {
	case p.X.Min < p.X.Max:
	case f.LogX:
		p.X.Max *= 10
	default:
		p.X.Max++
	}
	p.Y.Min, p.Y.Max = reach(p.Y.Min, p.Y.Max, f.LogY)
	for _, axis := range []struct {
		*gonum.Axis
		logarithmic bool
	}{{&p.X, f.LogX}, {&p.Y, f.LogY}} {
		axis.Tick.Marker = gonum.TickerFunc(linearTicks)
		if axis.logarithmic {
			axis.Scale = gonum.LogScale{}
			axis.Tick.Marker = gonum.TickerFunc(logTicks)
		}
	}
}

func (f Figure) bounds(of func(Point) float64) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, l := range f.Lines {
		for _, p := range l.Points {
			least, most = min(least, of(p)), max(most, of(p))
		}
	}
	return least, most
}

// reach is an axis that holds values from least to most, and ends at a line of the grid.
func reach(least, most float64, logarithmic bool) (from, to float64) {
	if logarithmic {
		return onGrid(least/1.15, math.Floor), onGrid(most*1.15, math.Ceil)
	}
	if most <= 0 {
		most = 1
	}
	step := linearStep(0, most*1.02)
	return 0, math.Ceil(most*1.02/step) * step
}

// onGrid moves v to the next of 1, 2, 5, 10, 20 and so on.
func onGrid(v float64, round func(float64) float64) float64 {
	decade := math.Pow(10, math.Floor(math.Log10(v)))
	steps := []float64{1, 2, 5, 10}
	for i, s := range steps {
		switch {
		case math.Abs(v/decade-s) < 1e-9:
			return s * decade
		case v/decade < s:
			if round(0.5) == 0 {
				return steps[i-1] * decade
			}
			return s * decade
		}
	}
	return 10 * decade
}

// newPlot has what all pictures have in common. The lines of its grid are across the axis of values.
func newPlot(title, x, y string, valuesAreX bool) *gonum.Plot {
	p := gonum.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.TextStyle.Font, p.Title.TextStyle.Color = sans(14), ink
	p.Title.Padding = vg.Points(10)
	for _, axis := range []*gonum.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font, axis.Label.TextStyle.Color = sans(11), ink
		axis.Label.Padding = vg.Points(4)
		axis.Tick.Label.Font, axis.Tick.Label.Color = sans(10), ink
		axis.LineStyle.Color, axis.Tick.LineStyle.Color = faded, faded
		axis.Padding = vg.Points(4)
	}
	grid := plotter.NewGrid()
	grid.Vertical, grid.Horizontal = draw.LineStyle{}, draw.LineStyle{Color: pale, Width: vg.Points(0.6)}
	if valuesAreX {
		grid.Vertical, grid.Horizontal = grid.Horizontal, grid.Vertical
	}
	p.Add(grid)
	return p
}

// save draws on a canvas with a margin and returns the file.
func save(width, height vg.Length, paint func(draw.Canvas)) []byte {
	svg := vgsvg.New(width, height)
	c := draw.New(svg)
	c.SetColor(paper)
	c.Fill(c.Rectangle.Path())
	paint(draw.Crop(c, vg.Points(10), -vg.Points(10), vg.Points(10), -vg.Points(10)))
	var b bytes.Buffer
	svg.WriteTo(&b) // a bytes.Buffer has no errors
	return withFallbackFonts(b.Bytes())
}
