package retry

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func newModelPlay(t *testing.T, plan *modelPlan) *modelPlay {
	p := &modelPlay{plan: plan, told: make([][]transition, len(plan.Breakers))}
	var budgets, breakers []Policy
	for _, s := range plan.Budgets {
		budgets = append(budgets, NewBudget(s))
	}
	for _, s := range plan.Breakers {
		breakers = append(breakers, NewCircuitBreaker(s))
		p.breakers = append(p.breakers, BreakerOf(breakers[len(breakers)-1]))
	}
	for i := range plan.Methods {
		h, err := Compile(p.definition(i, budgets, breakers))
		require.NoError(t, err)
		p.hybrids = append(p.hybrids, h)
	}
	for i, b := range p.breakers {
		if b.Name() == "" { // no method has it, so nobody is told of it
			b.subscribe(func(from, to BreakerState) { p.told[i] = append(p.told[i], transition{from, to}) })
		}
	}
	return p
}

// definition is what is declared for a method.
func (p *modelPlay) definition(method int, budgets, breakers []Policy) Definition {
	m := &p.plan.Methods[method]
	d := Definition{Custom: map[PolicyFactory]Policy{}, Listener: p, NoError: m.NoError}
	d.Settings = Settings{
		Ref: MethodRef{Class: "S", Method: modelName(method)}, MaxDelay: time.Duration(m.MaxDelay) * time.Second,
		RetryPanics: m.Panics, RetryNested: m.Nested, WrapExhausted: m.Wrap,
		RetryErrors: matchersOf(m.Retry), IgnoreErrors: matchersOf(m.Ignore),
	}
	for i, spec := range m.Policies {
		switch spec.Kind {
		case "classifier":
			d.Settings.Policies = append(d.Settings.Policies, Classifier)
		case "fallback":
			d.Settings.Policies = append(d.Settings.Policies, Fallback)
		default:
			policy := p.policy(spec, method, i, budgets, breakers)
			f := PolicyFrom(spec.Kind, func() Policy { return policy })
			d.Custom[f] = policy
			d.Settings.Policies = append(d.Settings.Policies, f)
		}
	}
	if m.IfError != "" {
		d.Hooks.RetryIfError = append(d.Hooks.RetryIfError, func(s *Session) bool { return Is(realError(m.IfError)).Match(s.Failure()) })
	}
	if m.IfZero {
		d.Hooks.RetryIfResult = append(d.Hooks.RetryIfResult, Falsy)
	}
	d.Hooks.OnlyIf = append(d.Hooks.OnlyIf, func(s *Session) bool { return s.Attempt() != m.VetoAt })
	d.Hooks.WaitHint = func(*Session) time.Duration { return time.Duration(m.Hint) * time.Second }
	d.Hooks.BeforeRetry = func(s *Session) error {
		frameOf(s).say("before retry %d", s.Attempt()+1)
		switch s.Attempt() {
		case m.HookPanicsAt:
			panic("hook")
		case m.HookFailsAt:
			return errModelHook
		}
		return nil
	}
	d.Hooks.Discard = func(s *Session) { frameOf(s).say("discard %v", s.Result(0)) }
	d.Hooks.Fallback = func(_ context.Context, s *Session, cause error) error {
		f := frameOf(s)
		f.say("fallback for %s", inModelWords(cause))
		switch m.Fallback {
		case "good":
			f.value = 10
			return nil
		case "panics":
			panic("fallback")
		case "cause":
			f.value = 11
			if cause == nil {
				return errModelSpare
			}
			return fmt.Errorf("%w: %w", errModelSpare, cause)
		}
		f.value = 11
		return errModelSpare
	}
	return d
}

func frameOf(s *Session) *modelFrame { return s.Call().(*modelFrame) }

func matchersOf(names []string) (ms []Matcher) {
	for _, name := range names {
		switch name {
		case "any":
			ms = append(ms, AnyError)
		case "nothing":
			ms = append(ms, NoError)
		case "list":
			ms = append(ms, As[modelList]())
		default:
			ms = append(ms, Is(realError(name)))
		}
	}
	return ms
}

func (play *modelPlay) policy(p modelPolicy, method, place int, budgets, breakers []Policy) Policy {
	switch p.Kind {
	case "max":
		return NewMaxAttempts(p.N)
	case "timeout":
		return NewTimeout(time.Duration(p.N) * time.Second)
	case "attemptTimeout":
		return NewAttemptTimeout(p.attemptTimeout(method))
	case "breaker":
		return breakers[p.N]
	case "budget":
		return budgets[p.N]
	case "sleep":
		return NewSleep(Flat, time.Duration(p.N)*time.Second)
	case "linear":
		return NewSleep(modelLinear{}, time.Second)
	case "expression":
		return NewExpression(func(s *Session) bool {
			return s.Failure() == nil && s.Result(0) == 0 || Is(errModelIgnored).Match(s.Failure())
		})
	case "taker":
		return &modelTaker{left: p.N, place: place}
	case "limiter":
		return modelLimiter(p.N)
	case "gate":
		return modelGate{play, method, place, p.N > 0}
	case "watch":
		return modelWatch{place, p.N == 9}
	}
	panic("no policy is called " + p.Kind)
}

type (
	modelLinear  struct{}
	modelLimiter int
	modelWatch   struct {
		place int
		stops bool // it cancels the caller's context when a session ends
	}
	modelTaker struct {
		mu          sync.Mutex
		left, place int
	}
	modelGate struct {
		play          *modelPlay
		method, place int
		open          bool
	}
)

func (modelLinear) Wait(s *Session) time.Duration {
	return time.Duration(s.Attempt()) * time.Second
}

func (modelLimiter) Kind() string { return "limiter" }
func (n modelLimiter) Limit(s *Session) error {
	if s.Attempt() >= int(n) {
		return errModelFull
	}
	return nil
}

func (modelGate) Kind() string { return "gate" }

// Enter gives a ticket of which Leave knows the call and the gate, also when there is no session.
func (g modelGate) Enter(ctx context.Context) (uint64, error) {
	r := ctx.Value(playedRootKey{}).(*playedRoot)
	(&modelFrame{root: r, method: g.method}).say("enter %d", g.place)
	if !g.open {
		return 0, errModelFull
	}
	return uint64(100*r.number + g.place), nil
}

func (g modelGate) Leave(ticket uint64, s *Session) {
	g.play.mu.Lock()
	r := g.play.roots[ticket/100]
	g.play.mu.Unlock()
	(&modelFrame{root: r, method: g.method}).say("leave %d, rejected %v", ticket%100, s == nil)
}

func (modelWatch) Kind() string       { return "watch" }
func (w modelWatch) Start(s *Session) { frameOf(s).say("start of %d", w.place) }
func (w modelWatch) End(s *Session) {
	frameOf(s).say("end of %d", w.place)
	if w.stops {
		frameOf(s).root.cancel(nil)
	}
}

func (*modelTaker) Kind() string { return "taker" }
func (t *modelTaker) Take(s *Session) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.left == 0 {
		return errModelFull
	}
	t.left--
	frameOf(s).say("take of %d", t.place)
	return nil
}

func (t *modelTaker) GiveBack(s *Session) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.left++
	frameOf(s).say("give back to %d", t.place)
}
