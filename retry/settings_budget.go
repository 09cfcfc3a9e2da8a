package retry

import (
	"fmt"
	"math"
	"time"
)

// BudgetSettings bound what retries may add to the traffic. In any window of TTL (to a tenth of it) the retries that
// sessions pay for are at most Percent of the sessions admitted in it; what they cannot pay is paid by a reserve. A
// retry that neither can pay is refused, and the session is exhausted.
//
// In code the struct is complete: a zero is a zero, not a default. Percent 0 leaves the reserve alone to pay; Percent 0
// and MinPerSec 0 means never retry. The attribute's defaults are a TTL of 10 s, MinPerSec 1 and Percent 0.2.
type BudgetSettings struct {
	// TTL is the length of the window: 1 ms to 1 h.
	TTL time.Duration `json:"ttlNanoseconds"`
	// MinPerSec is how many retries per second the reserve earns: 0 to 1,000,000, to a thousandth. The reserve holds up
	// to a TTL's worth and is full at the start, so a method with little traffic can retry too. A fleet retries up to
	// MinPerSec times its size; for small clients a fraction such as 0.1 is right.
	MinPerSec float64 `json:"minPerSec"`
	// Percent is how many retries a session pays for, from 0 to 10, to a thousandth: 0.2 is one retry for five
	// sessions, at most.
	Percent float64 `json:"percent"`
	// Deposit says which sessions pay in. The zero value is DepositCall.
	Deposit Deposit `json:"deposit,omitempty"`
}

// Deposit says which sessions pay into a budget.
type Deposit string

const (
	// DepositCall lets every admitted session pay in, when it starts.
	DepositCall Deposit = "call"
	// DepositSuccess lets only those sessions pay in that end in success, when they end. In an outage nothing is paid
	// in, so that soon only the reserve retries.
	DepositSuccess Deposit = "success"
)

const (
	minBudgetTTL = time.Millisecond
	maxBudgetTTL = time.Hour
	maxMinPerSec = 1e6
	maxPercent   = 10
	// smallestShare is half a thousandth; anything below would be rounded to nothing without a word.
	smallestShare = 0.0005
)

// check tells what is wrong with the settings, each problem with what to write instead. No problems, nil.
func (s BudgetSettings) check() []string {
	var problems []string
	report := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }

	switch {
	case subMicrosecond(s.TTL):
		report("budget ttl %d is %v; write %[1]d*time.Second", int64(s.TTL), s.TTL)
	case s.TTL < minBudgetTTL || s.TTL > maxBudgetTTL:
		report("budget ttl %v is out of range; write 1ms to 1h, such as 10s", s.TTL)
	}

	switch {
	case !(s.MinPerSec >= 0 && s.MinPerSec <= maxMinPerSec): // also NaN
		report("budget minPerSec %v is out of range; write the retries per second that need no traffic, 0 to 1000000", s.MinPerSec)
	case s.MinPerSec > 0 && s.MinPerSec < smallestShare:
		report("budget minPerSec %v is below a thousandth; write 0.001 or more, or 0 for no reserve", s.MinPerSec)
	}

	switch {
	case s.Percent > maxPercent && s.Percent <= 100:
		report("budget percent %v is out of range; write retries per session, 0 to 10: %.6g for %[1]v %%", s.Percent, s.Percent/100)
	case !(s.Percent >= 0 && s.Percent <= maxPercent): // also NaN
		report("budget percent %v is out of range; write retries per session, 0 to 10, such as 0.2", s.Percent)
	case s.Percent > 0 && s.Percent < smallestShare:
		report("budget percent %v is below a thousandth; write 0.001 or more, or 0 for the reserve alone", s.Percent)
	}

	switch s.Deposit {
	case "", DepositCall, DepositSuccess:
	default:
		report("budget deposit %q is unknown; write %q or %q", s.Deposit, DepositCall, DepositSuccess)
	}

	// Only where the rest is sound: with percent, sessions pay what such a reserve lacks.
	if problems == nil && s.Percent == 0 && s.MinPerSec > 0 && s.reserveSize() < retryCost {
		report("budget reserve of %v per second for %v never holds a whole retry; raise minPerSec or ttl, or set percent", s.MinPerSec, s.TTL)
	}
	return problems
}

// reserveRate is what the reserve earns, in thousandths of a retry per second.
func (s BudgetSettings) reserveRate() uint64 { return thousandths(s.MinPerSec) }

// reserveSize is what the reserve holds when full, in thousandths of a retry.
func (s BudgetSettings) reserveSize() uint64 {
	r := reserve{rate: s.reserveRate(), size: math.MaxUint64}
	r.fill(uint64(s.TTL))
	return r.have
}

// thousandths is f in thousandths, rounded to the nearest: 0.3 is 300, which no binary fraction is.
func thousandths(f float64) uint64 { return uint64(math.Round(f * 1000)) }
