// Package chart draws small panels beside and below each other, each with one series over the seconds of a run, as SVG. The
// background is white, so that a picture reads the same on a light and a dark page, and what is drawn is named where it is
// drawn.
package chart

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The measures of a sheet. A point is a pixel and a third: the width is 860 pixels.
const (
	width     = 645 * vg.Length(1)
	margin    = 12 * vg.Length(1)
	gap       = 22 * vg.Length(1) // between columns
	left      = 36 * vg.Length(1) // of the numbers beside a panel
	foot      = 24 * vg.Length(1) // of the numbers below a panel
	sheetHead = 30 * vg.Length(1) // of the title of the sheet

	titleHeight = 17 * vg.Length(1)
	noteHeight  = 20 * vg.Length(1)
)

// Sheet is a picture: rows of panels.
type Sheet struct {
	Title    string // may be empty
	Height   float64
	Rows     []Row
	OneScale bool // all rows are on one scale; else each has its own
}

// Row is panels beside each other, on one scale.
type Row []Panel

// SVG draws the sheet. Each row is as high as the others.
func (s Sheet) SVG() ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("picture %q: %w", s.Title, err)
	}
	height := vg.Length(s.Height)
	svg := vgsvg.New(width, height)
	c := draw.New(svg)
	fill(c, c.Rectangle, paper)
	c = draw.Crop(c, margin, -margin, margin/2, -margin)
	if s.Title != "" {
		c.FillText(text(15, ink, atLeft, atTop), vg.Point{X: c.Min.X, Y: c.Max.Y}, s.Title)
		c.Max.Y -= sheetHead
	}
	high := c.Size().Y / vg.Length(len(s.Rows))
	for i, row := range s.Rows {
		most := row.most()
		if s.OneScale {
			for _, other := range s.Rows {
				most = max(most, other.most())
			}
		}
		row.draw(draw.Crop(c, 0, 0, high*vg.Length(len(s.Rows)-1-i), -high*vg.Length(i)), scaleTo(most))
	}
	var b bytes.Buffer
	svg.WriteTo(&b) // a bytes.Buffer has no errors
	return withFallbackFonts(b.Bytes()), nil
}

func (s Sheet) check() error {
	if len(s.Rows) == 0 {
		return fmt.Errorf("there are no rows")
	}
	for _, row := range s.Rows {
		if len(row) == 0 {
			return fmt.Errorf("a row has no panels")
		}
		for _, p := range row {
			if len(p.Values) < 2 {
				return fmt.Errorf("panel %q has %d values, and a line needs 2", p.Title, len(p.Values))
			}
			for second, v := range p.Values {
				if v < 0 || math.IsNaN(v) || math.IsInf(v, 0) {
					return fmt.Errorf("panel %q has %v at second %d", p.Title, v, second)
				}
			}
		}
	}
	return nil
}

func (r Row) most() (most float64) {
	for _, p := range r {
		most = max(most, p.most())
	}
	return most
}

// draw draws the panels, each as wide as the others, below room for a title if one of them has one.
func (r Row) draw(c draw.Canvas, s scale) {
	above := noteHeight
	if slices.ContainsFunc(r, func(p Panel) bool { return p.Title != "" }) {
		above += titleHeight
	}
	wide := (c.Size().X - gap*vg.Length(len(r)-1)) / vg.Length(len(r))
	for i, p := range r {
		x := (wide + gap) * vg.Length(i)
		p.draw(draw.Crop(c, x, x+wide-c.Size().X, 0, 0), s, above)
	}
}
