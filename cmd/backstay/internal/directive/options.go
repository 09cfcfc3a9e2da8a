package directive

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// Options are the arguments of one command line.
type Options struct {
	Types    []Ref    // interfaces to make proxies for, in the order given
	Out      string   // base name of the output; empty: the default
	Tags     string   // build tags, sorted and comma-separated; empty: none
	Check    bool     // write nothing, report what is out of date
	Patterns []string // package patterns; empty: the package in the current directory
}

// Parse reads arguments. The error is flag.ErrHelp when they ask for help, else all that is wrong with them, joined.
func Parse(args []string) (Options, error) {
	var (
		o    Options
		bad  []error
		tags []string
	)
	flags := flag.NewFlagSet("backstay", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	flags.BoolVar(&o.Check, "check", false, "")
	flags.StringVar(&o.Out, "o", "", "")
	flags.Func("tags", "", func(list string) error {
		tags = append(tags, strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })...)
		return nil
	})
	flags.Func("type", "", func(list string) error {
		refs, err := ParseRefs(list)
		o.Types = append(o.Types, refs...)
		if err != nil {
			bad = append(bad, err)
		}
		return nil
	})

	// Flags are accepted behind patterns too: that is where one adds -check.
	for rest := args; ; {
		if err := flags.Parse(rest); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return o, err
			}
			return o, errors.Join(append(bad, err)...)
		}
		if rest = flags.Args(); len(rest) == 0 {
			break
		}
		o.Patterns, rest = append(o.Patterns, rest[0]), rest[1:]
	}
	if err := checkOut(o.Out); err != nil {
		bad = append(bad, err)
	}
	slices.Sort(tags)
	o.Tags = strings.Join(slices.Compact(tags), ",")
	return o, errors.Join(bad...)
}

// checkOut reports why name cannot be the output's.
func checkOut(name string) error {
	switch {
	case name == "":
		return nil
	case name != filepath.Base(name) || strings.ContainsAny(name, `/\`):
		return fmt.Errorf("-o %s is not a file name; the output is always in the package's directory, write -o %s", name, filepath.Base(name))
	case !strings.HasSuffix(name, ".go"):
		return fmt.Errorf("-o %s is no Go file; write -o %s.go", name, name)
	case strings.HasPrefix(name, "_") || strings.HasPrefix(name, "."):
		return fmt.Errorf("-o %s is a file that go ignores; write -o %s", name, strings.TrimLeft(name, "_."))
	}
	return nil
}
