package chart_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/backstay/backstay/examples/storm/internal/chart"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// texts are the texts of a picture, which must be well-formed, each with how often it is there.
func texts(t *testing.T, svg []byte) map[string]int {
	t.Helper()
	all, inText := map[string]int{}, false
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			inText = token.Name.Local == "text"
		case xml.CharData:
			if inText {
				all[string(token)]++
			}
		case xml.EndElement:
			inText = false
		}
	}
}

func panel(title string, values ...float64) chart.Panel {
	return chart.Panel{
		Title: title, Note: title + "'s note", Values: values,
		Level: 10, LevelName: title + "'s level", From: 1, To: 2, ShadeName: title + "'s shade",
		Callout: title + "'s callout", CalloutAt: 5,
	}
}

func TestAllThatIsDrawnIsNamed(t *testing.T) {
	svg, err := chart.Sheet{Title: "Load & more", Height: 300, Rows: []chart.Row{
		{panel("a", 1, 2, 3), panel("b", 3, 2, 1)},
		{panel("c", 700, 800, 900)},
	}}.SVG()
	require.NoError(t, err)
	found := texts(t, svg)
	require.Equal(t, 1, found["Load & more"])
	for _, name := range []string{"a", "b", "c"} {
		for _, part := range []string{"", "'s note", "'s level", "'s shade", "'s callout"} {
			require.Equal(t, 1, found[name+part], name+part)
		}
	}
	require.NotContains(t, string(svg), "NaN")
}

func TestRowsHaveTheirOwnScaleUnlessAllHaveOne(t *testing.T) {
	s := chart.Sheet{Height: 300, Rows: []chart.Row{{panel("a", 1, 2, 3)}, {panel("b", 700, 800, 900)}}}
	svg, err := s.SVG()
	require.NoError(t, err)
	require.Equal(t, 1, texts(t, svg)["10"])
	require.Equal(t, 1, texts(t, svg)["1,000"])

	s.OneScale = true
	svg, err = s.SVG()
	require.NoError(t, err)
	require.Zero(t, texts(t, svg)["10"])
	require.Equal(t, 2, texts(t, svg)["1,000"])
}

func TestTheSameSheetIsTheSamePicture(t *testing.T) {
	s := chart.Sheet{Title: "T", Height: 300, Rows: []chart.Row{{panel("a", 1, 2, 3), panel("b", 1.0/3, 2.0/3, math.Pi)}}}
	first, err := s.SVG()
	require.NoError(t, err)
	second, err := s.SVG()
	require.NoError(t, err)
	require.Equal(t, string(first), string(second))
}

func TestWhatASheetRefuses(t *testing.T) {
	for want, rows := range map[string][]chart.Row{
		`picture "T": there are no rows`:                          nil,
		`picture "T": a row has no panels`:                        {{}},
		`picture "T": panel "a" has 1 values, and a line needs 2`: {{panel("a", 1)}},
		`picture "T": panel "a" has NaN at second 1`:              {{panel("a", 1, math.NaN())}},
		`picture "T": panel "a" has -1 at second 0`:               {{panel("a", -1, 1)}},
		`picture "T": panel "b" has +Inf at second 1`:             {{panel("a", 1, 1)}, {panel("b", 1, math.Inf(1))}},
	} {
		_, err := chart.Sheet{Title: "T", Height: 100, Rows: rows}.SVG()
		require.EqualError(t, err, want)
	}
}
