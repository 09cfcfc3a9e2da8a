package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/backstay/backstay/aspect"
	"github.com/backstay/backstay/benchmarks/harness"
	"github.com/backstay/backstay/container"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// small is a command line that is done in seconds.
func small(t *testing.T, args ...string) (dir string, _ []string) {
	dir = t.TempDir()
	return dir, append([]string{"-passes", "2", "-time", "20us", "-max", "100", "-things", "5", "-calls", "8", "-o", dir}, args...)
}

func TestEveryFamilyHasATableAndAPicture(t *testing.T) {
	dir, args := small(t)
	file := filepath.Join(dir, "SCALE.md")
	var out bytes.Buffer
	require.NoError(t, command(append(args, "-md", file), &out, io.Discard))

	written, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, out.String(), string(written))
	names := []string{"memory"}
	for _, f := range families(100) {
		names = append(names, f.name)
		require.Contains(t, out.String(), "### "+f.title+"\n")
		for _, l := range f.lines {
			require.Contains(t, out.String(), "| "+l.name)
			require.NotEmpty(t, l.points)
		}
	}
	for _, name := range names {
		require.Contains(t, out.String(), "](plots/"+name+".svg)")
		svg, err := os.ReadFile(filepath.Join(dir, name+".svg"))
		require.NoError(t, err)
		require.NoError(t, wellFormed(svg), name)
	}
	for _, row := range strings.Split(out.String(), "\n") {
		require.NotRegexp(t, `NaN|Inf|\| \|`, row)
	}
}

func wellFormed(document []byte) error {
	for d := xml.NewDecoder(bytes.NewReader(document)); ; {
		if _, err := d.Token(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func TestOnlyWhatIsChosenIsMeasured(t *testing.T) {
	dir, args := small(t, "-run", "^aspects$")
	require.NoError(t, command(args, io.Discard, io.Discard))
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(dir, "aspects.svg")}, files)
}

func TestWhatTheCommandRefuses(t *testing.T) {
	for args, want := range map[string]string{
		"-passes 0":    "usage: ",
		"-time 0s":     "usage: ",
		"-max 9":       "usage: ",
		"more":         "usage: ",
		"-run (":       "-run: ",
		"-run nothing": "-run nothing matches nothing",
	} {
		_, all := small(t, strings.Fields(args)...)
		require.ErrorContains(t, command(all, io.Discard, io.Discard), want, args)
	}
}

func TestSourcesMakeStoresOfTheirKind(t *testing.T) {
	for _, from := range []source{plain, generated, runTime} {
		for _, constructor := range []any{newMemory, newYielding} {
			stores, err := from(3, constructor, merged(5)...)
			require.NoError(t, err)
			require.Len(t, stores, 3)
			require.NotSame(t, aspect.Unwrap(stores[0]), aspect.Unwrap(stores[1]))
		}
	}
	_, err := generated(1, newMemory) // nothing to weave
	require.ErrorContains(t, err, "a store is not woven, not generated")
	_, err = generated(1, newMemory, container.Annotate[int]("Load"))
	require.Error(t, err, "int is no annotation")
}

func TestAMethodOfWideIsWovenForEachAnnotation(t *testing.T) {
	require.Equal(t, "Load", methods(1))
	require.Equal(t, "Load,Load2,Load3", methods(3))
	for _, from := range []source{generatedWide, runTimeWide} {
		_, err := from(1, newMemory, merged(1)...)
		require.NoError(t, err)
	}
}

// deaf is a store that does not do what it must.
type deaf struct{ err error }

func (d deaf) Load(context.Context, string) (string, error) { return "", d.err }

func TestAStoreThatAnswersWronglyIsAnError(t *testing.T) {
	down := errors.New("down")
	for _, x := range []struct {
		store Store
		want  error
	}{{deaf{}, errAnswer}, {deaf{down}, down}} {
		_, err := checked([]Store{x.store}, aspect.NoProxy)
		require.ErrorIs(t, err, x.want)

		op, err := calling([]Store{x.store}, nil)
		require.NoError(t, err)
		require.ErrorIs(t, op.Run(0, 1), x.want)

		op = crowd([]Store{newMemory(), x.store})
		require.ErrorIs(t, op.Run(0, 1), x.want)
		require.NoError(t, op.Done(1))
	}
}

// counted is a store that counts its calls.
type counted struct{ calls atomic.Int64 }

func (c *counted) Load(_ context.Context, key string) (string, error) {
	c.calls.Add(1)
	return key, nil
}

func TestEachGoroutineOfACrowdMakesItsCalls(t *testing.T) {
	alone, together := new(counted), new(counted)
	op := crowd([]Store{alone, together, together})
	require.NoError(t, op.Run(0, 1))
	require.NoError(t, op.Run(0, 2))
	require.NoError(t, op.Done(3))
	require.EqualValues(t, 3*burst, alone.calls.Load())
	require.EqualValues(t, 2*3*burst, together.calls.Load())
	require.Equal(t, 5.0, perCall(5*burst*3, 3))
}

func TestBuildersCallTheLastLink(t *testing.T) {
	for _, l := range builds(100).lines {
		for _, p := range l.points {
			op, err := p.new()
			require.NoError(t, err)
			require.NoError(t, op.Run(0, 3), l.name)
			require.NoError(t, op.Done(3), l.name)
			require.ErrorContains(t, op.Done(4), "4 builds ended in 3 calls")
		}
	}
}

func TestMoreThingsHoldMore(t *testing.T) {
	all, err := footprints(50, 4)
	require.NoError(t, err)
	for _, f := range all {
		require.Positive(t, f.idle, f.name)
		require.Less(t, f.left, f.idle, f.name)
	}
	require.Greater(t, named(all, "woven service, generated").idle, named(all, "service that is not woven").idle)
	require.Greater(t, named(all, allOfTen+"run-time").idle, named(all, oneOfTen+"run-time").idle)
	require.Panics(t, func() { named(all, "none") })
}

func TestTheTableSaysWhatIsMissing(t *testing.T) {
	f := family{name: "f", title: "F", x: "size", y: "time, ns"}
	run := func(int) (harness.Op, error) { return harness.Op{Run: func(int, int) error { return nil }}, nil }
	f.lines = []line{over([]int{1, 2}, line{name: "both"}, run), over([]int{1}, line{name: "one"}, run)}
	r, err := harness.Run(f.works(), harness.Config{Passes: 1, Time: 1000})
	require.NoError(t, err)
	var b strings.Builder
	writeFamily(&b, &f, r)
	require.Contains(t, b.String(), "\nIn ns:\n\n| size | both | one |\n|--:|--:|--:|\n| 1 | ")
	require.Regexp(t, `\n\| 2 \| [^|]+ \|  \|\n`, b.String())
}
