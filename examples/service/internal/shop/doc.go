// Package shop is what this example is about: a shop that charges its orders at a payment peer which fails in every way
// that a network offers, and that contains no retry, no breaker and no fallback call. It only declares them. Read:
//
//	payment.go       what the shop needs of a payment gateway: an interface, and the errors it knows
//	cardgateway.go   the gateway over HTTP, with its annotations in struct tags
//	paymentretry.go  an annotation of the team's own, with an attribute of its own
//	patience.go      the policy behind that attribute
//	invoice.go       the fallback, a service with dependencies of its own
//	books.go         the peer's ledger, annotated where it is registered
//	logging.go       an aspect: one log line per charge
//	tally.go         a listener: counts what happens
//	shop.go          the shop: it takes a PaymentGateway and knows nothing of all this
//	wiring.go        where it all meets
package shop
