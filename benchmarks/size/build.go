package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// module is where the programs are.
const module = "github.com/backstay/backstay/benchmarks/size/programs/"

// program is one of those that are compared.
type program struct {
	name string // in the table
	dir  string // under size/programs
	tags string
}

// programs are in the order of the table: each has what the one before it has, and more; but for the last, which has less.
var programs = []program{
	{"no container", "hello", ""},
	{"dig", "digonly", ""},
	{"Backstay, run-time proxy", "runtimeproxy", ""},
	{"Backstay, generated proxy", "generatedproxy", ""},
	{"Backstay, generated proxy, `-tags purego`", "generatedproxy", "purego"},
}

// binary is a program that has been built.
type binary struct {
	program
	path     string
	size     int64 // bytes, with debugging information
	stripped int64 // bytes, without
	starts   []float64
}

// buildAll builds all programs into dir.
func buildAll(dir string, all []program) ([]*binary, error) {
	var built []*binary
	for i, p := range all {
		b := &binary{program: p, path: filepath.Join(dir, fmt.Sprint(i, "-", p.dir))}
		var err error
		if b.stripped, err = b.build("-ldflags=-s -w"); err != nil {
			return nil, err
		}
		if b.size, err = b.build(); err != nil { // the one that is run
			return nil, err
		}
		built = append(built, b)
	}
	return built, nil
}

// build builds the program, and returns the size of the file.
func (b *binary) build(flags ...string) (int64, error) {
	if err := goBuild(b.program, b.path, nil, flags...); err != nil {
		return 0, err
	}
	info, err := os.Stat(b.path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// goBuild runs go build without cgo. What the linker prints goes to stderr, if that is not nil.
func goBuild(p program, out string, stderr *strings.Builder, flags ...string) error {
	if stderr == nil {
		stderr = new(strings.Builder)
	}
	args := append([]string{"build", "-trimpath", "-tags", p.tags, "-o", out}, flags...)
	cmd := exec.Command("go", append(args, module+p.dir)...)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("build %s: %w\n%s", p.dir, err, stderr)
	}
	return nil
}
