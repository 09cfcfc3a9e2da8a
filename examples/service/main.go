// Command service is a shop that charges its orders at a payment peer over HTTP. The peer fails in every way that a
// network offers; the shop loses no order and charges none twice, and contains no retry, no breaker and no fallback call.
//
//	go run ./examples/service                        a peer that fails now and then, and once altogether
//	go run ./examples/service -faults outage         a peer that is down for twelve seconds
//	go run ./examples/service -faults outage -naive  the same with hand-written retries
//	go run ./examples/service -graph text            what is wired, and why; nothing is charged
//
//	go run ./examples/service -listen :8080 -faults outage -forever
//
// The last one serves a live page, on which outages come and go as an operator sees them, until Ctrl-C.
//
// What the shop declares is in internal/shop, and its doc.go says in which order to read it. The peer is in internal/peer.
// This package is what a demonstration needs around them: it lets orders arrive, shows what happens, and proves at the end,
// from the peer's ledger, what became of each order. page.go has how a service mounts the live page.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends it the hard way
	os.Exit(command(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
