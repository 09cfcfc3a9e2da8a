package main

import (
	"fmt"
	"strings"
)

// amplified is the line that tells what an order cost the peer in the outage.
func (r report) amplified() string {
	x, ok := r.amplification()
	if !ok {
		return "amplification: none, no order began in the outage"
	}
	o := r.stats.Outage
	bound := "plain retries would come near %d"
	if r.naive {
		bound = "%d is all that one order may cost"
	}
	return fmt.Sprintf("amplification: %.2f   %d attempts for %d orders in the outage; "+bound,
		x, o.Attempts, o.Orders, r.pace.Attempts)
}

// proof is the line that says whether all is well.
func (r report) proof() string {
	if r.err != nil {
		return fmt.Sprintf("NOT PROVEN: the peer cannot be asked what it has charged: %v", r.err)
	}
	a := r.audit
	if a.clean() {
		return fmt.Sprintf("ok: no order was lost and none was charged twice (%d in the peer's ledger, %d in the offline queue)",
			a.online, a.invoiced)
	}
	var wrong []string
	for _, p := range []struct {
		what    string
		numbers []string
	}{
		{"lost", a.lost}, {"charged twice", a.twice}, {"charged though refused", a.chargedRefused},
	} {
		if len(p.numbers) > 0 {
			wrong = append(wrong, fmt.Sprintf("%d %s (%s)", len(p.numbers), p.what, few(p.numbers)))
		}
	}
	line := "FALSE: of the orders, " + strings.Join(wrong, ", ")
	if r.first != nil {
		line += fmt.Sprintf("; the first error: %v", r.first)
	}
	return line
}

// few lists the first few of numbers.
func few(numbers []string) string {
	if len(numbers) > 3 {
		return strings.Join(numbers[:3], " ") + " ..."
	}
	return strings.Join(numbers, " ")
}

// comparison says how to see the other half of it.
func (r report) comparison() string {
	if r.naive {
		return "compare with the budget:       go run ./examples/service -faults outage"
	}
	return "compare with plain retries:    go run ./examples/service -faults outage -naive"
}
