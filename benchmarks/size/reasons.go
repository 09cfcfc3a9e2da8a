package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/backstay/backstay/benchmarks/harness"
)

// writeReasons tells why the programs are as big as they are: whether the linker may drop methods that nobody calls, which
// it may not when somebody looks methods up by reflection; and how much code each module brings.
func writeReasons(w io.Writer, dir string) error {
	fmt.Fprint(w, "\n### Why\n\nThe linker drops exported methods that nobody calls, unless a function that is linked looks methods up by reflection. Such functions:\n\n")
	all := map[string]bool{}
	for _, p := range programs {
		found, err := lookups(p, filepath.Join(dir, "dependencies"))
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "* %s: %d\n", p.name, len(found))
		maps.Copy(all, found)
	}
	fmt.Fprintf(w, "\nThey are: %s.\n", strings.Join(slices.Sorted(maps.Keys(all)), ", "))
	var columns []map[string]int64
	total := map[string]int64{}
	for _, p := range programs {
		code, err := codeOf(p, filepath.Join(dir, "code"))
		if err != nil {
			return err
		}
		columns = append(columns, code)
		for group, n := range code {
			total[group] = max(total[group], n)
		}
	}
	heads := []string{"code of"}
	for _, p := range programs {
		heads = append(heads, ">"+p.name+", kB")
	}
	var rows [][]string
	groups := slices.SortedFunc(maps.Keys(total), func(a, b string) int { return cmp.Compare(total[b], total[a]) })
	for _, group := range groups[:min(16, len(groups))] {
		row := []string{group}
		for _, code := range columns {
			row = append(row, fmt.Sprintf("%.0f", kilobytes(code[group])))
		}
		rows = append(rows, row)
	}
	fmt.Fprintln(w)
	harness.Table(w, heads, rows)
	return nil
}

// lookup is a function in the linker's list of dependencies that makes it keep all methods.
var lookup = regexp.MustCompile(`(?:^|-> )(\S+) <[^>]*ReflectMethod`)

// lookups are the functions of a program that look up methods by reflection, without those of package reflect.
func lookups(p program, out string) (map[string]bool, error) {
	var dump strings.Builder
	if err := goBuild(p, out, &dump, "-ldflags=-dumpdep"); err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for line := range strings.Lines(dump.String()) {
		for _, m := range lookup.FindAllStringSubmatch(line, -1) {
			if !strings.HasPrefix(m[1], "reflect.") {
				found["`"+shorten(m[1])+"`"] = true
			}
		}
	}
	return found, nil
}

// shorten leaves the module's path out.
func shorten(function string) string {
	return strings.TrimPrefix(function, "github.com/backstay/backstay/")
}

// codeOf is how many bytes of code of each package or module a program has.
func codeOf(p program, out string) (map[string]int64, error) {
	if err := goBuild(p, out, nil); err != nil {
		return nil, err
	}
	symbols, err := listSymbols(out)
	if err != nil {
		return nil, err
	}
	code := map[string]int64{}
	for _, s := range symbols {
		code[groupOf(s.name)] += s.size
	}
	return code, nil
}

type symbol struct {
	name string
	size int64
}

// listSymbols lists the functions of a binary.
func listSymbols(path string) (all []symbol, err error) {
	out, err := exec.Command("go", "tool", "nm", "-size", path).Output()
	if err != nil {
		return nil, fmt.Errorf("list the symbols of %s: %w", path, err)
	}
	lines := bufio.NewScanner(strings.NewReader(string(out)))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Fields(lines.Text()) // address, size, type, name
		if len(fields) < 4 || !strings.EqualFold(fields[2], "t") {
			continue
		}
		size, err := strconv.ParseInt(fields[1], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("read a line of go tool nm: %w", err)
		}
		all = append(all, symbol{fields[3], size})
	}
	return all, lines.Err()
}

// groupOf is the package of a function of Backstay, the module of one of dig, and of the standard library the first part of
// the package's path, with net/http apart.
func groupOf(function string) string {
	path := function
	if i := strings.IndexAny(path, "[("); i >= 0 {
		path = path[:i] // type arguments and receivers have paths of their own
	}
	slash := strings.LastIndexByte(path, '/')
	if dot := strings.IndexByte(path[slash+1:], '.'); dot >= 0 {
		path = path[:slash+1+dot]
	}
	switch {
	case strings.HasPrefix(path, "github.com/backstay/backstay/"):
		return "backstay/" + shorten(path)
	case strings.HasPrefix(path, "go.uber.org/dig"):
		return "dig"
	case strings.HasPrefix(path, "net/http"):
		return "net/http"
	case strings.HasPrefix(path, "vendor/"):
		return "golang.org/x (net/http, net and crypto need it)"
	case strings.HasPrefix(path, "type:"):
		return "comparing and hashing"
	}
	first, _, _ := strings.Cut(path, "/")
	return first
}
