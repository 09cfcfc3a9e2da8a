package load

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Expand returns the directories of the packages that patterns match, sorted.
func Expand(ctx context.Context, tags string, patterns []string) ([]string, error) {
	found, err := list(&packages.Config{
		Context:    ctx,
		Mode:       packages.NeedName | packages.NeedFiles,
		BuildFlags: buildFlags(tags),
	}, patterns)
	if err != nil {
		return nil, err
	}
	var (
		dirs []string
		bad  []error
	)
	for _, p := range found {
		if p.Dir != "" {
			dirs = append(dirs, p.Dir)
			continue
		}
		for _, e := range p.Errors {
			bad = append(bad, errors.New(oneLine(e.Msg)))
		}
	}
	if len(dirs) == 0 && len(bad) == 0 {
		return nil, fmt.Errorf("%s matches no package", strings.Join(patterns, " "))
	}
	slices.Sort(dirs)
	return slices.Compact(dirs), errors.Join(bad...)
}

// buildFlags are those of the go command.
func buildFlags(tags string) []string {
	if tags == "" {
		return nil
	}
	return []string{"-tags=" + tags}
}

// list asks the go command about packages. An error is its message on one line.
func list(config *packages.Config, patterns []string) ([]*packages.Package, error) {
	// GOPACKAGESDRIVER does not count: like go generate, this is for what the go command builds.
	config.Env = append(os.Environ(), "GOPACKAGESDRIVER=off")
	found, err := packages.Load(config, patterns...)
	if stopped := config.Context.Err(); stopped != nil {
		return nil, stopped
	}
	if err != nil {
		err = errors.New(oneLine(runError.ReplaceAllString(err.Error(), "")))
	}
	return found, err
}

// runError is what package packages puts in front of what the go command prints.
var runError = regexp.MustCompile(`^err: .*?: stderr: (go: )?`)

// oneLine is the go command's message on one line.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' || r == '\t' }), " ")
}
