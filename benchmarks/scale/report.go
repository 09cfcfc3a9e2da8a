package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/backstay/backstay/benchmarks/harness"
)

// header says what the figures are and how they were measured.
func header(w io.Writer, cfg config) {
	fmt.Fprintf(w, `# Scale

Measured with %s on %s/%s, %d processors; passes: %d, of %v for each measurement. In each pass all contenders
of one size are measured next to one another; a table has the median over the passes and, behind the slash, the least.
`, runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), cfg.passes, cfg.time)
}

// writeFamily writes a family's table, with a row that says what the largest size costs beside the smallest.
func writeFamily(w io.Writer, f *family, r *harness.Results) {
	fmt.Fprintf(w, "\n### %s\n\n![%s](plots/%s.svg)\n\n%s\n\nIn %s:\n\n", f.title, f.title, f.name, f.about, unit(f.y))
	heads := []string{">" + f.x}
	var sizes []int
	for _, l := range f.lines {
		heads = append(heads, ">"+l.name)
		for _, p := range l.points {
			if !slices.Contains(sizes, p.x) {
				sizes = append(sizes, p.x)
			}
		}
	}
	slices.Sort(sizes)
	var rows [][]string
	for _, x := range sizes {
		row := []string{harness.Count(float64(x))}
		for _, l := range f.lines {
			s := r.Of(f.work(x), l.name)
			if s == nil {
				row = append(row, "")
				continue
			}
			row = append(row, harness.Number(f.in(s.Nanos(), x))+" / "+harness.Number(f.in(s.Min(), x)))
		}
		rows = append(rows, row)
	}
	growth := []string{"last to first"}
	for _, l := range f.lines {
		first, last := l.points[0].x, l.points[len(l.points)-1].x
		ratio := f.in(r.Of(f.work(last), l.name).Nanos(), last) / f.in(r.Of(f.work(first), l.name).Nanos(), first)
		growth = append(growth, "× "+harness.Number(ratio))
	}
	harness.Table(w, heads, append(rows, growth))
}

// unit is what stands behind the comma of an axis.
func unit(axis string) string {
	for i, r := range axis {
		if r == ',' {
			return axis[i+2:]
		}
	}
	return axis
}

// drawing is a picture of either kind.
type drawing interface{ SVG() ([]byte, error) }

// draw writes a picture into the folder.
func draw(dir, name string, d drawing) error {
	svg, err := d.SVG()
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, name+".svg"), svg, 0o644)
}

// config is what the flags say.
type config struct {
	passes   int
	time     time.Duration
	most     int // the largest size
	things   int // whose memory is measured
	calls    int // of each of them
	dir      string
	progress io.Writer
}
