package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/backstay/backstay/examples/storm/internal/sim"
)

// options are the flags.
type options struct {
	model sim.Model
	dir   string // for pictures; "" draws none
}

const usage = `Usage: go run . [flags]

Simulates a fleet of clients whose peer fails for a while, once for each way to retry, and tells what became of the peer and
of the calls. Time is virtual; the policies are Backstay's own.

  -seed N       what all chance is drawn from (default 1): the same seed gives the same figures
  -clients N    processes that call, each with its own budget and breaker (default 20)
  -rate N       calls per second, of all clients together (default 700)
  -capacity N   requests per second that the peer can serve (default 1000); its queue holds 2 s of that
  -outage D     how long the peer fails, in whole seconds (default 30s); 30 s before it and 90 s after it are simulated too
  -failing N    percent of the requests that fail in the outage (default 100)
  -o DIR        draw pictures into DIR: storm.svg, load.svg, goodput.svg, layers.svg
  -h            this

Exit status: 0; 1 when a picture cannot be written; 2 for wrong flags.

Examples:
  go run .
  go run . -failing 40        an outage of a part: breakers refuse good calls too, a budget does not
  go run . -capacity 4000     room for four attempts: no storm, but for three layers
  go run . -o ../../docs/storm
`

// parseFlags reads args. For -h it prints the usage to help and returns flag.ErrHelp.
func parseFlags(args []string, help io.Writer) (options, error) {
	o := options{model: sim.Default()}
	m := &o.model
	fs := flag.NewFlagSet("storm", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Uint64Var(&m.Seed, "seed", m.Seed, "")
	fs.IntVar(&m.Clients, "clients", m.Clients, "")
	fs.IntVar(&m.Rate, "rate", m.Rate, "")
	fs.IntVar(&m.Capacity, "capacity", m.Capacity, "")
	fs.Func("outage", "", func(text string) (err error) {
		if m.Outage, err = time.ParseDuration(text); err != nil {
			return errors.New("write a duration with its unit, such as 30s")
		}
		return nil
	})
	fs.IntVar(&m.Failing, "failing", m.Failing, "")
	fs.StringVar(&o.dir, "o", "", "")
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(help, usage)
		return o, err
	}
	m.Queue = 2 * m.Capacity
	switch {
	case err != nil:
	case fs.NArg() > 0:
		err = fmt.Errorf("%q is no flag", fs.Arg(0))
	default:
		err = m.Check()
	}
	if err != nil {
		return o, fmt.Errorf("%w (-h explains the flags)", err)
	}
	return o, nil
}
