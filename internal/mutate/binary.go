package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"
)

// testBinary is the compiled tests of one package.
type testBinary struct {
	pkg     string
	path    string
	tracing string // the same tests, which write down what mutants they reach
	dir     string
	extra   []string // flags that only some binaries have
	skipped []string // tests that fail with all mutants off: the guards change what they measure
	tests   []*test  // those that are not skipped
	timeout time.Duration
}

// outcome is what a run of tests says about a mutant.
type outcome int8

const (
	lived outcome = iota
	killed
	timedOut
)

// memory is the address space that a run may take, in megabytes.
const memory = 6 << 10

// quietRapid are flags of the property tests' library, known to binaries that use it: a failure would be written into the
// source tree, and then be made smaller for half a minute.
var quietRapid = []string{"-rapid.nofailfile", "-rapid.shrinktime=0s"}

// measure runs the binary with all mutants off, until it passes without the tests that fail for the guards alone, and
// derives the time that a mutant gets from the time that this takes.
func (b *testBinary) measure(ctx context.Context) error {
	usage, _ := exec.CommandContext(ctx, b.path, "-help").CombinedOutput()
	if bytes.Contains(usage, []byte("rapid.nofailfile")) {
		b.extra = quietRapid
	}
	const rounds, most = 2, 2 * time.Minute
	passed := 0
	for range 10 {
		b.timeout = most
		began := time.Now()
		result, out, err := b.run(ctx, 0, b.timeout, "-test.v", skipFlag(b.skipped))
		if err != nil {
			return err
		}
		if result == lived {
			if passed++; passed == rounds {
				b.timeout = 5*time.Since(began) + 5*time.Second
				b.tests = passedTests(out)
				return nil
			}
			continue
		}
		failed := failedTests(out)
		if result == timedOut || len(failed) == 0 {
			return fmt.Errorf("the tests of %s do not pass with all mutants off:\n%s", b.pkg, tail(out))
		}
		b.skipped = append(b.skipped, failed...)
		slices.Sort(b.skipped)
		passed = 0
	}
	return fmt.Errorf("the tests of %s keep failing with all mutants off: %s", b.pkg, strings.Join(b.skipped, ", "))
}

// run runs the binary with one mutant on, and returns what it prints.
func (b *testBinary) run(ctx context.Context, id int, timeout time.Duration, more ...string) (outcome, []byte, error) {
	args := append([]string{"-test.timeout=" + timeout.String()}, b.extra...)
	// A test that never yields may keep the binary from ending itself.
	limited, cancel := context.WithTimeout(ctx, timeout+5*time.Second)
	defer cancel()
	line := bounded(memory, b.path, append(args, more...)...)
	cmd := exec.CommandContext(limited, line[0], line[1:]...)
	cmd.Dir = b.dir
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", variable, id))
	var out head
	cmd.Stdout, cmd.Stderr = &out, &out
	endWithContext(cmd)
	began := time.Now()
	err := cmd.Run()
	if ctx.Err() != nil {
		return lived, nil, ctx.Err()
	}
	var exit *exec.ExitError
	switch {
	case err == nil:
		return lived, out.text, nil
	case time.Since(began) >= timeout:
		return timedOut, out.text, nil
	case errors.As(err, &exit):
		return killed, out.text, nil
	}
	return lived, nil, err
}

// head keeps the first part of what is written: a mutant may print without end.
type head struct{ text []byte }

func (h *head) Write(p []byte) (int, error) {
	const most = 4 << 20
	h.text = append(h.text, p[:min(len(p), most-len(h.text))]...)
	return len(p), nil
}

func tail(out []byte) []byte {
	const most = 4000
	return out[max(0, len(out)-most):]
}

var failLine = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+) `)

// failedTests are the innermost tests that failed: of a test whose subtests did, the others can still kill.
func failedTests(out []byte) []string {
	var all []string
	for _, m := range failLine.FindAllSubmatch(out, -1) {
		all = append(all, string(m[1]))
	}
	var innermost []string
	for _, name := range all {
		isParent := func(other string) bool { return strings.HasPrefix(other, name+"/") }
		if !slices.ContainsFunc(all, isParent) {
			innermost = append(innermost, name)
		}
	}
	return innermost
}

var passLine = regexp.MustCompile(`(?m)^--- PASS: (\S+) `)

// passedTests are the tests that passed, without those inside of others.
func passedTests(out []byte) []*test {
	var all []*test
	for _, m := range passLine.FindAllSubmatch(out, -1) {
		all = append(all, &test{name: string(m[1])})
	}
	return all
}

// skipFlag is the flag that leaves tests out.
func skipFlag(tests []string) string { return "-test.skip=" + namePattern(tests) }

// namePattern matches the names of tests and of nothing else; the levels of a name are matched one by one.
func namePattern(tests []string) string {
	patterns := make([]string, len(tests))
	for i, name := range tests {
		levels := strings.Split(name, "/")
		for j, l := range levels {
			levels[j] = "^" + regexp.QuoteMeta(l) + "$"
		}
		patterns[i] = strings.Join(levels, "/")
	}
	return strings.Join(patterns, "|")
}
