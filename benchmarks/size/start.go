package main

import (
	"fmt"
	"os/exec"
	"time"
)

// greeting is what every program prints.
const greeting = "hello, world\n"

// startAll starts each program so many times, one after the other in turn so that the machine's moods fall on all alike,
// and the one that is first changes. A round before that, which is not counted, fills the file cache and checks what they
// print.
func startAll(all []*binary, runs int) error {
	for _, b := range all {
		out, err := exec.Command(b.path).CombinedOutput()
		if err != nil || string(out) != greeting {
			return fmt.Errorf("%s: it prints %q, %v; want %q", b.name, out, err, greeting)
		}
	}
	for round := range runs {
		for i := range all {
			b := all[(i+round)%len(all)]
			cmd := exec.Command(b.path) // its output goes nowhere
			began := time.Now()
			if err := cmd.Run(); err != nil {
				return fmt.Errorf("%s: %w", b.name, err)
			}
			b.starts = append(b.starts, time.Since(began).Seconds()*1000)
		}
	}
	return nil
}
