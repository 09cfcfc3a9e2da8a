package retry

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// HybridPolicy is the one policy that a method's policies are compiled into: each phase in list order. It is immutable and
// safe for concurrent use; the state of its budgets and breakers is theirs.
type HybridPolicy struct {
	ref      MethodRef
	settings Settings
	list     []Policy
	hooks    Hooks
	listener Listener
	noError  bool // the method has no error result

	gates    []*gate
	starters []Starter
	judges   []judging
	limiters []limiter
	waiters  []Waiter
	takers   []taker
	enders   []Ender
	limits   []*limit // by number

	attempts       int           // the smallest of all MaxAttempts, or Unlimited
	timeout        time.Duration // of the session; holds where timeLimit is set
	timeLimit      *limit
	attemptTimeout time.Duration // 0: none
	repeatsPlain   bool          // a failure that says nothing of itself is retried, whatever it is
	judgesResults  bool          // a judge may have an opinion of an attempt without an error
	breaks         bool          // one of the gates is a breaker
	startsLate     bool          // a user's gate or starter may take so long that the context ends before the first attempt
	timesAttempts  bool          // a breaker wants to know how long attempts take
	successOpens   bool          // a success may open a breaker
	guarded        bool          // attempts run under a context or a recover of their own
	endsAloud      bool          // somebody has to be told when a session ends, whatever ends it
	immediate      bool          // between two attempts, after the verdict, nothing runs but what is built in and takes no time
}

// Hooks are the functions of a method's policies, adapted to sessions by who compiles them. All may be nil.
type Hooks struct {
	RetryIfError  []func(*Session) bool // of an error that no list matches; one is enough
	RetryIfResult []func(*Session) bool // of an attempt without an error; one is enough
	OnlyIf        []func(*Session) bool // all must agree to a retry
	WaitHint      func(*Session) time.Duration
	BeforeRetry   func(*Session) error
	Discard       func(*Session)

	// Fallback sets the results of the call and returns its error. It runs under the caller's context.
	Fallback func(ctx context.Context, s *Session, cause error) error
}

// gate is one that a call must pass: a user's, or a breaker, which the loop knows more closely.
type gate struct {
	Gate             // nil for a breaker
	kind    string   // of the policy
	breaker *Breaker // nil for a user's
	reject  atomic.Pointer[RejectedError]
}

// judging is a policy that judges. The built-in one is known, since it stands on the path of every failure.
type judging struct {
	Judge
	classifier *classifier // nil for others
}

// limiter is a policy that limits; or a breaker, the gate of that index, which may open during the session.
type limiter struct {
	Limiter
	limit    *limit
	gate     int
	attempts int // of MaxAttempts, which is not asked; 0: it is another
}

type taker struct {
	Taker
	budget *budgetPolicy // for budgets, whose tickets the loop keeps
	limit  *limit
}

// mostPolicies is how many a list may hold: each may bring two limits, and a session has a byte for the number of one.
const mostPolicies = 100

// NewHybridPolicy compiles policies. A policy without a phase, or none at all, is a definition error; all of them are
// joined. A list that nothing bounds gets MaxAttempts with [DefaultMaxAttempts].
func NewHybridPolicy(policies ...Policy) (*HybridPolicy, error) {
	return compile(&HybridPolicy{settings: Settings{MaxDelay: DefaultMaxDelay}}, policies)
}

