package harness_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/backstay/backstay/benchmarks/harness"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sleeps is a case whose operation takes d.
func sleeps(name string, d time.Duration) harness.Case {
	return harness.Case{Name: name, New: func() (harness.Op, error) {
		return harness.Op{Run: func(_, n int) error { time.Sleep(time.Duration(n) * d); return nil }}, nil
	}}
}

func TestFiguresArePerOperation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		works := []harness.Work{{Name: "w", Cases: []harness.Case{sleeps("slow", 6*time.Millisecond), sleeps("fast", 2*time.Millisecond)}}}
		r, err := harness.Run(works, harness.Config{Passes: 3, Time: time.Second})
		require.NoError(t, err)
		slow, fast := r.Of("w", "slow"), r.Of("w", "fast")
		require.InDelta(t, 6e6, slow.Nanos(), 1)
		require.InDelta(t, 6e6, slow.Min(), 1)
		require.InDelta(t, 3, harness.Ratio(slow, fast), 1e-6)
		require.InDelta(t, 4e6, harness.Difference(slow, fast), 1)
		require.Nil(t, r.Of("w", "nobody"))
	})
}

func TestRatiosArePairedByPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		// The machine becomes ten times slower after the second pass; the ratio stays.
		pass := 0
		drifting := func(name string, d time.Duration) harness.Case {
			return harness.Case{Name: name, New: func() (harness.Op, error) {
				if name == "a" {
					pass++
				}
				if pass > 2 {
					return sleeps(name, 10*d).New()
				}
				return sleeps(name, d).New()
			}}
		}
		works := []harness.Work{{Name: "w", Cases: []harness.Case{drifting("a", time.Millisecond)}}, {Name: "v", Cases: []harness.Case{drifting("b", 5*time.Millisecond)}}}
		r, err := harness.Run(works, harness.Config{Passes: 5, Time: time.Second})
		require.NoError(t, err)
		require.InDelta(t, 5, harness.Ratio(r.Of("v", "b"), r.Of("w", "a")), 1e-6)
		require.InDelta(t, 1e6, r.Of("w", "a").Min(), 1)
		require.InDelta(t, 1e7, r.Of("w", "a").Nanos(), 1)
	})
}

func TestWhoIsFirstRotates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var order strings.Builder
		listed := func(name string) harness.Case {
			return harness.Case{Name: name, New: func() (harness.Op, error) {
				order.WriteString(name)
				return sleeps(name, time.Millisecond).New()
			}}
		}
		var progress strings.Builder
		works := []harness.Work{{Name: "w", Cases: []harness.Case{listed("a"), listed("b"), listed("c")}}, {Name: "v", Cases: []harness.Case{listed("x")}}}
		_, err := harness.Run(works, harness.Config{Passes: 4, Time: 10 * time.Millisecond, Progress: &progress})
		require.NoError(t, err)
		require.Equal(t, "abcx"+"bcax"+"cabx"+"abcx", order.String())
		require.Equal(t, 4, strings.Count(progress.String(), "\n"))
		require.Contains(t, progress.String(), "pass 4 of 4: 4 measurements in ")
	})
}

func TestAllTheWorkOfAllWorkersIsTold(t *testing.T) {
	for _, parallel := range []bool{false, true} {
		t.Run(fmt.Sprintf("parallel %t", parallel), func(t *testing.T) {
			var mu sync.Mutex
			did, workers := 0, map[int]bool{}
			c := harness.Case{Name: "c", New: func() (harness.Op, error) {
				did = 0
				return harness.Op{
					Run: func(worker, n int) error {
						mu.Lock()
						defer mu.Unlock()
						did += n
						workers[worker] = true
						return nil
					},
					Done: func(n int) error {
						if n != did {
							return fmt.Errorf("told %d, did %d", n, did)
						}
						return nil
					},
				}, nil
			}}
			works := []harness.Work{{Name: "w", Parallel: parallel, Cases: []harness.Case{c}}}
			_, err := harness.Run(works, harness.Config{Passes: 3, Time: time.Millisecond})
			require.NoError(t, err)
			if parallel {
				require.Len(t, workers, runtime.GOMAXPROCS(0))
			} else {
				require.Equal(t, map[int]bool{0: true}, workers)
			}
		})
	}
}

