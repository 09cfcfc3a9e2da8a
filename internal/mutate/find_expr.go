package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// largestLiteral is the largest integer literal that is changed: larger ones are masks and the factors of hashes, of
// which the neighbour says little.
const largestLiteral = 1024

// expression finds the mutants of one expression, and reports whether to look inside it.
func (f *finder) expression(e ast.Expr) bool {
	tv := f.pkg.info.Types[e]
	if tv.IsType() {
		return false
	}
	if tv.Value != nil {
		f.literal(e, tv)
		return false // what a constant is made of is no expression of the running program
	}
	switch e := e.(type) {
	case *ast.FuncLit:
		f.function(tv.Type.(*types.Signature), e.Body)
		return false
	case *ast.KeyValueExpr:
		f.skip[e.Key] = true
	case *ast.CallExpr:
		return f.call(e)
	case *ast.UnaryExpr:
		if _, comparison := ast.Unparen(e.X).(*ast.BinaryExpr); e.Op == token.NOT && !comparison && f.isBool(e) {
			m := f.add(opNot, e.Pos(), "removed the ! of "+f.quoted(e))
			f.around(m, e, "(", " != mutantOn(#))")
		}
	case *ast.BinaryExpr:
		f.binary(e)
	}
	return true
}

// call leaves out what is not worth a mutant: capacities, and the text of panics.
func (f *finder) call(e *ast.CallExpr) bool {
	switch f.builtin(e) {
	case "panic":
		return false
	case "make":
		kept := 1
		if _, slice := f.pkg.info.TypeOf(e).Underlying().(*types.Slice); slice {
			kept = 2
		}
		for _, hint := range e.Args[min(kept, len(e.Args)):] {
			f.skip[hint] = true
		}
	}
	return true
}

// builtin is the name of the built-in function that is called, or "".
func (f *finder) builtin(e *ast.CallExpr) string {
	id, ok := ast.Unparen(e.Fun).(*ast.Ident)
	if !ok {
		return ""
	}
	if _, ok := f.pkg.info.Uses[id].(*types.Builtin); !ok {
		return ""
	}
	return id.Name
}

// literal mutates true, false and small integers where they are values of the running program. A named constant stays: it
// says what it means wherever it is used.
func (f *finder) literal(e ast.Expr, tv types.TypeAndValue) {
	switch x := e.(type) {
	case *ast.Ident:
		if f.pkg.info.Uses[x] == types.Universe.Lookup("true") && f.isBool(e) {
			f.around(f.add(opBool, e.Pos(), "changed true to false"), e, "(", " && !mutantOn(#))")
		} else if f.pkg.info.Uses[x] == types.Universe.Lookup("false") && f.isBool(e) {
			f.around(f.add(opBool, e.Pos(), "changed false to true"), e, "(", " || mutantOn(#))")
		}
	case *ast.UnaryExpr:
		if lit, ok := x.X.(*ast.BasicLit); ok && lit.Kind == token.INT && x.Op == token.SUB {
			f.integer(e, tv)
		}
	case *ast.BasicLit:
		if x.Kind == token.INT {
			f.integer(e, tv)
		}
	}
}

func (f *finder) integer(e ast.Expr, tv types.TypeAndValue) {
	n, exact := constant.Int64Val(constant.ToInt(tv.Value))
	name, ok := f.typeName(tv.Type)
	if !exact || n > largestLiteral || !ok || !isNumber(tv.Type) {
		return
	}
	m := f.add(opInt, e.Pos(), fmt.Sprintf("changed %d to %d", n, n+1))
	f.around(m, e, "mutantInt["+name+"](#, ", ")")
}

