package annotation

import (
	"slices"
	"strings"
	"time"

	"github.com/backstay/backstay/retry"
)

// The table of attributes. A row gives an attribute's tag key, the policy that it brings in, its values with their range,
// its default and where it is kept. From a row come its option (a one-line func in options.go), what a tag sets, what the
// merge compares, and what Origins tells. Their order is that of initialization, so what a row needs is declared in a file
// whose name comes before this one's.
var (
	maxAttempts   = plain("maxAttempts", retry.MaxAttempts, attempts, retry.DefaultMaxAttempts, func(s *retry.Settings) *int { return &s.MaxAttempts })
	base          = plain("base", retry.Sleep, waits, 0, func(s *retry.Settings) *time.Duration { return &s.Base })
	sleepStrategy = kept("sleepStrategy", retry.Sleep, strategies, keepStrategy, tellStrategy)
	maxDelay      = plain("maxDelay", retry.Sleep, waits, retry.DefaultMaxDelay, func(s *retry.Settings) *time.Duration { return &s.MaxDelay })

	budgetTTL       = plain("budget.ttl", retry.Budget, lengths, 10*time.Second, func(s *retry.Settings) *time.Duration { return &s.Budget.TTL })
	budgetMinPerSec = plain("budget.minPerSec", retry.Budget, numbers, 1, func(s *retry.Settings) *float64 { return &s.Budget.MinPerSec })
	budgetPercent   = plain("budget.percent", retry.Budget, numbers, 0.2, func(s *retry.Settings) *float64 { return &s.Budget.Percent })
	budgetDeposit   = plain("budget.deposit", retry.Budget, deposits, retry.DepositCall, func(s *retry.Settings) *retry.Deposit { return &s.Budget.Deposit })
	budgetName      = plain("budgetName", retry.Budget, shared, "", func(s *retry.Settings) *string { return &s.BudgetName })

	retryErrors   = kept("retryErrors", retry.Classifier, retried, keepRetryErrors, tellRetryErrors).uniting(conditions)
	ignoreErrors  = kept("ignoreErrors", retry.Classifier, ignored, keepIgnoreErrors, tellIgnoreErrors).uniting(all)
	retryIfError  = several("retryIfError", retry.Classifier, functions, func(d *MethodDefinition) *[]Reference { return &d.RetryIfError }).uniting(conditions)
	retryIfResult = several("retryIfResult", retry.Classifier, resultPredicates, func(d *MethodDefinition) *[]Reference { return &d.RetryIfResult }).uniting(conditions)
	onlyIf        = several("onlyIf", session, functions, func(d *MethodDefinition) *[]Reference { return &d.OnlyIf }).uniting(all)

	fallback       = single("fallback", retry.Fallback, func(d *MethodDefinition) **Reference { return &d.Fallback })
	timeout        = plain("timeout", retry.Timeout, waits, 0, func(s *retry.Settings) *time.Duration { return &s.Timeout })
	attemptTimeout = plain("attemptTimeout", retry.AttemptTimeout, spans, 0, func(s *retry.Settings) *time.Duration { return &s.AttemptTimeout })

	breakerResetTimeout = plain("breaker.resetTimeout", retry.CircuitBreaker, lengths, 10*time.Second, func(s *retry.Settings) *time.Duration { return &s.Breaker.ResetTimeout })
	breakerWindow       = kept("breaker.window", retry.CircuitBreaker, windows, keepWindow, tellWindow)
	breakerMinCalls     = plain("breaker.minCalls", retry.CircuitBreaker, counts, 0, func(s *retry.Settings) *int { return &s.Breaker.MinCalls })
	breakerFailureRatio = plain("breaker.failureRatio", retry.CircuitBreaker, numbers, 0, func(s *retry.Settings) *float64 { return &s.Breaker.FailureRatio })
	breakerConsecutive  = plain("breaker.consecutive", retry.CircuitBreaker, counts, 0, func(s *retry.Settings) *int { return &s.Breaker.Consecutive })
	breakerSlowCall     = plain("breaker.slowCall", retry.CircuitBreaker, waits, 0, func(s *retry.Settings) *time.Duration { return &s.Breaker.SlowCall })
	breakerSlowRatio    = plain("breaker.slowRatio", retry.CircuitBreaker, numbers, 0, func(s *retry.Settings) *float64 { return &s.Breaker.SlowRatio })
	breakerProbes       = plain("breaker.probes", retry.CircuitBreaker, counts, 0, func(s *retry.Settings) *int { return &s.Breaker.Probes })
	breakerName         = plain("breakerName", retry.CircuitBreaker, shared, "", func(s *retry.Settings) *string { return &s.BreakerName })

	waitHint    = single("waitHint", retry.Sleep, func(d *MethodDefinition) **Reference { return &d.WaitHint })
	beforeRetry = single("beforeRetry", session, func(d *MethodDefinition) **Reference { return &d.BeforeRetry })
	discard     = single("discard", session, func(d *MethodDefinition) **Reference { return &d.Discard })

	retryPanics   = plain("retryPanics", session, flags, false, func(s *retry.Settings) *bool { return &s.RetryPanics })
	retryNested   = plain("retryNested", session, flags, false, func(s *retry.Settings) *bool { return &s.RetryNested })
	wrapExhausted = plain("wrapExhausted", session, flags, false, func(s *retry.Settings) *bool { return &s.WrapExhausted })
)

