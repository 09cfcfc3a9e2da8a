package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/service/internal/shop"
	"github.com/backstay/backstay/retry"
)

// lines returns 1, 2, 3 ... one more each time.
func lines() func() string {
	n := 0
	return func() string { n++; return fmt.Sprint(n) }
}

func TestPipedProgressIsPlainLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		s := newScreen(&out)
		end := s.follow(lines())
		time.Sleep(2500 * time.Millisecond)
		_, err := fmt.Fprintln(s.beside(&out), "a log line")
		require.NoError(t, err)
		end()
		require.Equal(t, "1\n2\na log line\n3\n", out.String())
	})
}

func TestProgressOnATerminalIsOneLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		s := &screen{out: &out, live: true, every: time.Second}
		end := s.follow(lines())
		time.Sleep(2500 * time.Millisecond)
		s.say("a line that %s", "stays")
		end()
		s.leave()
		s.leave()
		s.say("the end")
		const e = eraseLine
		require.Equal(t, e+"1"+e+"2"+e+"a line that stays\n2"+e+"3\nthe end\n", out.String())
	})
}

func TestFileIsNoTerminal(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "")
	require.NoError(t, err)
	defer f.Close()
	require.False(t, newScreen(f).live)
}

func TestProgressFitsATerminal(t *testing.T) {
	n := [failed + 1]int{waiting: 1000, inHand: 1000, paidByCard: 7000, paidByInvoice: 500, refused: 500}
	require.Equal(t, "599.0s   9000/10000  card 7000  invoice 500  refused 500  in hand 1000",
		progress(599*time.Second, n, shop.Counts{Breaker: retry.BreakerClosed}))
	line := progress(599*time.Second, n, shop.Counts{Breaker: retry.BreakerHalfOpen})
	require.True(t, strings.HasSuffix(line, "  breaker half-open"), line)
	require.LessOrEqual(t, len(line), 90)
}
