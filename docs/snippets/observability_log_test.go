package snippets_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/container"
	"github.com/backstay/backstay/eventlog"
)

// nightLog writes times in UTC, and short numbers for sessions: the numbers of a run are others each time.
func nightLog(level slog.Level) (*slog.Logger, *bytes.Buffer) {
	var out bytes.Buffer
	numbers := map[uint64]int{}
	return slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: level, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		switch a.Key {
		case slog.TimeKey:
			return slog.String(a.Key, a.Value.Time().UTC().Format("15:04:05.000"))
		case "session":
			id := a.Value.Uint64()
			if numbers[id] == 0 {
				numbers[id] = len(numbers) + 1
			}
			return slog.Int(a.Key, numbers[id])
		}
		return a
	}})), &out
}

func TestALogOfTheNight(t *testing.T) {
	inTheNight(t, func(t *testing.T) {
		logger, out := nightLog(slog.LevelInfo)

		c := container.New(container.WithListener(eventlog.New(logger)))

		theNight(t, c, wireCards(c), func() {})
		requireShown(t, "text", out.String())
	})
}

func TestEverythingOfOneCallIsWrittenAtTheLevelOfDebugging(t *testing.T) {
	inTheNight(t, func(t *testing.T) {
		logger, out := nightLog(slog.LevelDebug)
		c := container.New(container.WithListener(eventlog.New(logger)))
		wireCards(c).err = errUnavailable
		charge(t, c, "41")
		requireShown(t, "text", out.String())
	})
}

func TestSamplingInAnOutage(t *testing.T) {
	inTheNight(t, func(t *testing.T) {
		logger, out := nightLog(slog.LevelInfo)

		log := eventlog.New(logger, eventlog.WithSampling(2, time.Minute)) // of each kind and method

		c := container.New(container.WithListener(log))
		wireCards(c).err = errUnavailable
		for i := range 50 {
			charge(t, c, fmt.Sprint(i))
		}
		require.Equal(t, 2, bytes.Count(out.Bytes(), []byte("call rejected")), out.String())
	})
}
