package browser_test

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// squeeze is the same picture in few bytes: with its 256 most frequent colours, and each of the others as the nearest of them.
// A page has few colours beside the shades at the edges of its letters.
func squeeze(picture []byte) ([]byte, error) {
	decoded, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, err
	}
	full := image.NewRGBA(decoded.Bounds())
	draw.Draw(full, full.Bounds(), decoded, decoded.Bounds().Min, draw.Src)

	count := map[color.RGBA]int{}
	for y := range full.Rect.Dy() {
		for x := range full.Rect.Dx() {
			count[full.RGBAAt(x, y)]++
		}
	}
	frequent := make([]color.RGBA, 0, len(count))
	for c := range count {
		frequent = append(frequent, c)
	}
	slices.SortFunc(frequent, func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B))
	})
	var palette color.Palette
	for _, c := range frequent[:min(256, len(frequent))] {
		palette = append(palette, c)
	}
	index := map[color.RGBA]uint8{}
	for c := range count {
		index[c] = uint8(palette.Index(c))
	}

	small := image.NewPaletted(full.Rect, palette)
	for y := range full.Rect.Dy() {
		for x := range full.Rect.Dx() {
			small.SetColorIndex(x, y, index[full.RGBAAt(x, y)])
		}
	}
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	err = encoder.Encode(&out, small)
	return out.Bytes(), err
}

func TestASqueezedPictureHasTheSamePixels(t *testing.T) {
	t.Parallel()
	full := image.NewRGBA(image.Rect(0, 0, 40, 30))
	for y := range 30 {
		for x := range 40 {
			full.Set(x, y, color.RGBA{uint8(x), uint8(y % 4), 200, 255})
		}
	}
	var before bytes.Buffer
	require.NoError(t, png.Encode(&before, full))
	squeezed, err := squeeze(before.Bytes())
	require.NoError(t, err)
	after, err := png.Decode(bytes.NewReader(squeezed))
	require.NoError(t, err)
	require.IsType(t, &image.Paletted{}, after)
	for y := range 30 {
		for x := range 40 {
			require.Equal(t, full.At(x, y), after.At(x, y))
		}
	}
	_, err = squeeze([]byte("no picture"))
	require.Error(t, err)
}
