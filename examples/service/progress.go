package main

import (
	"fmt"
	"time"

	"github.com/backstay/backstay/retry"

	"github.com/backstay/backstay/examples/service/internal/shop"
)

// progress is one line, narrower than a terminal, of how far the orders have come.
func progress(elapsed time.Duration, n [failed + 1]int, c shop.Counts) string {
	total := 0
	for _, count := range n {
		total += count
	}
	line := fmt.Sprintf("%5.1fs  %*d/%d  card %d  invoice %d  refused %d  in hand %d",
		elapsed.Seconds(), len(fmt.Sprint(total)), total-n[waiting], total,
		n[paidByCard], n[paidByInvoice], n[refused], n[inHand])
	switch c.Breaker {
	case retry.BreakerOpen, retry.BreakerHalfOpen, retry.BreakerForceOpen:
		line += fmt.Sprintf("  breaker %s", c.Breaker)
	}
	return line
}
