package harness

import (
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// Main runs command as the whole program, with so many bytes of heap held throughout: without pointers, and never touched. It
// tells an error, but that help was asked for, and then ends the process with status 1.
func Main(held int, command func(args []string, out, progress io.Writer) error) {
	ballast := make([]byte, held)
	err := command(os.Args[1:], os.Stdout, os.Stderr)
	runtime.KeepAlive(ballast)
	if err != nil && err != flag.ErrHelp {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Live is the number of bytes in live objects. The second collection takes what finalizers and pools have held.
func Live() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// Versions are those of the modules that this program was built with, as "path version", separated by commas. Of a module that
// another replaces it is that one's.
func Versions(modules []string) string {
	found := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			path := d.Path
			if d.Replace != nil {
				d = d.Replace
			}
			found[path] = d.Version
		}
	}
	all := make([]string, len(modules))
	for i, m := range modules {
		version, ok := found[m]
		if !ok {
			version = "(version unknown)"
		}
		all[i] = m + " " + version
	}
	return strings.Join(all, ", ")
}

// Command is how a program was called: "go run ./scale -passes 3", with arguments quoted that a shell would take apart.
func Command(program string, args []string) string {
	command := "go run " + program
	for _, a := range args {
		if strings.ContainsAny(a, " |()[]*?$\\") {
			a = "'" + a + "'"
		}
		command += " " + a
	}
	return command
}
