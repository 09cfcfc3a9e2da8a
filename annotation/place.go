package annotation

import (
	"runtime"
	"strconv"
	"strings"
)

// Caller is the place of a call in the user's code, as the last two elements of the file's path and the line:
// "shop/main.go:12". With skip 0 it is the place that called the function that calls Caller; each one more is a caller
// further out. For those who weave.
func Caller(skip int) string {
	var pc [1]uintptr
	if runtime.Callers(skip+3, pc[:]) == 0 {
		return "unknown"
	}
	call := pc[0] - 1 // pc is where the call returns to
	short, line := runtime.FuncForPC(call).FileLine(call)
	if last := strings.LastIndexByte(short, '/'); last > 0 {
		short = short[strings.LastIndexByte(short[:last], '/')+1:]
	}
	return short + ":" + strconv.Itoa(line)
}
