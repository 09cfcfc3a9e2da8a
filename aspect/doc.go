// Package aspect holds join points, pointcuts and the weaver that puts aspects around the methods of a service.
//
// # Weave one service
//
// A woven service is a value that implements the service's interface and runs the method's chain of aspects around the
// target. With a container of your own, one line does it:
//
//	w := aspect.NewWeaver(aspect.WithListener(listener))
//	gateway, err := aspect.Wrap[PaymentGateway](w, target,
//		aspect.Annotate[aliases.Retry](PaymentGateway.Charge, annotation.MaxAttempts(3)))
//
// The marks on the target's struct are read as well. A method without aspects goes straight through; a service without
// aspects is not wrapped at all. Backstay's own container weaves whatever it provides.
//
// # Write an aspect
//
// An aspect is code around a call. It gets the call as a [JoinPoint] and proceeds, once, more often or not at all:
//
//	timing := aspect.Func(func(jp aspect.JoinPoint) error {
//		begin := time.Now()
//		err := jp.Proceed()
//		slog.Info("call", "method", jp.Ref(), "took", time.Since(begin), "err", err)
//		return err
//	})
//	w := aspect.NewWeaver(aspect.WithAspect(aspect.Class("Stripe*"), aspect.RetryPriority+1, timing))
//
// Larger priorities are further out. At RetryPriority+1 the aspect runs once around all attempts, at RetryPriority-1 once
// around each. Proceed may be called again, also after a panic; arguments that an aspect has replaced are restored when
// it returns; results are cleared before each attempt.
//
// # Choose where
//
// A [Pointcut] matches an annotation or its kind ([Annotated]), a class ([Class]), an interface ([Interface]), a method
// ([Method]), what a reference means ([At]), or a composition of these ([And], [Or], [Not]). It prints itself, and
// [ParsePointcut] reads that back; one that matches nothing is a definition error, but for [Optional].
//
// # Choose the kind of proxy
//
// Without any preparation a proxy is made at run time, of any interface that has no unexported methods, on amd64 and
// arm64. A generated one, made by go tool backstay, is preferred where there is one: it is plain Go without reflection, on
// every platform. [KindOf] tells them apart. Both run the same chain, and are made for all interfaces that the service is
// provided as together: where there are several, a generated proxy is that of an interface which embeds just these.
// [RegisterProxy], [Frame], [Call], [Chain] and [Proxy] are for generated files alone.
//
// # What cannot be intercepted
//
// Calls that a target makes on itself go past the proxy, as do calls on the concrete type. A service that wants its own
// woven methods asks the container for itself as a Lazy of its interface. A proxy is not its target: a type switch on the
// concrete type fails, and optional methods that the interface does not have are hidden; [Unwrap] gives the target.
// Slices, maps and pointers among the arguments are shared by all attempts.
package aspect