func TestAllocationsAreCounted(t *testing.T) {
	var kept *[64]byte
	c := harness.Case{Name: "c", New: func() (harness.Op, error) {
		return harness.Op{Run: func(_, n int) error {
			for range n {
				kept = new([64]byte)
			}
			return nil
		}}, nil
	}}
	r, err := harness.Run([]harness.Work{{Name: "w", Cases: []harness.Case{c}}}, harness.Config{Passes: 2, Time: 5 * time.Millisecond})
	require.NoError(t, err)
	require.NotNil(t, kept)
	require.InDelta(t, 1, r.Of("w", "c").Allocs(), 0.1)
	require.InDelta(t, 64, r.Of("w", "c").Bytes(), 6)
}

func TestAContenderThatFailsIsNamed(t *testing.T) {
	boom := errors.New("boom")
	for _, c := range []struct {
		name string
		op   harness.Op
		err  error
		want string
	}{
		{"when it is set up", harness.Op{}, boom, "w: c: set up: boom"},
		{"when it runs", harness.Op{Run: func(int, int) error { return boom }}, nil, "w: c: boom"},
		{"when it is done", harness.Op{Run: func(int, int) error { return nil }, Done: func(int) error { return boom }}, nil, "w: c: boom"},
	} {
		t.Run(c.name, func(t *testing.T) {
			works := []harness.Work{{Name: "w", Cases: []harness.Case{{Name: "c", New: func() (harness.Op, error) { return c.op, c.err }}}}}
			_, err := harness.Run(works, harness.Config{Passes: 1, Time: time.Millisecond})
			require.EqualError(t, err, c.want)
			require.ErrorIs(t, err, boom)
		})
	}
}

func TestTheFastestContenderIsWrittenFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		works := []harness.Work{{Name: "work", About: "About it.", Reference: "ours", Cases: []harness.Case{
			sleeps("theirs", 1500*time.Microsecond), sleeps("ours", time.Millisecond), sleeps("bare", 100*time.Microsecond),
		}}}
		r, err := harness.Run(works, harness.Config{Passes: 1, Time: 5 * time.Second})
		require.NoError(t, err)
		var out strings.Builder
		r.Write(&out)
		lines := strings.Split(out.String(), "\n")
		require.Equal(t, []string{"", "### work", "", "About it.", "", "| contender | ns, median | ns, least | B/op | allocs/op | times the bold one |", "|---|--:|--:|--:|--:|--:|"}, lines[:7])
		for i, want := range []string{`\| bare \| 100,000 \| 100,000 \| .* \| 0.10 \|`, `\| \*\*ours\*\* \| 1,000,000 \| .* \| 1 \|`, `\| theirs \| 1,500,000 \| .* \| 1.50 \|`} {
			require.Regexp(t, "^"+want+"$", lines[7+i])
		}
	})
}

func TestNumbers(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 0.00144: "0.0014", 0.09: "0.09", 0.456: "0.46", 9.994: "9.99", 9.996: "10.0", 12.34: "12.3", 99.96: "100", 1234.5: "1,234", 1234567: "1,234,567", -12.34: "-12.3", -1234: "-1,234",
	} {
		require.Equal(t, want, harness.Number(x), "%v", x)
	}
}

func TestMedian(t *testing.T) {
	require.Equal(t, 2.0, harness.Median([]float64{9, 1, 2}))
	require.Equal(t, 3.0, harness.Median([]float64{9, 1, 2, 4}))
	require.Equal(t, 7.0, harness.Median([]float64{7}))
}