// compile sorts policies into the phases of h.
func compile(h *HybridPolicy, policies []Policy) (*HybridPolicy, error) {
	var problems []string
	if len(policies) > mostPolicies {
		problems = append(problems, fmt.Sprintf("there are %d policies, and %d are the most; leave some out", len(policies), mostPolicies))
	}
	if len(policies) == 0 {
		problems = append(problems, "there is no policy; write at least one, such as retry.NewMaxAttempts(3)")
	}
	h.attempts = Unlimited
	h.list = make([]Policy, 0, len(policies)+1)
	h.limits = append(make([]*limit, 0, len(noPolicies)+len(policies)+1), noPolicies...)
	bounded := false
	for _, p := range policies {
		bounded = h.add(p, &problems) || bounded
	}
	if !bounded {
		h.add(NewMaxAttempts(DefaultMaxAttempts), &problems)
	}
	h.settings.MaxAttempts = h.attempts
	if len(problems) > 0 {
		return nil, definitionErrors(h.ref, problems)
	}
	h.guarded = h.settings.RetryPanics || h.attemptTimeout > 0
	h.repeatsPlain = len(h.judges) == 0 || len(h.judges) == 1 && h.judges[0].classifier != nil && h.judges[0].classifier.all
	h.endsAloud = len(h.gates) > 0 || len(h.enders) > 0 || h.listener != nil
	h.immediate = h.isImmediate()
	return h, nil
}

// isImmediate reports whether nothing of the user's runs between two attempts, once the verdict is there: it might take long,
// or end the context. The built-in policies that wait, time attempts or have to be asked again are out too.
func (h *HybridPolicy) isImmediate() bool {
	switch {
	case h.listener != nil, len(h.hooks.OnlyIf) > 0, len(h.waiters) > 0, h.breaks, h.attemptTimeout > 0,
		h.hooks.WaitHint != nil, h.hooks.BeforeRetry != nil, h.hooks.Discard != nil:
		return false
	}
	return !slices.ContainsFunc(h.limiters, func(l limiter) bool {
		_, times := l.Limiter.(*timeout)
		_, counts := l.Limiter.(*maxAttempts)
		return !times && !counts
	}) && !slices.ContainsFunc(h.takers, func(t taker) bool { return t.budget == nil })
}

// add puts p into its phases, and reports whether it bounds how often a session calls.
func (h *HybridPolicy) add(p Policy, problems *[]string) (bounds bool) {
	if v := reflect.ValueOf(p); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		*problems = append(*problems, "a policy is nil; leave it out")
		return false
	}
	if p.Kind() == "" {
		*problems = append(*problems, fmt.Sprintf("a %T has no kind; let Kind return a name in lower camel case", p))
	}
	h.list = append(h.list, p)
	if c, ok := p.(checker); ok {
		*problems = append(*problems, c.check()...)
	}
	switch p := p.(type) {
	case *maxAttempts:
		if p.n != Unlimited && (h.attempts == Unlimited || p.n < h.attempts) {
			h.attempts = p.n
		}
		bounds = true // also Unlimited: it was asked for by name
	case *timeout:
		if h.timeLimit == nil || p.d < h.timeout {
			h.timeout = p.d
		}
		h.timeLimit = h.newLimit(p.Kind(), false)
		bounds = true
		if p.d > 0 {
			h.limiters = append(h.limiters, limiter{Limiter: p, limit: h.timeLimit})
			return bounds // with time left it is no gate
		}
	case *attemptTimeout:
		if h.attemptTimeout == 0 || p.d < h.attemptTimeout {
			h.attemptTimeout = p.d
		}
		return false
	case *fallback:
		if p.run != nil {
			h.hooks.Fallback = p.run
		}
		return false
	case *circuitBreaker:
		p.bind(h.ref, h.listener)
		h.limiters = append(h.limiters, limiter{limit: h.newLimit(p.Kind(), true), gate: len(h.gates)})
		g := &gate{kind: p.Kind(), breaker: p.breaker}
		g.reject.Store(&RejectedError{Ref: h.ref, Reason: ErrCircuitOpen, gate: p.Kind(), breaker: p.breaker})
		h.gates = append(h.gates, g)
		h.breaks = true
		h.timesAttempts = h.timesAttempts || p.breaker.needsClock()
		h.successOpens = h.successOpens || p.breaker.successOpens()
		return false
	case *sleep:
		if _, own := p.strategy.(*builtinStrategy); !own {
			h.settings.Base, h.settings.SleepStrategy = p.base, p.strategy // a user's strategy reads them from the session
		}
	case *budgetPolicy:
		p.bind(h.ref)
		bounds = true
	default:
		_, limits := p.(Limiter)
		_, takes := p.(Taker)
		bounds = limits || takes
		if !hasPhase(p) {
			*problems = append(*problems, "policy "+p.Kind()+" has no phase; implement "+phases)
		}
	}
	h.addPhases(p)
	return bounds
}

