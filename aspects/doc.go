// Package aspects has ready-made aspects: logging, timing, recovery from panics, a cache, a bulkhead and a rate limit. It is a
// module of its own, so that users of the core download nothing for it.
//
// # Put one around calls
//
// Each is an aspect like one of your own: a value made by its constructor, given to a container or a weaver with a
// pointcut and a priority. Those that have settings for each method read them from an annotation:
//
//	type PgUsers struct {
//		_  annotation.On[aspects.Cacheable] `method:"Get" ttl:"30s"`
//		_  annotation.On[aspects.Bulkhead]  `method:"*" maxConcurrent:"10" maxQueue:"50" maxWait:"200ms"`
//		db *sql.DB
//	}
//
//	c := container.New()
//	c.Provide(NewPgUsers, container.As[Users]())
//	c.Supply(aspects.NewCache(), container.AsAspect(aspect.Annotated[aspects.Cacheable](), aspects.CachePriority))
//	c.Supply(aspects.NewBulkhead(), container.AsAspect(aspect.Annotated[aspects.Bulkhead](), aspects.BulkheadPriority))
//	c.Supply(aspects.NewLogging(logger), container.AsAspect(aspect.Class("Pg*"), aspects.LoggingPriority))
//
// The same in code, where a method expression is checked by the compiler:
//
//	container.Annotate[aspects.RateLimit](PaymentGateway.Charge,
//		annotation.Set(func(r *aspects.RateLimit) { r.PerSecond = 50 }))
//
// An annotation does nothing by itself: the aspect that reads it has to be there.
//
// # In which order
//
// The order of a chain decides what its aspects mean. These priorities are a suggestion that fits together, the outermost
// first:
//
//	priority             around       so that
//	LoggingPriority      each call    there is one line a call, with what the caller has got and how long it took
//	TimingPriority       each call    the times are those that callers see, waits and retries included
//	RecoverPriority      each call    a panic is logged and timed as an error, and is not retried
//	CachePriority        each call    a hit costs no attempt, no retry of anybody's budget, no token and no permit
//	aspect.RetryPriority              sessions: retry, breaker, fallback, timeout
//	RateLimitPriority    each attempt retries count towards the peer's quota, and no permit is held while waiting
//	BulkheadPriority     each attempt a permit is held while the peer is busy with the call, and not between attempts
//
// Any other number may be given. Logging at aspect.RetryPriority-1, for instance, writes a line for each attempt.
//
// # What a retry makes of a refusal
//
// A call that a bulkhead or a rate limit refuses ends with a *retry.RejectedError, as one that a breaker refuses:
// errors.Is finds [ErrBulkheadFull] or [ErrRateLimited] in it, and the method has not run. The text of the first tells a
// queue without a place from a wait of MaxWait.
//
// A full bulkhead is not retried: more calls are what it suffers from, and a breaker does not count it, since it tells
// nothing of the peer. So the session ends at once, without a fallback. A list that names the error has the last word:
// annotation.RetryErrors(retry.AnyError, retry.Is(aspects.ErrBulkheadFull)) retries it too.
//
// A refusal of the rate limit is retried like any error, and says when: the next wait is at least until there is a token. A
// breaker counts it; beside one, let calls wait for their token (RateLimit.Wait) rather than refuse them.
//
// # State
//
// What is cached, and who holds a permit, belongs to one aspect value and one method of a service, whatever the number of
// its instances: a scoped service has one bulkhead. Methods that write the same name in their annotations share one. An
// aspect value is given to one container or weaver. All of them are safe for concurrent use; none starts a goroutine.
//
// # What does not fit
//
// A cache, a bulkhead, a rate limit and a timing are asked about each method that they meet before anything is called: see
// [aspect.Checker]. Definition errors of container.Verify and of aspect.Wrap are
//
//   - a method without an annotation, where the aspect has no default, and a default that is not valid;
//   - a method with several, one that embeds another counted: they do not add up, and one alone can hold;
//   - a timing that has nobody to tell;
//   - a bulkhead or a rate limit of a method that returns no error, by which it could be refused;
//   - a cache of a method that returns nothing else, or whose arguments can be in no key, such as a slice;
//   - methods that share a name and write different settings for it.
//
// An aspect that is provided, and not supplied, is asked when it has been built.
//
// What only a call can tell is whether the value of an argument, or what Cacheable.Key returns, can be a key: a slice in an
// any cannot. That call ends with an *annotation.DefinitionError; a method without an error result raises it as a panic. So
// do all calls of a method that does not fit where nobody has asked, because another aspect hides the one that would know.
package aspects
