package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// What random signatures are drawn from. The names are those that generated code is most likely to trip over.
var (
	randomTypes = []string{
		"string", "int", "bool", "byte", "rune", "float64", "complex128", "uintptr", "error", "any", "[]byte", "[]string", "[][]int",
		"map[string]int", "map[Kind]*Point", "Point", "*Point", "**Point", "Kind", "hidden", "*hidden", "[]hidden", "Step", "Same",
		"Pair[int, *hidden]", "func(int, ...string) bool", "func(func(int) string) <-chan error", "chan int", "<-chan Point",
		"chan<- struct{ A int }", "struct{ A int; b string }", "struct{}", "[3]int", "[0]func()", "context.Context", "ctx.CancelFunc",
		"io.Reader", "fmt.Stringer", "time.Duration", "[]context.Context", "interface{ Read([]byte) (int, error) }",
	}
	randomTypeParameters = []string{"K", "V", "[]V", "map[K]V", "func(K, ...V) (V, bool)", "Pair[K, V]", "*V"}
	randomMethods        = []string{
		"Charge", "Proxy", "Invoke", "Arg", "Result", "Clear", "Clone", "Release", "End", "Run", "Frame", "Target", "Type", "Range",
		"Func", "Go", "Select", "New", "Chain", "Map",
	}
	randomNames = []string{
		"_", "_", "p", "c", "ctx", "err", "nil", "any", "string", "error", "context", "aspect", "fmt", "io", "target", "proxy", "args",
		"results", "r0", "p0", "p1", "chain", "append", "new", "len", "true", "iota", "k", "v", "init", "main", "Point", "i0Proxy", "i0Charge",
		"i1ChargeArgs", "method", "results_", "err_", "c_", "p_",
	}
)

// signature is a method as it is drawn.
type signature struct {
	name          string
	names         []string // of parameters and results; nil: they have none
	in, out       []string // types
	variadic      bool
	inText, outer string
}

// drawnInterface is an interface as it is drawn.
type drawnInterface struct {
	name    string
	generic bool
	methods []signature // its own
	embeds  []string    // names of others, as written
	all     []signature // with those of what it embeds
}

func drawInterface(t *rapid.T, before []drawnInterface) drawnInterface {
	i := drawnInterface{name: fmt.Sprint("I", len(before)), generic: rapid.IntRange(0, 3).Draw(t, "generic") == 0}
	used := map[string]bool{}
	if n := len(before); n > 0 && rapid.IntRange(0, 2).Draw(t, "embeds") == 0 {
		other := before[rapid.IntRange(0, n-1).Draw(t, "embedded")]
		text := other.name
		if other.generic {
			text += "[string, Point]"
		}
		i.embeds, i.all = append(i.embeds, text), append(i.all, other.instantiated()...)
		for _, m := range other.all {
			used[m.name] = true
		}
	}
	types := randomTypes
	if i.generic {
		types = slices.Concat(randomTypeParameters, randomTypeParameters, types)
	}
	for range rapid.IntRange(1, 4).Draw(t, "methods") {
		m := drawSignature(t, types)
		if !used[m.name] {
			used[m.name] = true
			i.methods = append(i.methods, m)
		}
	}
	i.all = append(i.all, i.methods...)
	return i
}

func drawSignature(t *rapid.T, types []string) signature {
	one := rapid.SampledFrom(types)
	m := signature{
		name: rapid.SampledFrom(randomMethods).Draw(t, "name"),
		in:   rapid.SliceOfN(one, 0, 5).Draw(t, "in"),
		out:  rapid.SliceOfN(one, 0, 3).Draw(t, "out"),
	}
	if rapid.Bool().Draw(t, "context") {
		m.in = slices.Insert(m.in, 0, "context.Context")
	}
	if rapid.IntRange(0, 3).Draw(t, "error") > 0 {
		m.out = append(m.out, "error")
	}
	m.variadic = len(m.in) > 0 && rapid.IntRange(0, 3).Draw(t, "variadic") == 0
	named, results := rapid.IntRange(0, 3).Draw(t, "named") > 0, rapid.IntRange(0, 2).Draw(t, "named results") == 0
	taken := map[string]bool{}
	draw := func(n int) []string {
		names := make([]string, n)
		for at := range names {
			names[at] = rapid.SampledFrom(randomNames).Draw(t, "parameter")
			if taken[names[at]] && names[at] != "_" {
				names[at] = fmt.Sprintf("x%d_%d", len(taken), at)
			}
			taken[names[at]] = true
		}
		return names
	}
	var inNames, outNames []string
	if named {
		inNames = draw(len(m.in))
	}
	if results {
		outNames = draw(len(m.out))
	}
	m.inText, m.outer = list(m.in, inNames, m.variadic), list(m.out, outNames, false)
	return m
}

