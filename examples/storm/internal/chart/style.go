package chart

import (
	"bytes"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	vgtext "gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Tone is the colour of a series. The two can be told apart by colour-blind readers, and are dark enough for text on white.
type Tone int

const (
	Calm  Tone = iota // blue
	Storm             // orange
)

func (t Tone) color() color.Color {
	if t == Storm {
		return color.RGBA{R: 0xc8, G: 0x4f, B: 0x00, A: 0xff}
	}
	return color.RGBA{R: 0x00, G: 0x6c, B: 0xb0, A: 0xff}
}

// pale is the colour of the area below a series.
func (t Tone) pale() color.Color {
	if t == Storm {
		return color.RGBA{R: 0xf6, G: 0xd9, B: 0xc4, A: 0xff}
	}
	return color.RGBA{R: 0xcd, G: 0xe2, B: 0xf1, A: 0xff}
}

var (
	paper  = color.White
	ink    = color.RGBA{R: 0x22, G: 0x26, B: 0x2b, A: 0xff}
	muted  = color.RGBA{R: 0x5b, G: 0x61, B: 0x69, A: 0xff}
	ruling = color.RGBA{R: 0xe2, G: 0xe5, B: 0xe9, A: 0xff}
	shade  = color.RGBA{R: 0xe9, G: 0xea, B: 0xec, A: 0xff}
)

// Where a text stands beside its point.
const (
	atLeft   = draw.XLeft   // the point is at its left
	atMiddle = draw.XCenter // the point is in its middle
	atRight  = draw.XRight  // the point is at its right
	atTop    = draw.YTop
	atBottom = draw.YBottom
	centered = draw.YCenter
)

func text(size float64, c color.Color, x draw.XAlignment, y draw.YAlignment) vgtext.Style {
	return vgtext.Style{
		Color:   c,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)},
		XAlign:  x,
		YAlign:  y,
		Handler: plot.DefaultTextHandler,
	}
}

func fill(c draw.Canvas, r vg.Rectangle, with color.Color) {
	c.SetColor(with)
	c.Fill(r.Path())
}

func line(c draw.Canvas, with draw.LineStyle, from, to vg.Point) {
	c.StrokeLines(with, []vg.Point{from, to})
}

// withFallbackFonts names fonts with the same widths, for readers who do not have the one that the picture was set in.
func withFallbackFonts(svg []byte) []byte {
	return bytes.ReplaceAll(svg, []byte("font-family:Liberation Sans"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif"))
}
