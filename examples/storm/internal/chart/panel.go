package chart

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Panel is one series over the seconds of a run.
type Panel struct {
	Title  string // may be empty
	Note   string // below the title
	Values []float64
	Tone   Tone

	Level     float64 // a line across the panel
	LevelName string  // which is written at its left, above the line and the series

	From, To  int    // seconds that are shaded
	ShadeName string // which is written at the top of the shade

	Callout   string  // a text in the middle of what comes after the shade; may be empty
	CalloutAt float64 // where, as a value
}

func (p Panel) most() float64 {
	most := p.Level
	for _, v := range p.Values {
		most = max(most, v)
	}
	return most
}

// frame is where a panel's values are on the canvas.
type frame struct {
	draw.Canvas
	scale   scale
	seconds int
}

func (f frame) x(second float64) vg.Length {
	return f.Min.X + f.Size().X*vg.Length(second/float64(f.seconds))
}

func (f frame) y(value float64) vg.Length {
	return f.Min.Y + f.Size().Y*vg.Length(value/f.scale.end)
}

// draw draws the panel with so much room above it.
func (p Panel) draw(c draw.Canvas, s scale, above vg.Length) {
	f := frame{draw.Crop(c, left, -2, foot, -above), s, len(p.Values)}
	c.FillText(text(12, p.Tone.color(), atLeft, atTop), vg.Point{X: c.Min.X, Y: c.Max.Y}, p.Title)
	c.FillText(text(10, muted, atLeft, atTop), vg.Point{X: c.Min.X, Y: f.Max.Y + noteHeight}, p.Note)
	p.drawGround(f)
	p.drawSeries(f)
	p.drawWords(f)
}

// drawGround draws the shade, the grid and the axes.
func (p Panel) drawGround(f frame) {
	if p.To > p.From {
		fill(f.Canvas, vg.Rectangle{
			Min: vg.Point{X: f.x(float64(p.From)), Y: f.Min.Y},
			Max: vg.Point{X: f.x(float64(p.To)), Y: f.Max.Y},
		}, shade)
	}
	for _, v := range f.scale.ticks() {
		rule := draw.LineStyle{Color: ruling, Width: vg.Points(0.6)}
		if v == 0 {
			rule.Color, rule.Width = muted, vg.Points(0.8)
		}
		line(f.Canvas, rule, vg.Point{X: f.Min.X, Y: f.y(v)}, vg.Point{X: f.Max.X, Y: f.y(v)})
		f.FillText(text(9.5, muted, atRight, centered), vg.Point{X: f.Min.X - 4, Y: f.y(v) + 1}, number(v))
	}
	step := seconds(f.seconds)
	for second := 0; second <= f.seconds; second += step {
		x := f.x(float64(second))
		line(f.Canvas, draw.LineStyle{Color: muted, Width: vg.Points(0.8)}, vg.Point{X: x, Y: f.Min.Y}, vg.Point{X: x, Y: f.Min.Y - 3})
		name, side := number(float64(second)), atMiddle
		if second+step > f.seconds {
			name, side = name+" s", atRight
			x = min(x+f.Size().X/20, f.Max.X)
		}
		f.FillText(text(9.5, muted, side, atTop), vg.Point{X: x, Y: f.Min.Y - 4}, name)
	}
}

// drawSeries draws the values, each in the middle of its second, and the area below them.
func (p Panel) drawSeries(f frame) {
	points := make([]vg.Point, len(p.Values))
	for second, v := range p.Values {
		points[second] = vg.Point{X: f.x(float64(second) + 0.5), Y: f.y(v)}
	}
	area := append([]vg.Point{{X: points[0].X, Y: f.Min.Y}}, points...)
	area = append(area, vg.Point{X: points[len(points)-1].X, Y: f.Min.Y})
	f.FillPolygon(p.Tone.pale(), area)
	f.StrokeLines(draw.LineStyle{Color: p.Tone.color(), Width: vg.Points(1.4)}, points)
	if p.Level > 0 {
		dashed := draw.LineStyle{Color: ink, Width: vg.Points(1), Dashes: []vg.Length{vg.Points(4), vg.Points(3)}}
		line(f.Canvas, dashed, vg.Point{X: f.Min.X, Y: f.y(p.Level)}, vg.Point{X: f.Max.X, Y: f.y(p.Level)})
	}
}

// drawWords writes the names of what is drawn.
func (p Panel) drawWords(f frame) {
	free := p.Level
	for _, v := range p.Values[:min(p.From, len(p.Values))] {
		free = max(free, v)
	}
	f.FillText(text(9.5, ink, atLeft, atBottom), vg.Point{X: f.Min.X + 3, Y: f.y(free) + 1.5}, p.LevelName)
	f.FillText(text(9.5, muted, atMiddle, atTop), vg.Point{X: f.x(float64(p.From+p.To) / 2), Y: f.Max.Y - 2}, p.ShadeName)
	after := vg.Point{X: f.x(float64(p.To+f.seconds) / 2), Y: f.y(p.CalloutAt)}
	f.FillText(text(11, p.Tone.color(), atMiddle, centered), after, p.Callout)
}
