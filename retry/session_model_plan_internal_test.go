package retry

import (
	"time"

	"pgregory.net/rapid"
)

// A modelPlan is a small world - methods that share budgets and breakers, and call one another - and what happens in it,
// step by step. All of it is drawn before anything runs.
type modelPlan struct {
	Clock    time.Duration // the reading at the start
	Budgets  []BudgetSettings
	Breakers []BreakerSettings
	Percents []int // of the breakers' ratios
	Methods  []modelMethod
	Steps    []modelStep
}

// modelMethod is a method and all that is declared for it. Times are in seconds.
type modelMethod struct {
	Policies      []modelPolicy
	MaxDelay      int
	Retry, Ignore []string // names of errors; "any", "nothing"
	IfError       string   // the error that the predicate is for
	IfZero        bool     // the result 0 is worth a retry
	VetoAt        int      // the attempt after which OnlyIf forbids; 0: never
	HookFailsAt   int      // the attempt after which BeforeRetry fails; 0: never
	HookPanicsAt  int
	Hint          int
	Panics        bool // RetryPanics
	Nested        bool // RetryNested
	Wrap          bool // WrapExhausted
	NoError       bool // it has no error result
	Fallback      string
	Single        bool     // its sessions say AttemptOnce
	Calls         []int    // the methods that its body calls, in turn; none: an attempt ends when a step says so
	CallsOnce     bool     // ... under retry.Once
	Passes        []string // what its body makes of their errors, attempt by attempt
	Heeds         bool     // its attempt ends when its context does
}

// modelPolicy is a policy of a method; what N means depends on the kind.
type modelPolicy struct {
	Kind string
	N    int
}

// modelStep is one thing that happens.
type modelStep struct {
	Op      string
	A, B, C int
}

func (m modelMethod) has(kind string) bool {
	for _, p := range m.Policies {
		if p.Kind == kind {
			return true
		}
	}
	return false
}

func modelName(method int) string { return string(rune('A' + method)) }

// attemptTimeout is in whole seconds and a bit that no other method's has, so that no two timers ever end together.
func (p modelPolicy) attemptTimeout(method int) time.Duration {
	return time.Duration(p.N)*time.Second + []time.Duration{1, 101, 10201}[method]*time.Nanosecond
}

// evenly draws a number of which none is likelier than another: worlds in which nearly everything is zero, as rapid likes
// them, tell little.
func evenly(t *rapid.T, name string, from, to int) int {
	return from + modelByte.Draw(t, name)%(to-from+1)
}

var modelByte = rapid.Custom(func(t *rapid.T) (n int) {
	for range 8 {
		n *= 2
		if rapid.Bool().Draw(t, "") {
			n++
		}
	}
	return n
})

func oneOf[T any](t *rapid.T, name string, of ...T) T { return of[evenly(t, name, 0, len(of)-1)] }

func someOf(t *rapid.T, name string, least, most int, of ...string) (some []string) {
	for range evenly(t, name, least, most) {
		some = append(some, oneOf(t, name, of...))
	}
	return some
}

func seldom(t *rapid.T, name string) bool { return evenly(t, name, 0, 7) == 7 }

func sometimes(t *rapid.T, name string, from, to int) int {
	if seldom(t, name) {
		return evenly(t, name, from, to)
	}
	return 0
}

func drawModelPlan(t *rapid.T) (p modelPlan) {
	p.Clock = time.Duration(oneOf(t, "clock", 0, 0, -1e18, 1e18))
	for range evenly(t, "budgets", 0, 2) {
		p.Budgets = append(p.Budgets, BudgetSettings{
			TTL:       oneOf(t, "ttl", time.Second, 10*time.Second, time.Minute),
			MinPerSec: oneOf(t, "minPerSec", 0, 0.05, 0.1, 0.5, 3.333),
			Percent:   oneOf(t, "percent", 0.001, 0.2, 0.3, 0.55, 1, 10),
			Deposit:   oneOf(t, "deposit", "", DepositCall, DepositSuccess),
		})
	}
	for range evenly(t, "breakers", 0, 2) {
		s, percent := drawBreakerSettings(t)
		p.Breakers, p.Percents = append(p.Breakers, s), append(p.Percents, percent)
	}
	n := evenly(t, "methods", 1, 3)
	for i := range n {
		p.Methods = append(p.Methods, drawModelMethod(t, &p, i, n))
	}
	p.Steps = rapid.SliceOfN(rapid.Custom(drawModelStep), 20, 60).Draw(t, "steps")
	return p
}

