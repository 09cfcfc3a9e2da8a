package container

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
)

// ownPath is the path of this package.
var ownPath = reflect.TypeFor[Container]().PkgPath()

// firstUse is the call by which the user's code has come here, and where that stands: "Notes (shop/main.go:12)". What a
// package below this one calls, such as containertest, is a call of that package. It is asked once for each container.
func firstUse() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	call, dir := "", ""
	for {
		f, more := frames.Next()
		if dir == "" {
			dir = dirOf(f.File)
		}
		if !isOwn(f, dir) {
			if f.PC == 0 {
				return call
			}
			return fmt.Sprintf("%s (%s)", call, shortPlace(f.File, f.Line))
		}
		call = callOf(f.Function)
		if !more {
			return call
		}
	}
}

// isOwn reports whether a frame is of this package, whose files are in dir, or of one below it. A func literal is named after
// the function into which what returns it is inlined, so there the file tells.
func isOwn(f runtime.Frame, dir string) bool {
	rest, ok := strings.CutPrefix(f.Function, ownPath)
	ours := ok && rest != "" && (rest[0] == '.' || rest[0] == '/') || dirOf(f.File) == dir
	return ours && !strings.HasSuffix(f.File, "_test.go")
}

// dirOf is the directory of a file.
func dirOf(file string) string { return file[:max(0, strings.LastIndexByte(file, '/'))] }

// callOf names a function as messages do: a method by its name, another one with its package, what stands in it by it.
func callOf(function string) string {
	name := strings.ReplaceAll(function, "[...]", "")
	name = name[strings.LastIndexByte(name, '/')+1:]
	if _, method, ok := strings.Cut(name, ")."); ok {
		name = method
	}
	name, _, _ = strings.Cut(name, ".func")
	return name
}
