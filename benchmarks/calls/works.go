package calls

import "slices"

// The names of the works, by which goals refer to them.
const (
	RetryOnlySuccess  = "retry only, success on the first attempt"
	RetryOnlyDeadline = "retry only, success on the first attempt, under a deadline"
	ComposedSuccess   = "five policies, success on the first attempt"
	Proxies           = "proxies, success on the first attempt"
	RetryOnlyTwice    = "retry only, two failures, then success"
	ComposedTwice     = "five policies, two failures, then success"
	RetryOnlyTen      = "retry only, ten failures"
	ComposedTen       = "five policies, ten failures"
	BreakerOpen       = "breaker open, rejected"
)

// Works are all kinds of calls that are measured.
func Works() []*Work {
	retries := append(slices.Clone(backstayRetryOnly), handLoop,
		failsafeRetry, failsafeRetryBare, avastRetry, avastRetryBare, cenkaltiRetry, sethvargoRetry, eapacheRetry, slokRetry)
	composed := []Contender{
		handLoopAndBreaker, handLoopAndGobreaker, failsafeComposed, failsafeComposedBare, avastComposed, cenkaltiComposed,
		sethvargoComposed, eapacheComposed, slokComposed,
	}
	return []*Work{
		{
			Name:       RetryOnlySuccess,
			About:      "Ten attempts at most, no wait; the caller's context is given with each call and can be canceled.",
			Reference:  NameFor,
			Want:       Outcome{Calls: 1},
			Contenders: append(slices.Clone(plainFloors), retries...),
		},
		{
			Name:       RetryOnlyDeadline,
			About:      "The same, with the context that a server has: a value on top of a deadline.",
			Reference:  NameFor,
			Deadline:   true,
			Want:       Outcome{Calls: 1},
			Contenders: append([]Contender{plainCall}, retries...),
		},
		{
			Name: ComposedSuccess,
			About: "Backstay with its five default policies (Fallback, Classifier, Budget, MaxAttempts, Sleep), and with a breaker besides; " +
				"the others with retry, a breaker that counts and never opens, and a fallback. None of the others has a budget here.",
			Reference:  NameFor,
			Want:       Outcome{Calls: 1},
			Contenders: append(backstayFive(defaultBudget), composed...),
		},
		{
			Name: Proxies,
			About: "What it costs that a service is woven: the chain of the default Retry's policies called directly, the same woven by both kinds of proxies, " +
				"and proxies that retry nothing.",
			Reference:  NameGenerated + NameRetry,
			Want:       Outcome{Calls: 1},
			Contenders: append(slices.Clone(backstayProxies), plainCall, handDecorator, bareMakeFunc, dynoProxy),
		},
		{
			Name:       RetryOnlyTwice,
			About:      "The peer fails twice, then answers; there is no wait. Who waits zero through a timer pays for two of them.",
			Reference:  NameFor,
			Failures:   2,
			Want:       Outcome{Calls: 3},
			Contenders: retries,
		},
		{
			Name:       ComposedTwice,
			About:      "The same under five policies. Backstay's budget pays for all retries; the default one would refuse most of what a measurement does.",
			Reference:  NameFor,
			Failures:   2,
			Want:       Outcome{Calls: 3},
			Contenders: append(backstayFive(largeBudget), composed...),
		},
		{
			Name:       RetryOnlyTen,
			About:      "The peer always fails: ten attempts, no wait, and the caller gets the peer's error.",
			Reference:  NameFor,
			Failures:   always,
			Want:       Outcome{Err: true, Calls: maxAttempts},
			Contenders: retries,
		},
		{
			Name:       ComposedTen,
			About:      "The same under five policies, and the caller gets the fallback's answer. All breakers count and none opens.",
			Reference:  NameFor,
			Failures:   always,
			Want:       Outcome{Value: fallbackValue, Calls: maxAttempts},
			Contenders: append(backstayFive(largeBudget), composed...),
		},
		{
			Name:       BreakerOpen,
			About:      "One failure has opened the breaker for an hour; every call is refused and the peer is not called.",
			Reference:  NameFor,
			Failures:   always,
			Opens:      true,
			Want:       Outcome{Err: true},
			Contenders: append(slices.Clone(backstayOpen), handOpen, gobreakerOpen, failsafeOpen, failsafeOpenByHand, eapacheOpen, slokOpen),
		},
	}
}
