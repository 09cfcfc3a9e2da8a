package main

import "strings"

// variable is the environment variable by which a binary is told which mutant it is.
const variable = "BACKSTAY_MUTANT"

// helpersName is the file that is added to the package.
const helpersName = "zz_mutant_helpers.go"

// maxStack ends endless recursion early: the runtime's own limit is a gigabyte, which takes long to fill.
const maxStack = "64 << 20"

// traceVariable is the environment variable that names the file into which a tracing binary writes the numbers of the
// mutants that it reaches.
const traceVariable = "BACKSTAY_MUTANT_TRACE"

// on is how a guard asks whether its mutant is the chosen one.
const on = `
func mutantOn(id int) bool { return id == mutantChosen }
`

// tracingOn writes down each mutant that is reached, once. It is written at once, since nothing tells when the tests end.
const tracingOn = `
var mutantReached mutantsync.Map

var mutantTrace, _ = mutantos.OpenFile(mutantos.Getenv("` + traceVariable + `"), mutantos.O_APPEND|mutantos.O_WRONLY, 0)

func mutantOn(id int) bool {
	if _, known := mutantReached.LoadOrStore(id, true); !known {
		mutantTrace.WriteString(mutantstrconv.Itoa(id) + "\n")
	}
	return id == mutantChosen
}
`

// helpers returns the file that is added to the mutated package. Its functions are small enough to be inlined, so that
// the code allocates no more than without them; those of a tracing binary are not.
func helpers(name string, tracing bool) []byte {
	asks := on
	if tracing {
		asks = tracingOn
	}
	var b strings.Builder
	b.WriteString("package " + name + `

import (
	mutantcmp "cmp"
	mutantos "os"
	mutantdebug "runtime/debug"
	mutantstrconv "strconv"
	mutantsync "sync"
)

var _ mutantsync.Mutex

var mutantChosen = func() int {
	n, _ := mutantstrconv.Atoi(mutantos.Getenv("` + variable + `"))
	if n > 0 {
		mutantdebug.SetMaxStack(` + maxStack + `)
	}
	return n
}()

` + asks + `
type mutantInteger interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type mutantNumber interface{ mutantInteger | ~float32 | ~float64 }

func mutantInt[T mutantNumber](id int, n T) T {
	if mutantOn(id) {
		return n + 1
	}
	return n
}

func mutantNegative[T mutantNumber](id int, n T) T {
	if mutantOn(id) {
		return -n
	}
	return n
}

func mutantZero[T any](id int, v T) T {
	if mutantOn(id) {
		return *new(T)
	}
	return v
}

func mutantCase[T mutantInteger](id int, tag, v T) T {
	if mutantOn(id) {
		return tag + 1
	}
	return v
}

func mutantCaseString[T ~string](id int, tag, v T) T {
	if mutantOn(id) {
		return tag + "?"
	}
	return v
}

type mutantError struct{}

func (mutantError) Error() string { return "" }

func mutantCaseError(id int, _, v error) error {
	if mutantOn(id) {
		return mutantError{}
	}
	return v
}

func mutantReceive[T any](id int, c <-chan T) <-chan T {
	if mutantOn(id) {
		return nil
	}
	return c
}

func mutantSend[T any](id int, c chan<- T) chan<- T {
	if mutantOn(id) {
		return nil
	}
	return c
}
`)
	for from, to := range boundary {
		b.WriteString(pair(to.helper, "T mutantcmp.Ordered", "a, b T", "bool", from.String(), to.to.String()))
	}
	for from, to := range arithmetic {
		parameters, operands := "T mutantInteger", "a, b T"
		switch from.String() {
		case "+", "-", "*", "/":
			parameters = "T mutantNumber"
		case "<<", ">>":
			parameters, operands = "T, N mutantInteger", "a T, b N"
		}
		b.WriteString(pair(to.helper, parameters, operands, "T", from.String(), to.to.String()))
	}
	return []byte(b.String())
}

// pair writes a helper that applies one operator, or another in the mutant.
func pair(name, parameters, operands, result, from, to string) string {
	return "\nfunc " + name + "[" + parameters + "](id int, " + operands + ") " + result + " {\n" +
		"\tif mutantOn(id) {\n\t\treturn a " + to + " b\n\t}\n\treturn a " + from + " b\n}\n"
}
