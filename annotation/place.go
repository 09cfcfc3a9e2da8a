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
	_, file, line, ok := runtime.Caller(skip + 2)
	if !ok {
		return "unknown"
	}
	short := file
	if last := strings.LastIndexByte(file, '/'); last > 0 {
		short = file[strings.LastIndexByte(file[:last], '/')+1:]
	}
	return short + ":" + strconv.Itoa(line)
}
