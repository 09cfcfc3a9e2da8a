package sim

import (
	"fmt"
	"time"
)

// What does not vary between runs; the package comment tells what each is for.
const (
	patience     = time.Second
	attempts     = 4
	firstWait    = 100 * time.Millisecond
	serviceTime  = 50 * time.Millisecond
	crowding     = 4  // a full queue adds a fourth of the work
	refusalShare = 50 // a refusal costs a fiftieth of the work
	badLuck      = 1  // percent

	// tail is how long calls go on to come after what is counted, so that its last calls meet what all others meet.
	tail = 10 * time.Second
)

// What a run can hold.
const (
	mostCalls    = int(tick) - 1 // each has a nanosecond of its own in each tick
	mostClients  = 10_000
	mostCapacity = 1_000_000
)

// Model says what is simulated. All of it has to be set; [Default] is a start.
type Model struct {
	Seed     uint64
	Clients  int
	Rate     int // calls per second, of all clients
	Capacity int // requests per second
	Queue    int // requests that may wait at the peer
	Failing  int // percent of the requests that the outage fails

	// Before, Outage and After are the three parts of a run, in whole seconds.
	Before, Outage, After time.Duration
}

// Default is the model of the pictures: the peer is loaded to 70 % of its capacity.
func Default() Model {
	return Model{
		Seed:     1,
		Clients:  20,
		Rate:     700,
		Capacity: 1000,
		Queue:    2 * 1000,
		Failing:  100,
		Before:   30 * time.Second,
		Outage:   30 * time.Second,
		After:    90 * time.Second,
	}
}

// Check says what is wrong with the model, and what to do.
func (m Model) Check() error {
	switch {
	case m.Clients < 1 || m.Clients > mostClients:
		return fmt.Errorf("%d clients are no fleet; write 1 to %d", m.Clients, mostClients)
	case m.Capacity > mostCapacity:
		return fmt.Errorf("a capacity of %d is more than there is room for; write %d or less", m.Capacity, mostCapacity)
	case m.Rate < 1:
		return fmt.Errorf("a rate of %d makes no call; write 1 per second or more", m.Rate)
	case m.Rate >= m.Capacity:
		return fmt.Errorf("%d calls per second overload a capacity of %d; write %d or more", m.Rate, m.Capacity, (m.Rate*10+6)/7)
	case m.Rate > m.Clients*ticksPerSecond:
		return fmt.Errorf("%d calls per second are more than %d clients can make; write %d or more", m.Rate, m.Clients, (m.Rate+ticksPerSecond-1)/ticksPerSecond)
	case m.Failing < 0 || m.Failing > 100:
		return fmt.Errorf("%d %% of the requests cannot fail; write a share from 0 to 100", m.Failing)
	case m.Queue < 1:
		return fmt.Errorf("a queue of %d holds no request; write 1 or more", m.Queue)
	}
	for _, part := range []time.Duration{m.Before, m.Outage, m.After} {
		if part < time.Second || part%time.Second != 0 {
			return fmt.Errorf("%v is not a whole number of seconds; write 1s or more, such as 30s", part)
		}
	}
	// The calls are drawn, so there may be a few more than the rate says.
	seconds := (m.Length() + tail).Seconds() * 1.02
	if float64(m.Rate)*seconds > float64(mostCalls) {
		return fmt.Errorf("%d calls per second for %v are more than a run can hold; write %d or less, or a shorter outage", m.Rate, m.Length(), int(float64(mostCalls)/seconds))
	}
	return nil
}

// Length is the time in which calls are counted.
func (m Model) Length() time.Duration { return m.Before + m.Outage + m.After }

// outageEnd is when the peer is well again.
func (m Model) outageEnd() time.Duration { return m.Before + m.Outage }

// Part is a fleet that is so many times smaller, with at least one client, calling a peer that is as much smaller: each
// client and each request meet the same as in the whole.
func (m Model) Part(of int) Model {
	part := m
	part.Clients = max(m.Clients/of, 1)
	share := func(n int) int { return max(n*part.Clients/m.Clients, 1) }
	part.Rate, part.Queue = share(m.Rate), share(m.Queue)
	part.Capacity = max(share(m.Capacity), part.Rate+1)
	return part
}
