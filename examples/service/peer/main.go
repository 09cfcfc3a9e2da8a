// Command peer runs the payment peer of examples/service alone, for the shop's flag -peer:
//
//	go run ./examples/service/peer -addr 127.0.0.1:8090
//	go run ./examples/service -peer http://127.0.0.1:8090
//
// The shop tells it how to fail. Its ledger stays from run to run, so an order that was charged in one is not in the next; the
// flag -forever has it forget what is proven.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/backstay/backstay/examples/service/internal/peer"
)

const usage = `Usage: go run ./examples/service/peer [-addr HOST:PORT]

Runs the payment peer of examples/service until Ctrl-C.

  -addr HOST:PORT   where it listens, on this machine (default 127.0.0.1:8090; port 0 takes a free one)
  -h                this

  POST   /charges            charges a card, once per Idempotency-Key
  GET    /ledger             what has been charged
  DELETE /ledger?through=ID  forgets what has been charged, up to that one; the shop does it with -forever
  GET    /stats              what has arrived since the shop set the faults
  PUT    /plan               sets the faults; the shop does it
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := serve(ctx, os.Args[1:], os.Stdout)
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(os.Stderr, "peer: %v\n", err)
		os.Exit(2)
	}
}

// serve runs a peer until ctx is done.
func serve(ctx context.Context, args []string, out io.Writer) error {
	fs := flag.NewFlagSet("peer", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	addr := fs.String("addr", "127.0.0.1:8090", "")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprint(out, usage)
		}
		return err
	}
	if fs.NArg() > 0 {
		return fmt.Errorf("%q is no flag (-h explains them)", fs.Arg(0))
	}
	server, err := peer.Start(*addr, peer.New())
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "payment peer at %s; charge with: go run ./examples/service -peer %[1]s\n", server.URL)
	<-ctx.Done()
	return server.Close()
}
