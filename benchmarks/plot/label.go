package plot

import (
	"cmp"
	"image/color"
	"slices"

	gonum "gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// label is the name of a line, written where it ends.
type label struct {
	name   string
	color  color.Color
	dashed bool
	end    Point
}

// The legend stands beside the lines' ends: a leader from the end to the name, and the name.
const (
	leader    = 26 * vg.Length(1)
	labelSize = 10.5
	spacing   = 15 * vg.Length(1)
	raise     = 1.5 * vg.Length(1) // letters hang below the middle of their box
)

// labels are those of the lines, in their order.
func (f Figure) labels() []label {
	all, colored := make([]label, len(f.Lines)), 0
	for i, l := range f.Lines {
		all[i] = label{name: l.Name, color: floor, dashed: l.Dashed, end: l.Points[len(l.Points)-1]}
		if !l.Floor {
			all[i].color = palette[colored%len(palette)]
			colored++
		}
	}
	return all
}

func labelStyle(c color.Color) text.Style {
	return text.Style{Color: c, Font: sans(labelSize), XAlign: draw.XLeft, YAlign: draw.YCenter, Handler: gonum.DefaultTextHandler}
}

func widest(all []label) (w vg.Length) {
	for _, l := range all {
		w = max(w, labelStyle(l.color).Width(l.name))
	}
	return w
}

// drawLabels writes the names to the right of the lines, in the order of their ends, at least so far apart that they do
// not touch, between bottom and top.
func drawLabels(c draw.Canvas, all []label, x, y func(float64) vg.Length, bottom, top vg.Length) {
	byEnd := slices.Clone(all)
	slices.SortStableFunc(byEnd, func(a, b label) int { return cmp.Compare(a.end.Y, b.end.Y) })
	ends := make([]vg.Length, len(byEnd))
	for i, l := range byEnd {
		ends[i] = y(l.end.Y)
	}
	right := vg.Length(0)
	for _, l := range byEnd {
		right = max(right, x(l.end.X))
	}
	for i, at := range apart(ends, bottom, top) {
		l := byEnd[i]
		style := draw.LineStyle{Color: l.color, Width: vg.Points(0.7)}
		from := x(l.end.X) + vg.Points(4)
		c.StrokeLines(style, []vg.Point{{X: from, Y: ends[i]}, {X: max(from, right+vg.Points(4)), Y: ends[i]}, {X: right + leader - vg.Points(4), Y: at}})
		c.FillText(labelStyle(l.color), vg.Point{X: right + leader, Y: at + raise}, l.name)
	}
}

// apart moves the positions, which ascend, until each is spacing above the one before: up first, and then what is above top
// down again.
func apart(ends []vg.Length, bottom, top vg.Length) []vg.Length {
	at := slices.Clone(ends)
	for range 50 { // what is close pushes itself apart by halves, so that it stays near its line
		for i := 1; i < len(at); i++ {
			if short := spacing - (at[i] - at[i-1]); short > 0 {
				at[i-1] -= short / 2
				at[i] += short / 2
			}
		}
	}
	for i := range at {
		at[i] = max(at[i], bottom+vg.Length(i)*spacing)
	}
	for i := len(at) - 1; i >= 0; i-- {
		at[i] = min(at[i], top-vg.Length(len(at)-1-i)*spacing)
	}
	return at
}