// defaultPolicies is the table's list of policies.
var defaultPolicies = []retry.PolicyFactory{retry.Fallback, retry.Classifier, retry.Budget, retry.MaxAttempts, retry.Sleep}

// session stands in a row for no policy: the session itself enforces the attribute.
var session retry.PolicyFactory

// policiesKey is the tag key of the list of policies, which is no row: lists are replaced, added to and united.
const policiesKey = "policies"

// The settings of a budget and of a breaker are several rows each, under one tag key.
const (
	budgetGroup  = "budget"
	breakerGroup = "breaker"
)

// table is all rows, each at its index.
var table []attribute

// baseline is the definition of a method of which nothing is said: every attribute has the table's default. The default
// of retryErrors depends on the other conditions and is left to the merge.
var baseline MethodDefinition

func init() {
	for _, a := range table {
		a.reset(&baseline)
	}
	baseline.Retry = true
	baseline.Settings.SleepStrategy = retry.Flat
}

// plain makes a row that is kept in retry.Settings as it is.
func plain[T any](key string, brings retry.PolicyFactory, values domain[T], initial T, at func(*retry.Settings) *T) *row[T] {
	return add(&row[T]{header: header{key: key, brings: brings}, values: values, initial: initial, at: at})
}

// kept makes a row that is kept by a func, and told by another. Its default is what baseline says.
func kept[T any](key string, brings retry.PolicyFactory, values domain[T], keep func(*MethodDefinition, T, Origin), tell func(*MethodDefinition) string) *row[T] {
	return add(&row[T]{header: header{key: key, brings: brings}, values: values, keep: keep, tell: tell})
}

// single makes a row that names one function. The default is none.
func single(key string, brings retry.PolicyFactory, at func(*MethodDefinition) **Reference) *row[*Reference] {
	return kept(key, brings, functions, func(d *MethodDefinition, f *Reference, from Origin) {
		named := f.as(key, from)
		*at(d) = &named
	}, func(d *MethodDefinition) string {
		if f := *at(d); f != nil {
			return f.String()
		}
		return ""
	})
}

// several makes a row of functions that unite. The default is none.
func several(key string, brings retry.PolicyFactory, values domain[*Reference], at func(*MethodDefinition) *[]Reference) *row[*Reference] {
	return kept(key, brings, values, func(d *MethodDefinition, f *Reference, from Origin) {
		list := at(d)
		if !slices.ContainsFunc(*list, func(other Reference) bool { return sameFunction(&other, f) }) {
			*list = append(*list, f.as(key, from))
		}
	}, func(d *MethodDefinition) string { return references(*at(d)) })
}

// uniting says how several settings of the attribute become one.
func (r *row[T]) uniting(u unity) *row[T] {
	r.unites = u
	return r
}

// add puts a row into the table.
func add[T any](r *row[T]) *row[T] {
	r.index = len(table)
	table = append(table, r)
	return r
}

// lookup finds the attribute that a tag key writes, or reports that several are written under it.
func lookup(key string) (a attribute, isGroup bool) {
	for _, a := range table {
		if a.about().key == key {
			return a, false
		}
		if a.about().inGroup(key) {
			return nil, true
		}
	}
	return nil, false
}

// attributeKeys lists the tag keys of all attributes.
func attributeKeys() []string {
	keys := []string{policiesKey}
	for _, a := range table {
		if key, _ := a.about().group(); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

func isAttributeKey(key string) bool { return slices.Contains(attributeKeys(), key) }

// groupKeys lists what may be written under the tag key of a group.
func groupKeys(group string) []string {
	var keys []string
	for _, a := range table {
		if key, rest := a.about().group(); key == group && rest != "" {
			keys = append(keys, rest)
		}
	}
	return keys
}

// inGroup reports whether the attribute is one of the settings of a group.
func (h *header) inGroup(group string) bool { return strings.HasPrefix(h.key, group+".") }
