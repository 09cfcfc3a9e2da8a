package container

import (
	"fmt"
	"reflect"
	"runtime"
	"strconv"
	"strings"
)

// place is where a call stands in the user's code. Only messages need it as text, and there are many calls.
type place uintptr

// placeOfCaller is the place that called the function that calls it.
func placeOfCaller() place {
	var pc [1]uintptr
	runtime.Callers(3, pc[:])
	return place(pc[0])
}

// String is the last two elements of the file's path and the line, as everywhere in messages: "shop/main.go:12".
func (p place) String() string {
	call := uintptr(p) - 1 // p is where the call returns to
	return shortPlace(runtime.FuncForPC(call).FileLine(call))
}

// shortPlace is a place as messages name it.
func shortPlace(short string, line int) string {
	if last := strings.LastIndexByte(short, '/'); last > 0 {
		short = short[strings.LastIndexByte(short[:last], '/')+1:]
	}
	return short + ":" + strconv.Itoa(line)
}

// spot is where a parameter or result stands in a constructor.
type spot struct {
	kind   string // "parameter", "result"
	number int    // from 1; 0: there is one
	field  string // of a struct, if not empty
	of     reflect.Type
}

// String is the spot as messages name it.
func (s spot) String() string {
	switch {
	case s.field != "":
		return fmt.Sprintf("field %s of %v", s.field, s.of)
	case s.number == 0:
		return s.kind
	}
	return fmt.Sprintf("%s %d", s.kind, s.number)
}
