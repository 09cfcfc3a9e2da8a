// Package eventlog writes what happens in sessions to a log/slog logger: which calls fail, what is done about it, and what is
// refused. A [Log] is a retry.Listener; it needs nothing but the standard library.
//
// # Write what happens
//
// Give a container one. It hears of all services:
//
//	c := container.New(container.WithListener(eventlog.New(slog.Default())))
//
// A weaver takes it by aspect.WithListener, a chain by Listen:
//
//	var log = eventlog.New(slog.Default())
//	var load = retry.WhenThrows().Max(3).Named("load").Listen(log)
//
// With a nil logger records go to what slog.Default is at the time. Attributes of your own come from the logger, for instance
// slog.With("component", "backstay"), or in a group of their own by WithGroup.
//
// # Choose levels
//
// A record's message is one of its kind, so that it can be searched for. These are the kinds, their usual levels, and the
// attributes beside those of the method:
//
//	message                 level  attributes
//	attempt failed          DEBUG  attempt, error, session
//	retry scheduled         DEBUG  attempt, wait, error, session
//	call succeeded          DEBUG  attempts, elapsed, session
//	call failed             DEBUG  attempts, elapsed, error, session
//	call canceled           DEBUG  attempts, elapsed, error, session
//	call exhausted          WARN   attempts, elapsed, limit, reason, error, session
//	call rejected           WARN   gate, reason, session
//	call aborted            WARN   attempts, elapsed, session
//	fallback succeeded      INFO   cause, session
//	fallback failed         WARN   cause, error, session
//	budget refused a retry  DEBUG  budget, session
//	breaker changed         ERROR  breaker, from, to, retryAfter
//
// They follow one question: has somebody something to do?
//
//   - A retry is what the annotation asks for, and a success after it is as good as any: DEBUG. A success at the first attempt
//     is not written at all. How many there are of either is better seen in metrics.
//   - A failure that is not worth a retry, or that the caller's context has ended, is returned as it is: its caller knows what
//     it means and logs it. Here it is DEBUG, or each would be told twice.
//   - Where Backstay gives up, refuses, or sees a panic pass through, it is WARN: each is a call that did not do what it was
//     made for. That a fallback has made it good is INFO; that the fallback has failed too is WARN. A retry that a budget
//     refused is DEBUG, since the exhausted call that follows names the limit.
//   - ERROR is kept for a breaker that opens: a peer is down. When a probe finds that it still is, and the breaker goes from
//     half-open to open again, that is WARN: an outage is one error for each breaker. Half-open and closed are INFO; what an
//     operator has forced is WARN, since it lasts until somebody thinks of Reset.
//
// [WithLevel] decides otherwise, by kind, method, or whatever an event tells. [Silent] writes nothing:
//
//	eventlog.WithLevel(func(e retry.Event, usual slog.Level) slog.Level {
//		switch e := e.(type) {
//		case retry.Succeeded:
//			return slog.LevelInfo // those at the first attempt too
//		case retry.Exhausted:
//			if e.Limit == "once" {
//				return eventlog.Silent
//			}
//		}
//		return usual
//	})
//
// What the handler has not enabled costs no lock, no clock reading, and no allocation beyond the event's own, which any listener
// costs.
//
// # Keep an outage readable
//
// When a peer is down, thousands of calls a second tell the same. Of the same kind and method, at most 10 records are written
// in a second; the first one after that has the number of those that were held back, as suppressed. [WithSampling] takes other
// numbers. A count is told when there is a record to tell it, not by a timer. Changes of breakers are always written.
//
// Memory is bounded, however many names chains have: 2000 pairs of kind and method are told apart, in at most 400 kB, and
// those whose interval is over make room. While there is none, the records of all other methods are counted together, kind by
// kind, and so is what they tell as suppressed. Names are not kept.
//
// # Keep secrets out
//
// Arguments and results are never written. The texts of errors are, up to 500 bytes of each, and they may hold what whoever
// made the error has put into it:
//
//   - URLs with tokens in their query, as in the errors of net/http;
//   - a value that did not parse or that a constraint refused, as in the errors of strconv and of many database drivers;
//   - addresses and names of users, hosts, files and queries, and parts of a peer's answer;
//   - under RetryPanics, whatever was given to panic.
//
// Where logs are read by others than those who may see that, [WithRedact] writes another text: the error's type, a code, or what
// is left when the secrets are cut out. It is asked about every error that is written, reasons and causes included.
//
// # Find the records of one call
//
// Records are written in the goroutine of the call and with its context: a handler that adds a trace's id finds it there. A
// breaker's change belongs to no call; its context is empty. Without traces, the attribute session has the same number in all
// records of a call, its fallback's included. It is not unique for ever: when a call has ended, another may get its number.
//
// # Attributes
//
// One that has nothing to tell is left out. Durations are slog's: "1.5s" as text, nanoseconds in JSON.
//
//	attribute   kind      what it tells
//	class       string    the service's class; chains have none
//	name        string    the service's name if it has one; of a chain what Named was given
//	method      string    the method; chains have none
//	attempt     int64     counted from 1: the one that failed, or the one that is to come
//	attempts    int64     how many were made
//	wait        duration  until the attempt that is to come
//	elapsed     duration  since the call began, waits included
//	limit       string    what refused another attempt: a policy's kind, or deadline, nested, once, beforeRetry
//	gate        string    the kind of the policy that refused the call: circuitBreaker of a breaker
//	reason      string    what a policy of yours, or the gate, said when it refused
//	error       string    of the attempt, or of the fallback that failed; none where the result was the reason
//	cause       string    the error for which the fallback ran
//	budget      string    the budget that refused, where methods share it
//	breaker     string    the breaker's name: a shared one, or the reference of its method
//	from        string    the breaker's state before
//	to          string    its state now
//	retryAfter  duration  until an open breaker admits a call
//	session     uint64    the same number in all records of one call
//	suppressed  int64     records of this kind and method that were held back since the one before
//
// A breaker that methods share is told once, beside one of its methods.
package eventlog