// list is a list of parameters or results in parentheses.
func list(types, names []string, variadic bool) string {
	parts := make([]string, len(types))
	for i, t := range types {
		if variadic && i == len(types)-1 {
			t = "..." + t
		}
		parts[i] = t
		if names != nil {
			parts[i] = names[i] + " " + t
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// instantiated are the methods for the type arguments that every generic interface gets here.
func (i drawnInterface) instantiated() []signature {
	if !i.generic {
		return i.all
	}
	concrete := map[string]string{
		"K": "string", "V": "Point", "[]V": "[]Point", "map[K]V": "map[string]Point", "func(K, ...V) (V, bool)": "func(string, ...Point) (Point, bool)",
		"Pair[K, V]": "Pair[string, Point]", "*V": "*Point",
	}
	all := make([]signature, len(i.all))
	for at, m := range i.all {
		m.in, m.out = slices.Clone(m.in), slices.Clone(m.out)
		for _, types := range [][]string{m.in, m.out} {
			for at, t := range types {
				if c, ok := concrete[t]; ok {
					types[at] = c
				}
			}
		}
		all[at] = m
	}
	return all
}

// randomSource is a package with the interfaces, targets that implement them, and the cases to compare.
func randomSource(all []drawnInterface) string {
	var b, cases strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p("package main\n\nimport (\n\t\"context\"\n\tctx \"context\"\n\t\"fmt\"\n\t\"io\"\n\t\"time\"\n)")
	p("\nvar _ context.Context\nvar _ ctx.Context\nvar _ fmt.Stringer\nvar _ io.Reader\nvar _ time.Duration\n")
	var names []string
	for n, i := range all {
		names = append(names, i.name)
		text, parameters := i.name, ""
		if i.generic {
			text, parameters = i.name+"[string, Point]", "[K comparable, V any]"
			names = append(names, i.name+"[string,Point]")
		}
		p("type %s%s interface {", i.name, parameters)
		for _, e := range i.embeds {
			p("\t%s", e)
		}
		for _, m := range i.methods {
			p("\t%s%s %s", m.name, m.inText, m.outer)
		}
		p("}\n\ntype R%d interface{ %s }\n\ntype target%d struct{ *trace }\n", n, text, n)
		for _, m := range i.instantiated() {
			p("%s", targetMethod(n, m))
		}
		fmt.Fprintf(&cases, "\tcompare[%s, R%d](%q, func(t *trace) any { return target%d{t} }),\n", text, n, text, n)
	}
	p("//go:generate go tool backstay -type %q\n\nvar cases = []func() []string{\n%s}", strings.Join(names, ","), cases.String())
	return b.String()
}

// targetMethod notes its call, returns what the driver gives for each result, and fails as the driver says.
func targetMethod(n int, m signature) string {
	names := make([]string, len(m.in))
	for i := range names {
		names[i] = fmt.Sprint("a", i)
	}
	call := strings.Join(append([]string{fmt.Sprintf("%q", m.name)}, names...), ", ")
	var body string
	var results []string
	for i, t := range m.out {
		results = append(results, fmt.Sprintf("result[%s](%q, %d)", t, m.name, i))
	}
	if k := len(m.out); k > 0 && m.out[k-1] == "error" {
		results[k-1] = "err"
		body = "err := t.call(" + call + ")\n"
	} else {
		body = "t.call(" + call + ")\n"
	}
	return fmt.Sprintf("func (t target%d) %s%s %s {\n%sreturn %s\n}\n", n, m.name, list(m.in, names, m.variadic), list(m.out, nil, false), body, strings.Join(results, ", "))
}

// A batch is one program, since what takes time is to compile it. One is drawn, unless -rapid.checks asks for more.
func TestRandomInterfacesBehaveTheSameThroughBothKindsOfProxy(t *testing.T) {
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		require.NoError(t, flag.Set("rapid.checks", "1"))
		t.Cleanup(func() { _ = flag.Set("rapid.checks", checks.DefValue) })
	}
	fixed := map[string]string{}
	for _, name := range []string{"driver.go", "types.go"} {
		text, err := os.ReadFile(filepath.Join("testdata", "random", name))
		require.NoError(t, err)
		fixed[name] = string(text)
	}
	m := newModule(t, "")
	for name, text := range fixed {
		m.write(name, text)
	}
	rapid.Check(t, func(r *rapid.T) {
		var all []drawnInterface
		for range rapid.IntRange(25, 40).Draw(r, "interfaces") {
			all = append(all, drawInterface(r, all))
		}
		m.write("cases.go", randomSource(all))
		status, lines := m.run("./...")
		if status != exitOK {
			r.Fatalf("%s\n%s", strings.Join(lines, "\n"), m.read("cases.go"))
		}
		run := exec.CommandContext(t.Context(), "go", "run", ".")
		run.Dir = m.dir
		out, err := run.CombinedOutput()
		if want := fmt.Sprintln(len(all), "interfaces behave the same"); err != nil || string(out) != want {
			r.Fatalf("%v: %s\n%s", err, out, m.read("cases.go"))
		}
	})
}
