package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/backstay/backstay/examples/service/internal/peer"
	"github.com/backstay/backstay/examples/service/internal/shop"
)

// The exit statuses.
const (
	exitOK       = 0
	exitNotTrue  = 1 // an order was lost or charged twice, or it cannot be proven that none was
	exitNotBegun = 2 // nothing was charged
)

// pace is how the example charges: four attempts, after 100, 200 and 400 ms.
var pace = shop.Pace{
	Attempts:     4,
	FirstWait:    100 * time.Millisecond,
	AnswerWithin: 500 * time.Millisecond,
	BreakerReset: time.Second,
}

// command is the program: it runs with args and returns the exit status.
func command(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	r, err := prepare(args, stdout)
	if errors.Is(err, flag.ErrHelp) {
		return exitOK
	}
	if err == nil && r.graph != "" {
		fmt.Fprint(stdout, r.graph.of(wiring()))
		return exitOK
	}
	if err != nil {
		fmt.Fprintf(stderr, "service: %v\n", err)
		return exitNotBegun
	}
	_, status := r.perform(ctx, stdout, stderr)
	return status
}

// prepare makes a run of what args ask for. Nothing is charged by it.
func prepare(args []string, help io.Writer) (run, error) {
	o, err := parseFlags(args, help)
	if err != nil {
		return run{}, err
	}
	orders, err := load(o.orders)
	if err != nil {
		return run{}, err
	}
	if err := o.checkLength(len(orders)); err != nil {
		return run{}, err
	}
	plan, err := peer.PlanNamed(o.faults)
	return run{options: o, orders: orders, plan: plan, pace: pace, grace: 3 * time.Second, round: 30 * time.Second}, err
}

// perform carries the run out and prints its report, which it returns with the exit status. A live page is there from before
// the first order until ctx is done.
func (r run) perform(ctx context.Context, stdout, stderr io.Writer) (report, int) {
	show := newScreen(stdout)
	level := slog.LevelWarn
	if r.verbose {
		level = slog.LevelInfo
	}
	log := slog.New(slog.NewTextHandler(show.beside(stderr), &slog.HandlerOptions{Level: level}))
	s, err := r.setUp(ctx, log)
	defer s.close()
	var rep report
	if err == nil {
		r.showPage(s, show, stderr)
		rep, err = r.charge(ctx, s, show, log)
	}
	if err != nil {
		fmt.Fprintf(stderr, "service: %v; nothing was charged\n", err)
		return rep, exitNotBegun
	}
	rep.print(stdout)
	if s.page != nil && ctx.Err() == nil {
		fmt.Fprintf(stdout, "\nthe live page stays until Ctrl-C: %s\n", s.page.URL+mount)
		<-ctx.Done()
	}
	if !rep.proven() {
		return rep, exitNotTrue
	}
	return rep, exitOK
}

// showPage says where the live page is, if there is one, and who else can see it.
func (r run) showPage(s *stand, show *screen, stderr io.Writer) {
	if s.page == nil {
		return
	}
	show.say("live page: %s", s.page.URL+mount)
	if !isPrivate(r.listen) {
		fmt.Fprintf(stderr, "service: others can reach -listen %s and see what is wired and what errors say; nobody can turn the breaker there\n", r.listen)
	}
}
