package main

import (
	"fmt"
	"go/token"
)

// The operators: what a mutant does to the code, in one word. They name rows of the summary and entries of the file of
// harmless mutants.
const (
	opNegate   = "negate"   // a comparison gives its opposite
	opBoundary = "boundary" // a comparison of order treats equal operands the other way
	opLogic    = "logic"    // && is || and the reverse
	opOperand  = "operand"  // one side of && or || is left out
	opNot      = "not"      // a ! is left out
	opCond     = "cond"     // a condition is always true, or always false
	opBody     = "body"     // the body of an if or of a range loop is skipped
	opCase     = "case"     // an element of a case list, or a case of a select, is left out
	opDrop     = "drop"     // a statement is left out
	opArith    = "arith"    // an arithmetic operator is another one
	opInt      = "int"      // an integer literal is one larger
	opBool     = "bool"     // true is false and the reverse
	opReturn   = "return"   // a returned value is the zero value
)

// operators lists the operators in the order of the summary.
var operators = []string{
	opNegate, opBoundary, opLogic, opOperand, opNot, opCond, opBody, opCase, opDrop, opArith, opInt, opBool, opReturn,
}

// mutant is one change of the code. It is a set of edits which leave the code as it is while the mutant's number is not
// the chosen one, so that all mutants can be in one binary.
type mutant struct {
	id    int
	op    string
	pos   token.Position // Filename is the full path
	file  *sourceFile
	fn    string // the declaration around it, such as HybridPolicy.Run
	did   string // what it does, in one line
	edits []*edit
}

// name is the mutant's number as it is written in reports and after -only.
func (m *mutant) name() string { return fmt.Sprintf("M%04d", m.id) }

// editClass orders edits at one place: what is before the place is closed before what is behind it is opened.
type editClass int8

const (
	editClose editClass = iota
	editReplace
	editOpen
)

// edit puts text at a place of a file, instead of the size bytes that are there. Edits are made from the outermost node
// to the innermost, so that seq tells which of several at one place is around the others.
type edit struct {
	offset int
	size   int
	text   string
	class  editClass
	seq    int
}
