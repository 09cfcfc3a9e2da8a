package container

import (
	"bytes"
	"runtime"
	"strconv"
)

// goroutineID is the number of the calling goroutine, from the first line of its stack: "goroutine 12 [running]:". It
// takes microseconds, so it is asked for only when something is to be built or is being built: it tells a constructor
// that asks its own container, which would wait for itself, from another goroutine, which has to wait.
func goroutineID() int64 {
	var buf [40]byte
	text := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	digits, _, _ := bytes.Cut(text, []byte(" "))
	id, err := strconv.ParseInt(string(digits), 10, 64)
	if err != nil {
		panic("container: the stack does not begin with the goroutine's number: " + err.Error())
	}
	return id
}
