package plot

import (
	"bytes"
	"image/color"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Colours that colour-blind readers can tell apart, dark enough for text on white.
var palette = []color.Color{
	color.RGBA{R: 0x00, G: 0x6c, B: 0xb0, A: 0xff}, // blue
	color.RGBA{R: 0xc8, G: 0x4f, B: 0x00, A: 0xff}, // orange
	color.RGBA{R: 0x00, G: 0x7d, B: 0x5c, A: 0xff}, // green
	color.RGBA{R: 0x9c, G: 0x3a, B: 0x86, A: 0xff}, // purple
	color.RGBA{R: 0x8a, G: 0x6a, B: 0x00, A: 0xff}, // ochre
	color.RGBA{R: 0xb0, G: 0x1e, B: 0x3c, A: 0xff}, // red
}

var (
	paper = color.White
	ink   = color.RGBA{R: 0x22, G: 0x26, B: 0x2b, A: 0xff}
	faded = color.RGBA{R: 0x8a, G: 0x90, B: 0x98, A: 0xff}
	pale  = color.RGBA{R: 0xe2, G: 0xe5, B: 0xe9, A: 0xff}
	floor = color.RGBA{R: 0x6b, G: 0x71, B: 0x79, A: 0xff}
)

// sans is the font of all text.
func sans(size float64) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)}
}

// withFallbackFonts names fonts with the same widths, for readers who do not have the one that the picture was set in.
func withFallbackFonts(svg []byte) []byte {
	return bytes.ReplaceAll(svg, []byte("font-family:Liberation Sans"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif"))
}
