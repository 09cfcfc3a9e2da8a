package annotation

import (
	"fmt"
	"strconv"
	"time"

	"github.com/backstay/backstay/retry"
)

// window is how much a breaker looks at: calls, or time. In a tag both are written under one key.
type window struct {
	calls int
	time  time.Duration
}

var (
	windows = domain[window]{parse: parseWindow, check: func(w window) *flaw { return checkWait(w.time) }, same: equal[window], show: showWindow}

	deposits = domain[retry.Deposit]{parse: parseDeposit, same: equal[retry.Deposit], show: func(d retry.Deposit) string { return strconv.Quote(string(d)) }}
)

func parseWindow(text string) (window, *flaw) {
	if n, err := strconv.Atoi(text); err == nil {
		return window{calls: n}, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return window{}, &flaw{problem: fmt.Sprintf("%q is neither a number of calls nor a duration", text), advice: "calls, such as 50, or time, such as 10s"}
	}
	return window{time: d}, nil
}

func showWindow(w window) string {
	switch {
	case w.calls != 0 && w.time != 0:
		return fmt.Sprintf("%d and %v", w.calls, w.time)
	case w.time != 0:
		return w.time.String()
	}
	return strconv.Itoa(w.calls)
}

func keepWindow(d *MethodDefinition, w window, _ Origin) {
	d.Settings.Breaker.Window, d.Settings.Breaker.WindowTime = w.calls, w.time
}

func tellWindow(d *MethodDefinition) string {
	return showWindow(window{d.Settings.Breaker.Window, d.Settings.Breaker.WindowTime})
}

func parseDeposit(text string) (retry.Deposit, *flaw) {
	switch d := retry.Deposit(text); d {
	case retry.DepositCall, retry.DepositSuccess:
		return d, nil
	}
	return "", &flaw{problem: fmt.Sprintf("%q is no deposit", text), advice: "call or success"}
}
