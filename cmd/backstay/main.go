package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/backstay/backstay/cmd/backstay/internal/directive"
)

// Exit statuses.
const (
	exitOK       = 0
	exitProblems = 1 // something is wrong, or -check found a file that is out of date
	exitUsage    = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// run is the whole command, in the current directory.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := directive.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprint(stdout, usage)
		return exitOK
	case err == nil:
		err = misuse(o)
	}
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			fmt.Fprintf(stderr, "backstay: %s\n", strings.TrimSuffix(line, "\n"))
		}
		fmt.Fprintln(stderr, "backstay: go tool backstay -h tells how it is used")
		return exitUsage
	}
	s := &session{options: o}
	if err := s.generate(ctx); err != nil {
		s.report(err)
	}
	return s.finish(stderr)
}

// misuse says what is wrong with arguments that are right one by one.
func misuse(o directive.Options) error {
	switch {
	case len(o.Types) > 0:
		return nil
	case len(o.Patterns) == 0:
		return errors.New("nothing to do; name interfaces with -type, or packages, such as \"./...\"")
	case o.Out != "":
		return errors.New("-o is for what -type names; write it into the directives instead")
	}
	return nil
}
