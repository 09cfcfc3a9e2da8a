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
	return run{options: o, orders: orders, plan: plan, pace: pace, grace: 3 * time.Second}, err
}

// perform carries the run out and prints its report, which it returns with the exit status.
func (r run) perform(ctx context.Context, stdout, stderr io.Writer) (report, int) {
	show := newScreen(stdout)
	level := slog.LevelWarn
	if r.verbose {
		level = slog.LevelInfo
	}
	log := slog.New(slog.NewTextHandler(show.beside(stderr), &slog.HandlerOptions{Level: level}))
	rep, err := r.charge(ctx, show, log)
	if err != nil {
		fmt.Fprintf(stderr, "service: %v; nothing was charged\n", err)
		return rep, exitNotBegun
	}
	rep.print(stdout)
	if !rep.proven() {
		return rep, exitNotTrue
	}
	return rep, exitOK
}
