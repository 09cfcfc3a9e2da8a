// Package annotation holds what is declared: marks on a struct, options at registration, custom annotations, and the
// registry of all of them.
//
// An annotation is a typed value attached to methods of a service: any struct. One that embeds [AbstractRetry], or another
// retry annotation, is a retry annotation: calls of its methods run in a session of package retry, with the attributes that
// the annotation sets. Package aliases has the stock ones.
//
// # Mark an implementation
//
// A blank field of type [On] attaches an annotation to methods that the struct has, its own or promoted ones:
//
//	type StripeGateway struct {
//		_ annotation.On[aliases.BackoffRetryThrowable] `method:"Charge,Refund" maxAttempts:"4" fallback:"OfflineGateway@Charge"`
//		client *http.Client
//	}
//
// The key method selects methods; every other key sets an attribute, or an own field of the annotation, by its name in
// lower camel case: maxAttempts, base, ttl, apiKey. A value is a duration with its unit, a number, true or false, a text, a
// list by comma, or whatever a type reads that is an encoding.TextUnmarshaler. A struct of these, such as the settings of a
// budget and of a breaker, is key=value pairs by comma. Lists in structs, maps and funcs are set in code, by [Set].
//
//	budget:"ttl=10s,minPerSec=1,percent=0.2,deposit=call"
//	breaker:"resetTimeout=10s,window=50,minCalls=20,failureRatio=0.5"
//	breaker:"window=10s,slowCall=2s,slowRatio=0.4,consecutive=5,probes=2"
//
// The whole tag has to be right. A space after a colon, a key twice or unknown, a value that does not parse, a method that
// does not exist: each is a [DefinitionError] that says what to write instead. Marks of an embedded struct count for the
// methods that it promotes, and not for those that the outer struct shadows.
//
// # Annotate at the registration
//
// container.Annotate and aspect.Annotate take a method expression, or names and globs, and options of this package, one
// func for each attribute:
//
//	container.Annotate[aliases.Retry](PaymentGateway.Charge,
//		annotation.MaxAttempts(3),
//		annotation.Fallback((*OfflineGateway).Charge))
//
// # Select methods
//
// Methods are names and globs by comma. In a glob, * is any run of characters and everything else is literal; a ! takes
// methods out: "Get*,!GetAll". A glob skips the methods that could never be retried under the annotation: a Retry needs an
// error result, a RetryFalsy a result to judge, an AttemptTimeout a context. A method that is named has to fit.
//
// # Make an annotation
//
// Embed the annotation that comes nearest, and list in Defaults what differs from it:
//
//	type TimeoutRetry struct {
//		aliases.BackoffRetryThrowable
//		Tenant string
//	}
//
//	func (TimeoutRetry) Defaults() []annotation.Option {
//		return []annotation.Option{
//			annotation.MaxAttempts(3),
//			annotation.RetryErrors(retry.Is(ErrTimeout)),
//		}
//	}
//
// Defaults are layered along the embedding: the table below, what the container sets for all, the embedded annotation's,
// the type's own, and then what is written by hand. They are asked of a zero value, once for each service. Exported fields
// are set by tags, or in code by [Set]. An annotation that has a method Validate() error is asked when its fields are set.
//
// # Set attributes
//
//	MaxAttempts                     10; retry.Unlimited has to be written
//	Base, SleepStrategy, MaxDelay   0, retry.Flat, 60 s
//	Budget, BudgetName              TTL 10 s, MinPerSec 1, Percent 0.2, a deposit for every call; one for each method
//	RetryErrors, RetryIfError       any error; none that RetryErrors lists where RetryIfError is set alone
//	RetryIfResult                   no result
//	IgnoreErrors, OnlyIf            none; they have the last word, wherever they are written
//	Fallback                        none
//	Timeout, AttemptTimeout         none
//	Breaker, BreakerName            ResetTimeout 10 s, opens when a session is exhausted; one for each method
//	WaitHint, BeforeRetry, Discard  none
//	RetryPanics, RetryNested        false
//	WrapExhausted                   false
//	Policies, AddPolicies           fallback, classifier, budget, maxAttempts, sleep
//
// An attribute that is set by hand brings the policy that enforces it into the list, at its canonical place: Timeout works
// on a Retry. So does one in Defaults, unless a nearer layer replaces the list by [Policies]. Unset is not zero: Base(0)
// replaces an alias's base.
//
// Functions are given as a func, as a method expression of a service's concrete type, as "Class@Method" or
// "Class#name@Method", or by the name that a func is supplied under. In a tag, matchers are named likewise, beside any and
// none, and falsy is retry.Falsy.
//
// # Where several meet
//
// Of one annotation type the nearer replaces the farther as a whole: a method that is named, a longer glob, a shorter one. It
// replaces none of another type, and a type that embeds it is another one: a method may carry both.
//
// Of an annotation that is no retry annotation, one mark and one registration that are equally near make one, in which the
// registration's fields hold. As soon as there are several of either, each stands by itself: a mark with a topic and a
// registration with a level are one annotation with both, and with one more registration they are three.
//
// Retry annotations of different types merge, and so do all of one type that are equally near; where a mark and a registration
// are of one type its Defaults count once, as the mark's. Policies unite. Of several settings of one attribute the nearer
// holds; then the one by hand over one in Defaults; then the registration's over the tag's, so that a deployment can tune what
// an author wrote. RetryErrors, RetryIfError and RetryIfResult unite among the settings of the highest rank that has any of the
// three; IgnoreErrors and OnlyIf unite over all. Two settings of equal rank that differ are a definition error. So are settings
// by hand that undo each other at a method that is named:
// retryErrors none without another condition, a base longer than maxDelay, an attemptTimeout longer than timeout.
//
// # Ask what is declared
//
// A [Registry] tells the annotations of a method and the methods of an annotation, with their values:
//
//	for _, e := range annotation.AllOf[QuotaRetry](c.Registry()) {
//		fmt.Println(e.Ref, e.Annotation.(QuotaRetry).Tenant)
//	}
//
// # Weave
//
// What says "for those who weave" is for packages aspect and container, and for an integration with another container:
// [Declare] and [Marks] collect the declarations of a service, [Resolve] decides what holds for each of its methods, and
// [Registry.Add] makes it known.
package annotation
