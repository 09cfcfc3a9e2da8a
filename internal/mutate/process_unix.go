//go:build unix

package main

import (
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// endWithContext gives a command a process group of its own, and ends all of it when the command's context ends: a test
// may have started processes itself.
func endWithContext(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
}

// bounded is the command line that runs a program with at most so much address space, for mutants that allocate without
// end.
func bounded(megabytes int, program string, args ...string) []string {
	limit := strconv.Itoa(megabytes << 10)
	return append([]string{"sh", "-c", `ulimit -v ` + limit + ` && exec "$@"`, "sh", program}, args...)
}
