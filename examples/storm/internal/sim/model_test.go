package sim_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/backstay/backstay/examples/storm/internal/sim"
)

func TestWhatIsWrongWithAModelIsSaidWithARemedy(t *testing.T) {
	require.NoError(t, sim.Default().Check())
	for want, change := range map[string]func(*sim.Model){
		"0 clients are no fleet; write 1 to 10000":                                                            func(m *sim.Model) { m.Clients = 0 },
		"10001 clients are no fleet; write 1 to 10000":                                                        func(m *sim.Model) { m.Clients = 10_001 },
		"a capacity of 1000001 is more than there is room for; write 1000000 or less":                         func(m *sim.Model) { m.Capacity = 1_000_001 },
		"a rate of 0 makes no call; write 1 per second or more":                                               func(m *sim.Model) { m.Rate = 0 },
		"101 % of the requests cannot fail; write a share from 0 to 100":                                      func(m *sim.Model) { m.Failing = 101 },
		"-1 % of the requests cannot fail; write a share from 0 to 100":                                       func(m *sim.Model) { m.Failing = -1 },
		"a queue of 0 holds no request; write 1 or more":                                                      func(m *sim.Model) { m.Queue = 0 },
		"1.5s is not a whole number of seconds; write 1s or more, such as 30s":                                func(m *sim.Model) { m.Outage = 1500 * time.Millisecond },
		"0s is not a whole number of seconds; write 1s or more, such as 30s":                                  func(m *sim.Model) { m.After = 0 },
		"2500 calls per second are more than 2 clients can make; write 3 or more":                             func(m *sim.Model) { m.Clients, m.Rate, m.Capacity = 2, 2500, 9000 },
		"700 calls per second overload a capacity of 700; write 1000 or more":                                 func(m *sim.Model) { m.Capacity = 700 },
		"700 calls per second for 31m0s are more than a run can hold; write 524 or less, or a shorter outage": func(m *sim.Model) { m.Outage = 29 * time.Minute },
	} {
		m := sim.Default()
		change(&m)
		require.EqualError(t, m.Check(), want)
		synctest.Test(t, func(t *testing.T) {
			_, err := sim.Strategies()[0].Run(m)
			require.EqualError(t, err, want)
		})
	}
}

func TestAPartIsTheSameForEachClient(t *testing.T) {
	m := sim.Default()
	part := m.Part(10)
	require.Equal(t, []int{2, 70, 100, 200}, []int{part.Clients, part.Rate, part.Capacity, part.Queue})
	require.Equal(t, m.Length(), part.Length())

	m.Clients = 3
	part = m.Part(10)
	require.Equal(t, []int{1, 233, 333, 666}, []int{part.Clients, part.Rate, part.Capacity, part.Queue})

	m.Clients, m.Rate, m.Capacity, m.Queue = 20, 1, 2, 2
	require.NoError(t, m.Part(10).Check(), "however small it is")
}
