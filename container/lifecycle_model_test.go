package container_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/backstay/backstay/container"
)

// member is a service of a random graph.
type member struct {
	*society
	number int
	lazies []container.Lazy[*member]
}

// society is what the members of a random graph do. Each of them checks that it is started and stopped at the right time.
type society struct {
	needs   [][]int // by member
	fails   []bool  // its Start does
	refuses []bool  // its Stop does

	mu       sync.Mutex
	state    []string // by member: "", "started", "failed", "stopped"
	problems []string
}

func drawSociety(t *rapid.T) *society {
	n := rapid.IntRange(1, 10).Draw(t, "members")
	s := &society{state: make([]string, n)}
	for i := range n {
		var needs []int
		for d := range i {
			if rapid.Bool().Draw(t, "needs") {
				needs = append(needs, d)
			}
		}
		s.needs = append(s.needs, needs)
		s.fails = append(s.fails, rapid.IntRange(0, 9).Draw(t, "fails") == 0)
		s.refuses = append(s.refuses, rapid.IntRange(0, 4).Draw(t, "refuses") == 0)
	}
	return s
}

// container provides the members, each under a name, in a random order of registration. What a member needs it takes by
// name, as it is or as a Lazy.
func (s *society) container(t *rapid.T) *container.Container {
	c := container.New()
	order := make([]int, len(s.needs))
	for i := range order {
		order[i] = i
	}
	for _, i := range rapid.Permutation(order).Draw(t, "order") {
		fields := []reflect.StructField{{Name: "In", Type: reflect.TypeFor[container.In](), Anonymous: true}}
		for _, d := range s.needs[i] {
			f := reflect.StructField{Name: fmt.Sprint("N", d), Type: reflect.TypeFor[*member](), Tag: reflect.StructTag(fmt.Sprintf(`name:"m%d"`, d))}
			if rapid.IntRange(0, 3).Draw(t, "lazy") == 0 {
				f.Type = reflect.TypeFor[container.Lazy[*member]]()
			}
			fields = append(fields, f)
		}
		constructor := reflect.FuncOf([]reflect.Type{reflect.StructOf(fields)}, []reflect.Type{reflect.TypeFor[*member]()}, false)
		c.Provide(reflect.MakeFunc(constructor, func(args []reflect.Value) []reflect.Value {
			m := &member{society: s, number: i}
			for f := range args[0].NumField() {
				if l, ok := args[0].Field(f).Interface().(container.Lazy[*member]); ok {
					m.lazies = append(m.lazies, l)
				}
			}
			return []reflect.Value{reflect.ValueOf(m)}
		}).Interface(), container.Name(fmt.Sprint("m", i)))
	}
	return c
}

// Start checks that what the member needs is started. What it takes lazily it can get.
func (m *member) Start(context.Context) error {
	for _, l := range m.lazies {
		if _, err := l.Get(); err != nil {
			return err
		}
	}
	runtime.Gosched()
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range m.needs[m.number] {
		if m.state[d] != "started" {
			m.problems = append(m.problems, fmt.Sprintf("%d is started, and %d, which it needs, is %q", m.number, d, m.state[d]))
		}
	}
	if m.state[m.number] != "" {
		m.problems = append(m.problems, fmt.Sprintf("%d is started, and was %q", m.number, m.state[m.number]))
	}
	if m.fails[m.number] {
		m.state[m.number] = "failed"
		return errDown
	}
	m.state[m.number] = "started"
	return nil
}

// Stop checks that nobody who needs the member is still there.
func (m *member) Stop(context.Context) error {
	runtime.Gosched()
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, needs := range m.needs {
		for _, d := range needs {
			if d == m.number && m.state[i] == "started" {
				m.problems = append(m.problems, fmt.Sprintf("%d is stopped before %d, which needs it", m.number, i))
			}
		}
	}
	if m.state[m.number] != "started" {
		m.problems = append(m.problems, fmt.Sprintf("%d is stopped, and was %q", m.number, m.state[m.number]))
	}
	m.state[m.number] = "stopped"
	if m.refuses[m.number] {
		return errBroken
	}
	return nil
}

// Whatever the graph: all is started after what it needs and stopped before, also when something fails.
func TestEveryServiceIsStartedAfterWhatItNeedsAndStoppedBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSociety(t)
		c := s.container(t)
		startErr := c.Start(context.Background())
		failed := false
		for i, state := range s.state {
			switch state {
			case "failed":
				failed = true
			case "started":
				require.NoError(t, startErr, "%d is left as it is", i)
			}
		}
		if failed {
			require.ErrorIs(t, startErr, errDown)
			require.Equal(t, container.StateFailed, c.State())
		} else {
			require.NoError(t, startErr)
			for _, state := range s.state {
				require.Equal(t, "started", state)
			}
		}
		stopErr := c.Stop(context.Background())
		refused := false
		for i, state := range s.state {
			if !failed {
				require.Equal(t, "stopped", state)
			}
			refused = refused || state == "stopped" && s.refuses[i]
		}
		switch {
		case failed:
			require.NoError(t, stopErr)
			require.Equal(t, refused, errors.Is(startErr, errBroken), "what was stopped after the failure tells its errors")
		case refused:
			require.ErrorIs(t, stopErr, errBroken)
		default:
			require.NoError(t, stopErr)
		}
		require.Empty(t, s.problems)
	})
}
