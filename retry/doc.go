// Package retry holds policies, the session loop that runs them, and the fluent form. It stands on its own: everything
// here works without a container.
//
// # Protect one call
//
// A chain says when to retry and what bounds that. It is an immutable value, compiled once; keep it in a package
// variable and let all goroutines share it:
//
//	var load = retry.WhenThrows(retry.Is(ErrBusy)).Max(4).Backoff(50 * time.Millisecond).Within(2 * time.Second)
//
//	err := load.Run(ctx, func(ctx context.Context) error { return client.Load(ctx, id) })
//
// A chain with a result names its type once, by [For], [When] or [WhenReturns], and runs by Call.
//
// # What a session does
//
// A session is one protected call: the first attempt and its retries. What it may do is said by policies. A policy
// implements one phase or more, and the loop asks the phases in this order:
//
//	gates           before there is a session; each may reject the call      [Gate]
//	start           once, when the call is admitted                          [Starter]
//	attempt         the user's code, under a context that is the session
//	classification  the largest verdict of all policies holds                [Judge]
//	limits          may another attempt be made?                             [Limiter]
//	waits           the largest proposal holds                               [Waiter]
//	deadline        a wait that would pass it is not begun
//	takes           paid for each retry that really starts                   [Taker]
//	one wait, then the next attempt
//	end             always, also after a panic or runtime.Goexit             [Ender]
//	fallback        only when the session was exhausted or the call rejected
//
// Success comes first: classification is asked before any limit, so a success on the last allowed attempt is a success.
// A failure that no policy calls worth a retry ends the session at once and is returned as it is, without a fallback.
// A session that wanted to go on and was refused is exhausted: its fallback runs, or its caller gets exactly what the
// last attempt returned.
//
// # Bound what retries add
//
// Retries multiply load exactly when a peer is weakest. Besides a number of attempts, use a budget ([NewBudget]), which
// bounds retries to a share of the traffic, and a circuit breaker ([NewCircuitBreaker]). A chain that says no bound at
// all makes at most [DefaultMaxAttempts] attempts. Retries happen at one layer: an outer session does not repeat what a
// session inside it has already given up, unless it says RetryNested.
//
// # Inside an attempt
//
// [FromContext] tells the attempt's number and the idempotency key, which is the same in all attempts. [WithKey] sets
// it, [Once] switches retries off for all sessions below, [WithReport] asks for an account of one call.
//
// # Write a policy
//
// A policy is any value with a kind and a phase. It serves all sessions of a method at once, so it keeps nothing of one
// session and must be safe for concurrent use. [PolicyFrom] makes it usable in annotations.
package retry
