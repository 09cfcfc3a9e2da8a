package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/backstay/backstay/examples/storm/internal/sim"
)

// layersPart is how many times smaller the fleet and the peer of the three layers are: 27 attempts for each call take their
// time, and the figures are ratios.
const layersPart = 10

// command is the program: it returns the exit status.
func command(t *testing.T, args []string, stdout, stderr io.Writer) int {
	o, err := parseFlags(args, stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(stderr, "storm:", err)
		return 2
	}
	if err := o.run(t, stdout); err != nil {
		fmt.Fprintln(stderr, "storm:", err)
		return 1
	}
	return 0
}

// run simulates, and tells and draws what came of it.
func (o options) run(t *testing.T, stdout io.Writer) error {
	if o.dir != "" { // before the work: it takes a while, and a folder may be refused
		if err := os.MkdirAll(o.dir, 0o755); err != nil {
			return fmt.Errorf("-o %s: %w", o.dir, err)
		}
	}
	fmt.Fprint(stdout, question(o.model))
	found, err := simulateAll(t, o.model)
	if err != nil {
		return err
	}
	fmt.Fprint(stdout, found.answer())
	if o.dir == "" {
		return nil
	}
	return found.draw(o.dir)
}

// findings are the records of all runs of a model.
type findings struct {
	model      sim.Model
	strategies []*sim.Record // in the order of sim.Strategies
	layers     []*sim.Record // in the order of sim.Layers, of a part of the fleet
}

func simulateAll(t *testing.T, m sim.Model) (findings, error) {
	var runs []run
	part := m.Part(layersPart)
	for _, s := range sim.Layers() { // the longest first
		runs = append(runs, run{part, s})
	}
	for _, s := range sim.Strategies() {
		runs = append(runs, run{m, s})
	}
	records, err := simulate(t, runs)
	if err != nil {
		return findings{}, err
	}
	layers := len(sim.Layers())
	return findings{model: m, layers: records[:layers], strategies: records[layers:]}, nil
}

// draw draws the pictures into the folder.
func (f findings) draw(dir string) error {
	for _, p := range f.pictures() {
		svg, err := p.sheet.SVG()
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, p.file), svg, 0o644); err != nil {
			return fmt.Errorf("-o %s: %w", dir, err)
		}
	}
	return nil
}
