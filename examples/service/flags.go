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
	"github.com/backstay/backstay/examples/service/internal/web"
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
	forever bool
	listen  string // host:port of the live page; "" serves none
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
                   outage  a full outage of 12.2 s and nothing else. The breaker only counts then, so that
                           the budget shows; with -listen it opens as declared, and "Metrics only" on the
                           page leaves the outage to the budget
  -seed N        what the peer's faults are drawn from (default 1)
  -rate N        orders a second, 1 to 1000 (default 70)
  -naive         charge with hand-written retries: the same attempts and waits, but no budget and no breaker
  -forever       go on until Ctrl-C: the orders come again and again, under new numbers, in rounds of 30 s.
                 Each round has the faults anew and ends with its proof; then it is forgotten, by the peer too
  -listen ADDR   serve a live page of the run, until Ctrl-C; the first line printed is its URL.
                 :8080 is 127.0.0.1:8080, and :0 takes a free port. For others to reach it, write the host
                 out, such as 0.0.0.0:8080: they can look, but nobody can turn the breaker then
                   /backstay/        the page: what fails, since when, what callers get, what is refused
                   /backstay/state   the same as JSON
                   /health, /status  the container's health, and its breakers and budgets, as JSON
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
  go run ./examples/service -listen :8080 -faults outage -forever    open the page and watch outages come and go
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
	fs.BoolVar(&o.forever, "forever", false, "")
	fs.StringVar(&o.listen, "listen", "", "")
	fs.BoolVar(&o.verbose, "v", false, "")
	fs.StringVar((*string)(&o.graph), "graph", "", "")
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(help, usage)
		return o, err
	}
	o.peer = strings.TrimRight(o.peer, "/")
	if err == nil {
		o.listen, err = completeAddress(o.listen)
	}
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
	if o.naive && o.listen != "" {
		return errors.New("-listen shows what Backstay does, and with -naive it does nothing: write one of the two")
	}
	if o.peer == "" {
		return nil
	}
	u, err := url.Parse(o.peer)
	if err != nil || u.Scheme != "http" || u.Path != "" || !web.IsLoopback(u.Hostname()) {
		return fmt.Errorf("-peer %q: write the URL of a peer on this machine, such as http://127.0.0.1:8090", o.peer)
	}
	return nil
}

// onlyCounts reports whether the breaker admits every call and only counts. In the outage of the command line what is to be
// seen is the budget, and an open breaker would keep nearly all attempts from the peer and hide it. Who watches the page wants
// to see it work.
func (o options) onlyCounts() bool { return o.faults == "outage" && !o.naive && o.listen == "" }

// checkLength refuses a run that would take too long, unless it is to go on anyway.
func (o options) checkLength(orders int) error {
	if o.forever {
		return nil
	}
	if t := time.Duration(orders) * time.Second / time.Duration(o.rate); t > maxTime {
		return fmt.Errorf("-rate %d: %d orders would take %v, and a run takes %v at most; write a higher rate", o.rate, orders, t, maxTime)
	}
	return nil
}
