package wiring_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/backstay/backstay/benchmarks/wiring"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEveryContainerBuildsTheWholeChain(t *testing.T) {
	for _, c := range wiring.Contenders() {
		t.Run(c.Name, func(t *testing.T) { require.NoError(t, c.Check()) })
	}
}

func TestAChainThatIsWovenOtherwiseIsFound(t *testing.T) {
	c := wiring.Contenders()[0]
	c.Woven++
	require.EqualError(t, c.Check(), "100 services are woven, want 101")
}

func TestWhatIsTimedWorks(t *testing.T) {
	for _, w := range wiring.Works() {
		for _, c := range w.Cases {
			t.Run(w.Name+"/"+c.Name, func(t *testing.T) {
				op, err := c.New()
				require.NoError(t, err)
				require.NoError(t, op.Run(0, 2))
			})
		}
	}
}

func TestAClosedScopeKeepsNothing(t *testing.T) {
	kept, err := wiring.Retained(10_000)
	require.NoError(t, err)
	require.Less(t, kept, 8.0, "bytes per scope")
}

func BenchmarkWiring(b *testing.B) {
	for _, w := range wiring.Works() {
		b.Run(w.Name, func(b *testing.B) {
			for _, c := range w.Cases {
				b.Run(c.Name, func(b *testing.B) {
					op, err := c.New()
					require.NoError(b, err)
					b.ReportAllocs()
					b.ResetTimer()
					require.NoError(b, op.Run(0, b.N))
				})
			}
		})
	}
}
