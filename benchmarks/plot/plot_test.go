package plot_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/benchmarks/plot"
)

// text is one text of a picture, and where it is, from the bottom.
type text struct {
	value string
	x, y  float64
}

// read reads the texts of a picture, and fails where it is not well-formed.
func read(t *testing.T, svg []byte) (all []text) {
	t.Helper()
	at := 0
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return all
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			at = 0
			if token.Name.Local != "text" {
				continue
			}
			all, at = append(all, text{}), 1
			for _, a := range token.Attr {
				switch a.Name.Local {
				case "x":
					all[len(all)-1].x, err = strconv.ParseFloat(a.Value, 64)
				case "y":
					all[len(all)-1].y, err = strconv.ParseFloat(strings.TrimPrefix(a.Value, "-"), 64)
				}
				require.NoError(t, err)
			}
		case xml.CharData:
			if at == 1 {
				all[len(all)-1].value += string(token)
			}
		case xml.EndElement:
			at = 0
		}
	}
}

func find(t *testing.T, all []text, value string) text {
	t.Helper()
	for _, x := range all {
		if x.value == value {
			return x
		}
	}
	require.Failf(t, "missing text", "%q is not among %v", value, all)
	return text{}
}

func values(all []text) (texts []string) {
	for _, x := range all {
		texts = append(texts, x.value)
	}
	return texts
}

func lineTo(name string, y ...float64) plot.Line {
	l := plot.Line{Name: name}
	for i, v := range y {
		l.Points = append(l.Points, plot.Point{X: math.Pow(10, float64(i)), Y: v})
	}
	return l
}

func TestAFigureNamesEverything(t *testing.T) {
	svg, err := plot.Figure{
		Title: "Cost & growth", X: "services", Y: "time, ns", LogX: true, LogY: true,
		Lines: []plot.Line{lineTo("generated", 90, 100, 120), lineTo("run-time", 900, 950, 1200)},
	}.SVG()
	require.NoError(t, err)
	texts := read(t, svg)
	for _, want := range []string{"Cost & growth", "services", "time, ns", "generated", "run-time", "1", "10", "100", "1,000"} {
		find(t, texts, want)
	}
	require.Greater(t, find(t, texts, "run-time").y, find(t, texts, "generated").y, "names are in the order of the lines")
}

func TestALinearAxisBeginsAtZeroAndEndsOnTheGrid(t *testing.T) {
	svg, err := plot.Figure{Title: "T", X: "n", Y: "ns", Lines: []plot.Line{lineTo("a", 17, 38)}}.SVG()
	require.NoError(t, err)
	texts := values(read(t, svg))
	require.Subset(t, texts, []string{"0", "10", "20", "30", "40"})
	require.NotContains(t, texts, "50")
}

func TestNamesDoNotTouchWhereLinesEndTogether(t *testing.T) {
	for _, end := range []float64{1, 50, 100} { // at the bottom, in the middle, at the top
		svg, err := plot.Figure{Title: "T", X: "n", Y: "ns", LogX: true, Lines: []plot.Line{
			lineTo("a", 100, end), lineTo("b", 100, end), lineTo("c", 100, end), lineTo("d", 100, end), lineTo("e", 0, end),
		}}.SVG()
		require.NoError(t, err)
		texts := read(t, svg)
		for i, pair := range [][2]string{{"a", "b"}, {"b", "c"}, {"c", "d"}, {"d", "e"}} {
			require.GreaterOrEqual(t, find(t, texts, pair[1]).y-find(t, texts, pair[0]).y, 14.9, i)
		}
		require.Less(t, find(t, texts, "e").y, find(t, texts, "T").y)
		require.Greater(t, find(t, texts, "a").y, find(t, texts, "n").y)
	}
}

func TestAFigureOfOnePoint(t *testing.T) {
	for _, logarithmic := range []bool{true, false} {
		svg, err := plot.Figure{Title: "T", X: "n", Y: "ns", LogX: logarithmic, LogY: logarithmic, Lines: []plot.Line{lineTo("a", 5)}}.SVG()
		require.NoError(t, err)
		require.NotContains(t, string(svg), "NaN")
		find(t, read(t, svg), "a")
	}
}

func TestWhatAFigureRefuses(t *testing.T) {
	for _, c := range []struct {
		figure plot.Figure
		want   string
	}{
		{plot.Figure{}, `plot "T": there are no lines`},
		{plot.Figure{Lines: []plot.Line{{Name: "a"}}}, `plot "T": a has no points`},
		{plot.Figure{Lines: []plot.Line{lineTo("a", math.NaN())}}, `plot "T": a has the point {1 NaN}, which is not on the axes`},
		{plot.Figure{Lines: []plot.Line{lineTo("a", -1)}}, `plot "T": a has the point {1 -1}, which is not on the axes`},
		{plot.Figure{LogY: true, Lines: []plot.Line{lineTo("a", 0)}}, `plot "T": a has the point {1 0}, which is not on the axes`},
	} {
		c.figure.Title = "T"
		_, err := c.figure.SVG()
		require.EqualError(t, err, c.want)
	}
}

func TestBarsNameEverythingAndTellTheirValues(t *testing.T) {
	svg, err := plot.Bars{
		Title: "Memory", X: "bytes", Names: []string{"breaker", "budget"},
		Sets: []plot.Set{{Name: "idle", Values: []float64{1520, 480}}, {Name: "after use", Values: []float64{1530, 0}}},
	}.SVG()
	require.NoError(t, err)
	texts := read(t, svg)
	for _, want := range []string{"Memory", "bytes", "idle", "after use", "1,520", "1,530", "480", "0"} {
		find(t, texts, want)
	}
	require.Greater(t, find(t, texts, "breaker").y, find(t, texts, "budget").y, "from top to bottom")
	require.Greater(t, find(t, texts, "1,520").y, find(t, texts, "1,530").y, "from top to bottom")
}

func TestWhatBarsRefuse(t *testing.T) {
	for _, c := range []struct {
		bars plot.Bars
		want string
	}{
		{plot.Bars{}, `plot "T": there are no bars`},
		{plot.Bars{Names: []string{"a"}}, `plot "T": there are no bars`},
		{plot.Bars{Names: []string{"a"}, Sets: []plot.Set{{Name: "s"}}}, `plot "T": s has 0 values for 1 names`},
		{plot.Bars{Names: []string{"a"}, Sets: []plot.Set{{Name: "s", Values: []float64{-1}}}}, `plot "T": s has -1 for a`},
	} {
		c.bars.Title = "T"
		_, err := c.bars.SVG()
		require.EqualError(t, err, c.want)
	}
}
