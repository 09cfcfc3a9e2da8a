package main

import (
	"fmt"
	"strings"

	"github.com/backstay/backstay/retry"
)

// amplified is the line that tells what an order cost the peer in the outage, or what an open breaker kept from it: hardly an
// order reaches the peer then, so that attempts by order would say little.
func (r report) amplified() string {
	if !r.naive && !r.onlyCounts() {
		return fmt.Sprintf("outage: %d attempts reached the peer, for %d orders; the breaker sent %d orders to the fallback",
			r.stats.Outage.Attempts, r.stats.Outage.Orders, r.counts.Fallbacks[retry.CircuitBreaker.Kind()])
	}
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
	if n := r.rounds.unproven; n > 0 {
		return fmt.Sprintf("%d of %d rounds are not proven; the first says: %s", n, r.rounds.n, r.rounds.doubt)
	}
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
		what string
		culprits
	}{
		{"lost", a.lost}, {"charged twice", a.twice}, {"charged though refused", a.chargedRefused},
	} {
		if p.n > 0 {
			wrong = append(wrong, fmt.Sprintf("%d %s (%v)", p.n, p.what, p.culprits))
		}
	}
	line := "FALSE: of the orders, " + strings.Join(wrong, ", ")
	if r.first != nil {
		line += fmt.Sprintf("; the first error: %v", r.first)
	}
	return line
}

// comparison says how to see the other half of it.
func (r report) comparison() string {
	if r.naive {
		return "compare with the budget:       go run ./examples/service -faults outage"
	}
	if !r.onlyCounts() {
		return "compare with the budget alone: go run ./examples/service -faults outage"
	}
	return "compare with plain retries:    go run ./examples/service -faults outage -naive"
}
