package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// test is one test of a binary, and which mutants it reaches when no mutant is on.
type test struct {
	name    string
	took    time.Duration
	reaches map[int]bool
}

// trace runs each test alone and notes what it reaches. That is no coverage to be judged by, but it tells which tests are
// likely to kill a mutant: to try those first is several times faster than to run all in their order.
func (b *testBinary) trace(ctx context.Context, parallel int) error {
	return atOnce(ctx, parallel, len(b.tests), func(ctx context.Context, i int) error {
		t := b.tests[i]
		file := filepath.Join(filepath.Dir(b.tracing), fmt.Sprintf("%s.%d", filepath.Base(b.tracing), i))
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			return err
		}
		limited, cancel := context.WithTimeout(ctx, b.timeout)
		defer cancel()
		cmd := exec.CommandContext(limited, b.tracing, append(slices.Clone(b.extra), "-test.run="+namePattern([]string{t.name}), skipFlag(b.skipped))...)
		cmd.Dir = b.dir
		cmd.Env = append(os.Environ(), traceVariable+"="+file)
		endWithContext(cmd)
		began := time.Now()
		// Whether it passes does not matter: a guard that writes allocates.
		_ = cmd.Run()
		t.took = time.Since(began)
		written, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		t.reaches = map[int]bool{}
		for line := range bytes.Lines(written) {
			if id, err := strconv.Atoi(string(bytes.TrimSpace(line))); err == nil {
				t.reaches[id] = true
			}
		}
		return ctx.Err()
	})
}

// likely are at most n tests that reach a mutant and are quick. Half of them are those that reach the fewest mutants,
// which are about little else; the others reach the most, and so see many of its effects.
func (b *testBinary) likely(id, n int) []*test {
	var all []*test
	var total time.Duration
	for _, t := range b.tests {
		if t.reaches[id] {
			all = append(all, t)
			total += t.took
		}
	}
	all = slices.DeleteFunc(all, func(t *test) bool { return len(all) > n && t.took > 3*total/time.Duration(len(all)) })
	slices.SortStableFunc(all, func(x, y *test) int { return cmp.Compare(len(x.reaches), len(y.reaches)) })
	if len(all) > n {
		all = slices.Concat(all[:n/2], all[len(all)-n/2:])
	}
	return all
}

// reached reports whether any test reaches a mutant.
func reached(binaries []*testBinary, id int) bool {
	return slices.ContainsFunc(binaries, func(b *testBinary) bool {
		return slices.ContainsFunc(b.tests, func(t *test) bool { return t.reaches[id] })
	})
}