func drawModelMethod(t *rapid.T, p *modelPlan, i, n int) (m modelMethod) {
	names := []string{"boom", "other", "busy", "list", "expired", "canceled", "eager", "stubborn"}
	calls := i < n-1 && !seldom(t, "is a leaf")
	if calls || !seldom(t, "unbounded") {
		// Where calls take no time, a limit that waits for time to pass would wait for ever.
		m.Policies = append(m.Policies, drawModelPolicy(t, p, "max"))
	}
	kinds := []string{"max", "sleep", "sleep", "linear", "watch", "timeout", "attemptTimeout", "taker", "limiter", "gate", "expression"}
	if len(p.Budgets) > 0 {
		kinds = append(kinds, "budget", "budget", "budget", "budget")
	}
	if len(p.Breakers) > 0 {
		kinds = append(kinds, "breaker", "breaker", "breaker", "breaker")
	}
	for range evenly(t, "policies", 1, 4) {
		m.Policies = append(m.Policies, drawModelPolicy(t, p, oneOf(t, "kind", kinds...)))
	}
	if !seldom(t, "no classifier") {
		m.Policies = append(m.Policies, modelPolicy{Kind: "classifier"})
	}
	m.Fallback = oneOf(t, "fallback", "", "", "", "", "", "", "good", "bad", "cause", "panics")
	if m.Fallback != "" {
		m.Policies = append(m.Policies, modelPolicy{Kind: "fallback"})
	}
	m.Policies = rapid.Permutation(m.Policies).Draw(t, "order")
	m.Retry = someOf(t, "retry", 1, 3, append(names, "any", "any", "any", "any", "any", "any", "nothing")...)
	m.Ignore = append(someOf(t, "ignore", 0, 1, names...), "ignored")
	m.IfError = oneOf(t, "ifError", "", "", "stubborn", "other")
	m.IfZero = seldom(t, "ifZero")
	m.MaxDelay = evenly(t, "maxDelay", 1, 5)
	m.VetoAt, m.Hint = sometimes(t, "vetoAt", 1, 3), sometimes(t, "hint", -1, 5)
	m.HookFailsAt, m.HookPanicsAt = sometimes(t, "hookFailsAt", 1, 3), sometimes(t, "hookPanicsAt", 1, 3)
	m.Panics = evenly(t, "panics", 0, 1) == 1
	m.Wrap, m.Single = seldom(t, "wrap"), seldom(t, "single") && seldom(t, "single")
	m.Heeds = evenly(t, "heeds", 0, 1) == 1
	if calls {
		m.Calls = make([]int, evenly(t, "calls", 1, 2))
		for j := range m.Calls {
			m.Calls[j] = evenly(t, "calls", i+1, n-1)
		}
		m.CallsOnce = seldom(t, "callsOnce")
		m.Nested = evenly(t, "nested", 0, 3) == 3
		if evenly(t, "retries all", 0, 3) > 0 {
			m.Retry, m.Ignore = []string{"any"}, nil
		}
		m.Passes = someOf(t, "passes", 1, 3, "verbatim", "verbatim", "wrapped", "joined", "replaced", "replaced", "swallowed")
	} else {
		m.NoError = seldom(t, "noError")
	}
	return m
}

func drawModelPolicy(t *rapid.T, p *modelPlan, kind string) modelPolicy {
	n := map[string][2]int{
		"max": {1, 5}, "sleep": {0, 3}, "timeout": {0, 12}, "attemptTimeout": {1, 4}, "taker": {0, 4}, "limiter": {1, 4},
		"gate": {0, 9}, "watch": {0, 9}, "budget": {0, len(p.Budgets) - 1}, "breaker": {0, len(p.Breakers) - 1},
	}[kind]
	return modelPolicy{kind, evenly(t, "n of "+kind, n[0], n[1])}
}

func drawModelStep(t *rapid.T) modelStep {
	op := oneOf(t, "op", "call", "call", "call", "finish", "finish", "finish", "finish", "finish", "finish", "sleep", "sleep", "sleep", "cancel", "operator")
	s := modelStep{Op: op, A: evenly(t, "a", 0, 7), B: evenly(t, "b", 0, len(modelOutcomes)-1), C: evenly(t, "c", 0, 31)}
	if op == "operator" && s.C > 6 {
		s.Op = "finish"
	}
	return s
}

// modelOutcomes are the ways in which a step may end an attempt. Those that begin with ! are panics.
var modelOutcomes = []string{
	"", "", "", "boom", "boom", "boom", "boom", "other", "other", "busy", "eager", "stubborn", "ignored", "list",
	"permanent", "wrapped", "!bang", "!boom", "!exit", "boom", "other",
}

func (s modelStep) outcome() (kind string, value int) { return modelOutcomes[s.B], s.C % 2 }
