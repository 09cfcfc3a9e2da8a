package retry

import "time"

// Unlimited is the number of attempts that has no end. It has to be written: no zero value means it.
const Unlimited = -1

// DefaultMaxAttempts is the number of attempts of a session that nothing else bounds, and the default of the MaxAttempts
// attribute.
const DefaultMaxAttempts = 10

// DefaultMaxDelay bounds each wait where MaxDelay is not set.
const DefaultMaxDelay = 60 * time.Second

// Settings are the attributes that hold for one method, all of them set: tag, registration, alias and table merged.
type Settings struct {
	Ref      MethodRef
	Policies []PolicyFactory // in canonical order

	MaxAttempts    int           // attempts, the first one included; or Unlimited
	Base, MaxDelay time.Duration // of the sleep strategy; MaxDelay bounds every wait
	Timeout        time.Duration // of the session; holds where the list has the policy
	AttemptTimeout time.Duration // of each attempt; holds where the list has the policy

	SleepStrategy             SleepStrategy
	RetryErrors, IgnoreErrors []Matcher

	Budget      BudgetSettings
	BudgetName  string // shared by all methods that say the same name; empty: the method's own
	Breaker     BreakerSettings
	BreakerName string // as BudgetName

	RetryPanics   bool // a panic is a throwable
	RetryNested   bool // retry what an inner session has already given up
	WrapExhausted bool // the error of an exhausted session is an *ExhaustedError
}

// subMicrosecond reports whether d is a wait that nobody means: a number written without its unit.
func subMicrosecond(d time.Duration) bool { return d > 0 && d < time.Microsecond }

// Check says what is wrong with the settings, each "problem; remedy".
func (s BudgetSettings) Check() []string { return s.check() }

// Check says what is wrong with the settings, each "problem; remedy".
func (s BreakerSettings) Check() []string { return s.check() }
