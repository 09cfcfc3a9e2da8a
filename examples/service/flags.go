package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/backstay/backstay/examples/service/internal/peer"
)

// What keeps a run bounded.
const (
	maxRate = 1000
	maxTime = 10 * time.Minute
)

// options are the flags.
type options struct {
	orders  string // file; "" is the embedded one
	peer    string // URL; "" starts one in this process
	faults  string
	seed    uint64
	rate    int // orders a second
	naive   bool
	verbose bool
	graph   graphForm // of what is wired; "" charges orders
}

const usage = `Usage: go run ./examples/service [flags]

Charges the orders of a CSV file at a payment peer that fails, and proves that none was lost and none charged twice.

  -orders FILE   orders to charge: CSV with the columns order,customer,item,card,total
                 (default: the 1000 orders of examples/service/orders.csv)
  -faults NAME   how the peer fails (default flaky)
                   none    it does not
                   flaky   503 with Retry-After, connections reset in mid-answer, slow and pending answers,
                           and a full outage of 2.5 s
                   outage  a full outage of 12.2 s and nothing else; the breaker only counts then,
                           so that the budget shows
  -seed N        what the peer's faults are drawn from (default 1)
  -rate N        orders a second, 1 to 1000 (default 70)
  -naive         charge with hand-written retries: the same attempts and waits, but no budget and no breaker
  -peer URL      a peer that runs already, on this machine (default: one that is started in this process);
                 -faults and -seed are sent to it
  -v             log each charge to standard error
  -graph FORM    print what is wired instead, and charge nothing
                   text     all of it, with where each setting was written
                   mermaid  the picture in README.md
                   dot      the same for Graphviz
  -h             this

Exit status: 0 when no order was lost and none charged twice, 1 when that is false or cannot be proven,
2 for wrong flags or a wrong file; nothing is charged then. Ctrl-C ends the run with the table so far.

Examples:
  go run ./examples/service
  go run ./examples/service -faults outage           retries are bounded: see the amplification
  go run ./examples/service -faults outage -naive    plain retries: compare the amplification
  go run ./examples/service -orders my.csv -faults none -rate 20

  go run ./examples/service -graph dot | dot -Tsvg > service.svg

  go run ./examples/service/peer                     in another terminal
  go run ./examples/service -peer http://127.0.0.1:8090
`

// parseFlags reads args. For -h it prints the usage to help and returns flag.ErrHelp.
func parseFlags(args []string, help io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("service", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&o.orders, "orders", "", "")
	fs.StringVar(&o.peer, "peer", "", "")
	fs.StringVar(&o.faults, "faults", "flaky", "")
	fs.Uint64Var(&o.seed, "seed", 1, "")
	fs.IntVar(&o.rate, "rate", 70, "")
	fs.BoolVar(&o.naive, "naive", false, "")
	fs.BoolVar(&o.verbose, "v", false, "")
	fs.StringVar((*string)(&o.graph), "graph", "", "")
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(help, usage)
		return o, err
	}
	o.peer = strings.TrimRight(o.peer, "/")
	if err == nil {
		err = o.check(fs.Args())
	}
	if err != nil {
		return o, fmt.Errorf("%w (-h explains the flags)", err)
	}
	return o, nil
}

func (o options) check(rest []string) error {
	if len(rest) > 0 {
		return fmt.Errorf("%q is no flag", rest[0])
	}
	if _, err := peer.PlanNamed(o.faults); err != nil {
		return fmt.Errorf("-faults: %w", err)
	}
	if err := o.graph.check(); err != nil {
		return err
	}
	if o.rate < 1 || o.rate > maxRate {
		return fmt.Errorf("-rate %d: write a number from 1 to %d", o.rate, maxRate)
	}
	if o.peer == "" {
		return nil
	}
	u, err := url.Parse(o.peer)
	if err != nil || u.Scheme != "http" || u.Path != "" || !peer.IsLoopback(u.Hostname()) {
		return fmt.Errorf("-peer %q: write the URL of a peer on this machine, such as http://127.0.0.1:8090", o.peer)
	}
	return nil
}

// checkLength refuses a run that would take too long.
func (o options) checkLength(orders int) error {
	if t := time.Duration(orders) * time.Second / time.Duration(o.rate); t > maxTime {
		return fmt.Errorf("-rate %d: %d orders would take %v, and a run takes %v at most; write a higher rate", o.rate, orders, t, maxTime)
	}
	return nil
}
