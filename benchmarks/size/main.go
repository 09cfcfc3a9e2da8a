// Command size tells how big a minimal program is, and how long it takes to start, with Backstay and without.
//
// It builds the programs under size/programs, each with and without debugging information, runs them in turn, and prints a
// table in Markdown. Flags:
//
//	-runs N     how often each program is started (200)
//	-md FILE    write the report to FILE as well
//	-why        also list what switches the linker's elimination of methods off, and which packages weigh most
//
// It must run inside this module, since it calls go build.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	runs := flag.Int("runs", 200, "how often each program is started")
	file := flag.String("md", "", "write the report to this `file` as well")
	why := flag.Bool("why", false, "also list what switches the elimination of methods off, and the heaviest packages")
	flag.Parse()
	var b bytes.Buffer
	err := report(io.MultiWriter(os.Stdout, &b), *runs, *why)
	if err == nil && *file != "" {
		err = os.WriteFile(*file, b.Bytes(), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "size:", err)
		os.Exit(1)
	}
}

// report builds, runs and tells.
func report(w io.Writer, runs int, why bool) error {
	if runs < 1 {
		return fmt.Errorf("-runs %d: at least 1", runs)
	}
	dir, err := os.MkdirTemp("", "size")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	built, err := buildAll(dir, programs)
	if err != nil {
		return err
	}
	if err := startAll(built, runs); err != nil {
		return err
	}
	writeSizes(w, built, runs)
	if why {
		return writeReasons(w, dir)
	}
	return nil
}
