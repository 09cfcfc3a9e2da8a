//go:build !unix

package main

import (
	"os/exec"
	"time"
)

// endWithContext lets a command end with its context; there are no process groups here.
func endWithContext(cmd *exec.Cmd) { cmd.WaitDelay = 5 * time.Second }

// bounded is the command line that runs a program; nothing bounds its address space here.
func bounded(_ int, program string, args ...string) []string {
	return append([]string{program}, args...)
}
