package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/backstay/backstay/examples/storm/internal/sim"
)

// reading explains the tables. It is true of every model.
const reading = `How to read this. Requests per call are counted during the outage, and in all; the peak is the peer's
busiest second; recovered is when, after the outage, 95 % of each second's calls are answered for good.
Lost are calls without an answer: before the outage those of bad luck, and in all also those that a
breaker refused at once, without an attempt.

A storm outlives its cause. While the peer fails, each call becomes as many requests as it may make
attempts. If that is more than the peer can serve, its queue grows until answers come later than callers
wait for them. Then callers give up and send new requests, the peer works for those that have gone, and
nothing is answered because of the load, which stays because nothing is answered. Backoff and jitter
spread the retries; where new callers go on arriving, they take none away. A budget does: retries are
about a fifth of the calls, enough to make good what goes wrong on a good day, and too few for a storm. A
breaker keeps the calls themselves away, also those that would be answered, until its reset timeout of
10 s has passed. Layers that all retry multiply: three of three attempts make 27. Rule 15, retries happen
at one layer, makes that three, and a budget bounds it.
`

const heading = `                              requests per call       peak   recovered           calls lost      refused
                             in outage   in all   requests                     all    before     at once
`

// question says what is simulated.
func question(m sim.Model) string {
	return fmt.Sprintf("%s and %s a second, a peer that can serve %s. For %s it fails %d %% of its requests. Seed %d.\n",
		plural(m.Clients, "client"), plural(m.Rate, "call"), count(m.Capacity), inSeconds(m.Outage), m.Failing, m.Seed)
}

// answer is the tables, and how to read them.
func (f findings) answer() string {
	var b strings.Builder
	b.WriteString("\n")
	table(&b, f.strategies)
	part := f.model.Part(layersPart)
	fmt.Fprintf(&b, "\nThe same below three layers, each of which makes up to 3 attempts of the next:\n%s and %s a second, a peer that can serve %s.\n\n",
		plural(part.Clients, "client"), plural(part.Rate, "call"), count(part.Capacity))
	table(&b, f.layers)
	b.WriteString("\n" + reading)
	return b.String()
}

func table(b *strings.Builder, records []*sim.Record) {
	b.WriteString(heading)
	for _, r := range records {
		fmt.Fprintf(b, "%-26s %11.2f %8.2f %10s   %-14s %9s %9s %11s\n", r.Strategy,
			r.AmplificationInOutage(), r.Amplification(), count(r.PeakLoad()), recovery(r),
			count(r.Lost()), count(r.LostBefore()), count(r.Refused))
	}
}

// recovery tells how long after the outage it took until calls were answered again.
func recovery(r *sim.Record) string {
	after, recovered := r.Recovery()
	switch {
	case !recovered:
		return "not in " + inSeconds(r.Model.After)
	case after == 0:
		return "at once"
	}
	return "after " + inSeconds(after)
}

func inSeconds(d time.Duration) string { return count(int(d.Seconds())) + " s" }

// count writes n with commas between thousands.
func count(n int) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return count(n) + " " + what
}
