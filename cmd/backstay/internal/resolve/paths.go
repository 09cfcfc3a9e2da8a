package resolve

import (
	"regexp"
	"slices"
	"strings"

	"github.com/backstay/backstay/cmd/backstay/internal/plan"
)

// pathInArgs finds import/path.Name among type arguments.
var pathInArgs = regexp.MustCompile(`[\pL\pN_.~-]+(?:/[\pL\pN_.~+-]+)+\.[\pL_][\pL\pN_]*`)

// Paths are the import paths that an output's asks name, sorted: packages that need not be imported by the code yet.
func Paths(o *plan.Output) (paths []string) {
	for _, a := range o.Asks {
		if p := a.Ref.Path; p != "" && !patternWords[p] && (strings.Contains(p, "/") || a.File == nil || !a.File.Imports(p)) {
			paths = append(paths, p)
		}
		for _, named := range pathInArgs.FindAllString(a.Ref.Args, -1) {
			paths = append(paths, named[:strings.LastIndexByte(named, '.')])
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// patternWords stand for many packages in the go command's arguments.
var patternWords = map[string]bool{"all": true, "cmd": true, "std": true, "tool": true, "work": true}
