package annotation

import (
	"reflect"
	"time"

	"github.com/backstay/backstay/retry"
)

// Policies replaces the list of policies. Attributes that are set beside it, or nearer to the method, still bring their
// policies in.
func Policies(factories ...retry.PolicyFactory) Option { return toList(listing{factories: factories}) }

// AddPolicies adds to the list of policies. A built-in one goes to its canonical place, a user's own one beside its
// neighbour in factories, or to the end.
func AddPolicies(factories ...retry.PolicyFactory) Option {
	return toList(listing{add: true, factories: factories})
}

// MaxAttempts allows n attempts, the first one included; or [retry.Unlimited]. The default is 10; below 1 is an error.
func MaxAttempts(n int) Option { return maxAttempts.to(n) }

// Base is the wait from which the sleep strategy begins. The default is 0: no wait.
func Base(d time.Duration) Option { return base.to(d) }

// MaxDelay bounds each wait. The default is 60 s.
func MaxDelay(d time.Duration) Option { return maxDelay.to(d) }

// SleepStrategy takes a [retry.SleepStrategy], or the name or class of a service that is one. The default is [retry.Flat].
func SleepStrategy(strategy any) Option { return toStrategy(strategy) }

// Budget sets all of a budget's settings: a zero is a zero. The default is a TTL of 10 s, 1 retry per second and 20 % of
// the calls.
func Budget(settings retry.BudgetSettings) Option {
	return toSeveral(
		setting{budgetTTL, settings.TTL},
		setting{budgetMinPerSec, settings.MinPerSec},
		setting{budgetPercent, settings.Percent},
		setting{budgetDeposit, settings.Deposit})
}

// BudgetName shares one budget among all methods that say the same name. The default is one for each method; an empty name
// is an error.
func BudgetName(name string) Option { return budgetName.to(name) }

// RetryErrors lists the errors to retry. An own list replaces "any"; [retry.NoError], alone, says none. The default is any
// error, or none where RetryIfError is set and RetryErrors is not.
func RetryErrors(matchers ...retry.Matcher) Option {
	if len(matchers) == 0 {
		return flawed("RetryErrors", "", &flaw{problem: "it lists no matcher", advice: "retry.NoError for none, or retry.AnyError for any"})
	}
	return toMatchers(retryErrors, matchers)
}

// IgnoreErrors lists the errors that are never retried, whatever other lists say. The default is none; any is an error,
// since it would leave none to be retried.
func IgnoreErrors(matchers ...retry.Matcher) Option { return toMatchers(ignoreErrors, matchers) }

// RetryIfError takes a predicate that is asked of errors that no list matches: func(error) bool, or
// func(*retry.Session) bool, or a reference to one.
func RetryIfError(predicate any) Option { return toFunction(retryIfError, predicate) }

// RetryIfResult takes a predicate that is asked when there was no error: a func of the results without the error, or
// func(*retry.Session) bool, such as [retry.Falsy], or a reference to one.
func RetryIfResult(predicate any) Option { return toFunction(retryIfResult, predicate) }

// OnlyIf takes a veto that is asked before any retry: a func of the method's parameters to bool, or
// func(*retry.Session) bool, or a reference to one. All must agree.
func OnlyIf(predicate any) Option { return toFunction(onlyIf, predicate) }

// Fallback takes what gives the result of a session that is exhausted or rejected: a func, a method expression of a type
// that the container provides, a Class@Method, or a name. It takes the method's parameters (a variadic one as a slice),
// those and the cause, the context and the cause, the cause, or nothing.
func Fallback(reference any) Option { return toFunction(fallback, reference) }

// Timeout bounds the session. The default is no bound; 0 is no time at all, and rejects every call.
func Timeout(d time.Duration) Option { return timeout.to(d) }

// AttemptTimeout bounds each attempt, by a context of its own. The default is no bound; 0 is an error.
func AttemptTimeout(d time.Duration) Option { return attemptTimeout.to(d) }

// Breaker sets all of a circuit breaker's settings: a zero is a zero. The default is a ResetTimeout of 10 s, and that one
// exhausted session opens it.
func Breaker(settings retry.BreakerSettings) Option {
	return toSeveral(
		setting{breakerResetTimeout, settings.ResetTimeout},
		setting{breakerWindow, window{settings.Window, settings.WindowTime}},
		setting{breakerMinCalls, settings.MinCalls},
		setting{breakerFailureRatio, settings.FailureRatio},
		setting{breakerConsecutive, settings.Consecutive},
		setting{breakerSlowCall, settings.SlowCall},
		setting{breakerSlowRatio, settings.SlowRatio},
		setting{breakerProbes, settings.Probes})
}

// BreakerName shares one breaker among all methods that say the same name. The default is one for each method; an empty
// name is an error.
func BreakerName(name string) Option { return breakerName.to(name) }

// BeforeRetry takes a hook that runs before each retry: a func of the method's parameters, or of a *retry.Session, that
// returns nothing or an error; or a reference to one. Its error exhausts the session.
func BeforeRetry(hook any) Option { return toFunction(beforeRetry, hook) }

// Discard takes a hook that is given the results that a retry throws away: a func of the results without the error, or
// of a *retry.Session; or a reference to one.
func Discard(hook any) Option { return toFunction(discard, hook) }

// WaitHint takes a func of the results and the error to a time.Duration, or a func of a *retry.Session, or a reference to
// one. The wait is proposed beside the sleep strategy's; the larger holds.
func WaitHint(f any) Option { return toFunction(waitHint, f) }

// RetryPanics makes panics throwables. The default is false: a panic passes through.
func RetryPanics(on bool) Option { return retryPanics.to(on) }

// RetryNested retries what an inner session has already given up. The default is false: retries happen at one layer.
func RetryNested(on bool) Option { return retryNested.to(on) }

// WrapExhausted gives the caller a *retry.ExhaustedError instead of the last attempt's own error. The default is false.
func WrapExhausted(on bool) Option { return wrapExhausted.to(on) }

// Set sets fields of a custom annotation's own. A is the annotation's type, or one that it embeds. In Defaults it gives
// them their default.
func Set[A any](set func(*A)) Option { return toOwn(set) }

// Enabled(false) turns the annotations of type A off, and those of a type that embeds A: of [AbstractRetry] every retry
// annotation. The method is then as if it had never carried them. It is for Configure, so for a deployment that has to
// switch off what an author declared. Enabled(true) takes that back where it is said of a class or method that is named more
// closely, or later.
func Enabled[A any](on bool) Option {
	return Option{&option{toggle: &toggle{reflect.TypeFor[A](), on}}}
}
