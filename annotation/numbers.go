package annotation

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/backstay/backstay/retry"
)

var (
	// attempts are numbers of attempts: 1 or more, or retry.Unlimited.
	attempts = domain[int]{parse: parseAttempts, check: checkAttempts, same: equal[int], show: showAttempts}

	// counts and numbers have no range of their own: what makes sense depends on the other settings of their group.
	counts  = domain[int]{parse: parseCount, same: equal[int], show: strconv.Itoa}
	numbers = domain[float64]{parse: parseFloat, same: equal[float64], show: showFloat}

	flags = domain[bool]{parse: parseBool, same: equal[bool], show: strconv.FormatBool}

	// shared are the names that budgets and breakers are shared by.
	shared = domain[string]{parse: func(s string) (string, *flaw) { return s, nil }, check: checkShared, same: equal[string], show: strconv.Quote}
)

func checkShared(name string) *flaw {
	if strings.TrimSpace(name) == "" {
		return &flaw{problem: "without a name nothing is shared", advice: "a name, or leave it out"}
	}
	return nil
}

const unlimited = "unlimited" // retry.Unlimited in a tag

func parseAttempts(text string) (int, *flaw) {
	if text == unlimited {
		return retry.Unlimited, nil
	}
	n, fl := parseCount(text)
	if fl == nil && n == retry.Unlimited {
		return 0, &flaw{problem: "it is below 1", tag: unlimited}
	}
	return n, fl
}

func checkAttempts(n int) *flaw {
	if n >= 1 || n == retry.Unlimited {
		return nil
	}
	return &flaw{problem: "attempts are counted from 1, the first call included", advice: `1 or more, or retry.Unlimited ("unlimited" in a tag)`}
}

func showAttempts(n int) string {
	if n == retry.Unlimited {
		return unlimited
	}
	return strconv.Itoa(n)
}

func parseCount(text string) (int, *flaw) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, &flaw{problem: fmt.Sprintf("%q is no whole number", text), advice: "digits, such as in 3"}
	}
	return n, nil
}

func parseFloat(text string) (float64, *flaw) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, &flaw{problem: fmt.Sprintf("%q is no number", text), advice: "digits, such as in 0.2"}
	}
	return x, nil
}

func showFloat(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func parseBool(text string) (bool, *flaw) {
	switch text {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, &flaw{problem: fmt.Sprintf("%q is neither true nor false", text), advice: "true or false"}
}
