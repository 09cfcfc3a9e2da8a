package annotation

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// waits are durations that may be zero; spans may not, and nor may lengths, whose group knows better what to write for a
// zero. Below a microsecond all are numbers without their unit.
var (
	waits = domain[time.Duration]{parse: parseDuration, check: checkWait, same: equal[time.Duration], show: time.Duration.String}
	spans = domain[time.Duration]{parse: parseDuration, check: checkSpan, same: equal[time.Duration], show: time.Duration.String}

	lengths = domain[time.Duration]{parse: parseDuration, check: checkLength, same: equal[time.Duration], show: time.Duration.String}
)

const belowZero = "it is below zero"

func equal[T comparable](a, b T) bool { return a == b }

func parseDuration(text string) (time.Duration, *flaw) {
	d, err := time.ParseDuration(text)
	if err == nil {
		return d, nil
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(x) && !math.IsInf(x, 0) {
		return 0, &flaw{problem: text + " has no unit", tag: text + "ms", advice: "a unit, such as in 100ms"}
	}
	return 0, &flaw{problem: fmt.Sprintf("%q is no duration", text), advice: "a number and its unit, such as 100ms"}
}

func checkWait(d time.Duration) *flaw {
	switch {
	case d < 0:
		return &flaw{problem: belowZero, advice: "0 or more"}
	case d > 0 && d < time.Microsecond:
		return &flaw{
			problem: fmt.Sprintf("%d is %v", int64(d), d),
			code:    fmt.Sprintf("%d*time.Millisecond", int64(d)),
			tag:     fmt.Sprintf("%dms", int64(d)),
		}
	}
	return nil
}

func checkSpan(d time.Duration) *flaw {
	const advice = "how long it may take, or leave it out"
	switch {
	case d < 0:
		return &flaw{problem: belowZero, advice: advice}
	case d == 0:
		return &flaw{problem: "there is no time at all", advice: advice}
	}
	return checkWait(d)
}

func checkLength(d time.Duration) *flaw {
	if d < 0 {
		return &flaw{problem: belowZero, advice: "more than 0, such as 10s"}
	}
	return checkWait(d)
}
