package plot

import (
	"fmt"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/backstay/backstay/benchmarks/harness"
)

// The heights of a bar, of what is between two groups of them, of the row that names their sets, and
// of the title above that.
const (
	barHeight    = 14 * vg.Length(1)
	barGap       = 13 * vg.Length(1)
	legendHeight = 20 * vg.Length(1)
	titleHeight  = 22 * vg.Length(1)
)

// Bars is a picture of bars that lie: a group for each name, and in it one bar for each set of values.
type Bars struct {
	Title string
	X     string   // what the values are, with the unit
	Names []string // from top to bottom
	Sets  []Set    // in each group from top to bottom
}

// Set is one value per name.
type Set struct {
	Name   string
	Values []float64
}

// SVG draws the bars, each with its value.
func (b Bars) SVG() ([]byte, error) {
	if err := b.check(); err != nil {
		return nil, fmt.Errorf("plot %q: %w", b.Title, err)
	}
	p := newPlot(b.Title, b.X, "", true)
	total := (barHeight*vg.Length(len(b.Sets)) + barGap) * vg.Length(len(b.Names))
	most := 0.0
	for i, set := range b.Sets {
		values := make(plotter.Values, len(b.Names))
		for j, v := range set.Values {
			values[len(b.Names)-1-j] = v // the axis goes up
			most = max(most, v)
		}
		bars, err := plotter.NewBarChart(values, barHeight)
		if err != nil {
			return nil, fmt.Errorf("plot %q: %w", b.Title, err)
		}
		bars.Horizontal, bars.Color, bars.LineStyle.Width = true, palette[i%len(palette)], 0
		bars.Offset = b.offset(i)
		p.Add(bars)
	}
	names := make([]string, len(b.Names))
	for i, n := range b.Names {
		names[len(b.Names)-1-i] = n
	}
	p.Title.Padding += legendHeight
	p.NominalY(names...)
	p.Y.Tick.Label.Font = sans(10.5)
	p.Y.Min, p.Y.Max = -0.5, float64(len(b.Names))-0.5
	p.X.Min, p.X.Max = 0, max(most, 1)*1.12 // room for the values
	p.X.Tick.Marker = gonum.TickerFunc(linearTicks)
	return save(width, total+legendHeight+90, func(c draw.Canvas) {
		p.Draw(c)
		inner := p.DataCanvas(c)
		b.drawLegend(c, inner.Min.X, c.Max.Y-titleHeight-legendHeight/2)
		x, y := p.Transforms(&inner)
		for i, set := range b.Sets {
			for j, v := range set.Values {
				at := y(float64(len(b.Names)-1-j)) + b.offset(i)
				c.FillText(labelStyle(ink), vg.Point{X: x(v) + vg.Points(4), Y: at + raise}, harness.Count(v))
			}
		}
	}), nil
}

// offset is where the bars of the i-th set are in their group.
func (b Bars) offset(i int) vg.Length { return barHeight * (vg.Length(len(b.Sets)-1)/2 - vg.Length(i)) }

// drawLegend writes the names of the sets in a row.
func (b Bars) drawLegend(c draw.Canvas, x, y vg.Length) {
	const swatch = 10 * vg.Length(1)
	for i, set := range b.Sets {
		style := labelStyle(ink)
		c.FillPolygon(palette[i%len(palette)], []vg.Point{
			{X: x, Y: y - swatch/2}, {X: x + swatch, Y: y - swatch/2}, {X: x + swatch, Y: y + swatch/2}, {X: x, Y: y + swatch/2},
		})
		c.FillText(style, vg.Point{X: x + swatch + 5, Y: y + raise}, set.Name)
		x += swatch + 5 + style.Width(set.Name) + 20
	}
}

func (b Bars) check() error {
	if len(b.Names) == 0 || len(b.Sets) == 0 {
		return fmt.Errorf("there are no bars")
	}
	for _, set := range b.Sets {
		if len(set.Values) != len(b.Names) {
			return fmt.Errorf("%s has %d values for %d names", set.Name, len(set.Values), len(b.Names))
		}
		for i, v := range set.Values {
			if !finite(v, false) {
				return fmt.Errorf("%s has %v for %s", set.Name, v, b.Names[i])
			}
		}
	}
	return nil
}