func (h *HybridPolicy) addPhases(p Policy) {
	if x, ok := p.(Gate); ok {
		h.gates = append(h.gates, &gate{kind: p.Kind(), Gate: x})
		h.startsLate = true
	}
	if x, ok := p.(Starter); ok {
		h.starters = append(h.starters, x)
		_, own := p.(*budgetPolicy)
		h.startsLate = h.startsLate || !own
	}
	if x, ok := p.(Judge); ok {
		c, own := p.(*classifier)
		h.judges = append(h.judges, judging{x, c})
		h.judgesResults = h.judgesResults || !own || c.judgesResults()
	}
	if x, ok := p.(Limiter); ok {
		l := limiter{Limiter: x, limit: h.newLimit(p.Kind(), false)}
		if m, own := p.(*maxAttempts); own && m.n > 0 {
			l.attempts = m.n
		}
		h.limiters = append(h.limiters, l)
	}
	if x, ok := p.(Waiter); ok && !isNoWait(p) {
		h.waiters = append(h.waiters, x)
	}
	if x, ok := p.(Taker); ok {
		b, _ := p.(*budgetPolicy)
		h.takers = append(h.takers, taker{x, b, h.newLimit(p.Kind(), true)})
	}
	if x, ok := p.(Ender); ok {
		if b, own := p.(*budgetPolicy); !own || b.onSuccess {
			h.enders = append(h.enders, x)
		}
	}
}

// newLimit is the limit of a policy. There are fewer than mostPolicies.
func (h *HybridPolicy) newLimit(kind string, ofLayer bool) *limit {
	l := &limit{kind, ofLayer, uint8(len(h.limits))}
	h.limits = append(h.limits, l)
	return l
}

// Policies is the list, in order.
func (h *HybridPolicy) Policies() []Policy { return append([]Policy(nil), h.list...) }

// Settings are those that its sessions begin with. They are shared and must not be changed.
func (h *HybridPolicy) Settings() *Settings { return &h.settings }

// String is the list of kinds, in order.
func (h *HybridPolicy) String() string {
	kinds := make([]string, len(h.list))
	for i, p := range h.list {
		kinds[i] = p.Kind()
	}
	return strings.Join(kinds, ", ")
}

// Definition is what the HybridPolicy of a woven method is compiled from.
type Definition struct {
	Settings Settings
	Custom   map[PolicyFactory]Policy // the policies that are not built in, one for each such factory in Settings.Policies
	Hooks    Hooks
	Listener Listener // nil: nobody is told
	Shared   *Shared  // where named budgets and breakers are, and where this method's own breaker is listed
	NoError  bool     // the method has no error result

	BudgetWritten, BreakerWritten bool // somebody has written the settings; a shared one's settings win where nobody has

	breaker, budget Policy // made by Shared.Prepare
}

// Compile makes the HybridPolicy of one method. All definition errors are joined.
func Compile(d Definition) (*HybridPolicy, error) {
	h := &HybridPolicy{ref: d.Settings.Ref, settings: d.Settings, hooks: d.Hooks, listener: d.Listener, noError: d.NoError}
	h.hooks.Fallback = nil // it holds where the list has the policy, which brings it
	policies := make([]Policy, 0, len(d.Settings.Policies))
	var errs []error
	for _, f := range d.Settings.Policies {
		p, err := f.forMethod(&d)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		policies = append(policies, p)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	strategy, base := h.settings.SleepStrategy, h.settings.Base
	h, err := compile(h, policies)
	if err == nil {
		h.settings.SleepStrategy, h.settings.Base = strategy, base
	}
	return h, err
}