// opposite is the comparison that is true where the other is false; boundary is the one that differs where both operands
// are equal.
var (
	opposite = map[token.Token]token.Token{
		token.EQL: token.NEQ, token.NEQ: token.EQL, token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
	}
	boundary = map[token.Token]struct {
		to     token.Token
		helper string
	}{
		token.LSS: {token.LEQ, "mutantLess"}, token.LEQ: {token.LSS, "mutantLessEqual"},
		token.GTR: {token.GEQ, "mutantGreater"}, token.GEQ: {token.GTR, "mutantGreaterEqual"},
	}
	arithmetic = map[token.Token]struct {
		to     token.Token
		helper string
	}{
		token.ADD: {token.SUB, "mutantAdd"}, token.SUB: {token.ADD, "mutantSub"},
		token.MUL: {token.QUO, "mutantMul"}, token.QUO: {token.MUL, "mutantQuo"}, token.REM: {token.MUL, "mutantRem"},
		token.AND: {token.OR, "mutantAnd"}, token.OR: {token.AND, "mutantOr"}, token.XOR: {token.AND, "mutantXor"},
		token.AND_NOT: {token.AND, "mutantAndNot"},
		token.SHL:     {token.SHR, "mutantShl"}, token.SHR: {token.SHL, "mutantShr"},
	}
)

// binary mutates operators. Operands are evaluated once and in their order: a comparison or a sum goes to a helper that
// takes both, and for && and || the law of De Morgan keeps what is not evaluated so.
func (f *finder) binary(e *ast.BinaryExpr) {
	changed := func(to token.Token) string { return fmt.Sprintf("changed %s to %s in %s", e.Op, to, f.quoted(e)) }
	if to, ok := opposite[e.Op]; ok {
		m := f.add(opNegate, e.OpPos, changed(to))
		f.around(m, e, "((", ") != mutantOn(#))")
	}
	if b, ok := boundary[e.Op]; ok {
		f.helper(f.add(opBoundary, e.OpPos, changed(b.to)), e, b.helper)
	}
	if a, ok := arithmetic[e.Op]; ok && isNumber(f.pkg.info.TypeOf(e)) {
		if name, ok := f.typeName(f.pkg.info.TypeOf(e)); ok {
			f.helper(f.add(opArith, e.OpPos, changed(a.to)), e, a.helper+"["+name+"]")
		}
	}
	if e.Op != token.LAND && e.Op != token.LOR || !f.isBool(e) || !f.isBool(e.X) || !f.isBool(e.Y) {
		return
	}
	other, without := token.LOR, "(mutantOn(#) || "
	if e.Op == token.LOR {
		other, without = token.LAND, "(!mutantOn(#) && "
	}
	m := f.add(opLogic, e.OpPos, changed(other))
	f.around(m, e, "((", ") != mutantOn(#))")
	f.around(m, e.X, "(", ") != mutantOn(#)")
	f.around(m, e.Y, "(", ") != mutantOn(#)")
	for _, operand := range []ast.Expr{e.X, e.Y} {
		if side, ok := operand.(*ast.BinaryExpr); ok && side.Op == e.Op {
			continue // each of its operands is left out alone
		}
		m := f.add(opOperand, operand.Pos(), fmt.Sprintf("removed %s from %s", f.quoted(operand), f.quoted(e)))
		f.around(m, operand, without+"(", "))")
	}
}

// helper turns x op y into helper(id, x, y).
func (f *finder) helper(m *mutant, e *ast.BinaryExpr, name string) {
	f.around(m, e, name+"(#, ", ")")
	m.edits = append(m.edits, f.edit(e.OpPos, len(e.Op.String()), ",", editReplace))
}

// isBool reports whether e is a plain bool. One of a named type does not mix with what mutantOn returns.
func (f *finder) isBool(e ast.Expr) bool {
	basic, ok := types.Unalias(f.pkg.info.TypeOf(e)).(*types.Basic)
	return ok && basic.Info()&types.IsBoolean != 0
}

// isNumber reports whether t is an integer or a float.
func isNumber(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&(types.IsInteger|types.IsFloat) != 0
}

// typeName writes a type as the file would, and reports false where the file cannot name it.
func (f *finder) typeName(t types.Type) (name string, ok bool) {
	ok = true
	name = types.TypeString(types.Default(t), func(p *types.Package) string {
		if p == f.pkg.types {
			return ""
		}
		local, known := f.file.imports[p.Path()]
		ok = ok && known && local != "_"
		if local == "." {
			return ""
		}
		return local
	})
	return name, ok
}
