package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// statement finds the mutants of a node that is no expression, and reports whether to look inside it.
func (f *finder) statement(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		return n.Tok == token.VAR
	case *ast.BlockStmt:
		f.drops(n.List)
	case *ast.CaseClause:
		f.drops(n.Body)
	case *ast.CommClause:
		f.communication(n.Comm)
		f.drops(n.Body)
	case *ast.IfStmt:
		f.branch(n)
	case *ast.ForStmt:
		if n.Cond != nil {
			f.condition(opCond, n.Cond, "made the loop condition %s always false")
		}
	case *ast.RangeStmt:
		m := f.add(opBody, n.Pos(), "skipped the loop over "+f.quoted(n.X))
		m.edits = append(m.edits, f.edit(n.Body.Lbrace+1, 0, " if mutantOn(#) { break };", editOpen))
		f.only(n.Body)
	case *ast.SwitchStmt:
		f.cases(n)
	case *ast.ReturnStmt:
		f.returned(n)
	case *ast.AssignStmt:
		f.assignment(n)
	}
	return true
}

// branch mutates an if: its condition, and whether its bodies run.
func (f *finder) branch(n *ast.IfStmt) {
	if n.Else == nil {
		f.condition(opBody, n.Cond, "skipped the body of if %s")
		f.only(n.Body)
		return
	}
	f.condition(opCond, n.Cond, "made the condition %s always false")
	f.body(n.Body, "skipped the body of if "+f.quoted(n.Cond)+", and its else")
	if block, ok := n.Else.(*ast.BlockStmt); ok {
		f.body(block, "skipped the else of if "+f.quoted(n.Cond))
	}
}

// condition makes a condition always true and always false. It is evaluated all the same, so that what it does is done;
// to leave that out is another mutant.
func (f *finder) condition(falseOp string, e ast.Expr, never string) {
	if !f.isBool(e) || f.pkg.info.Types[e].Value != nil {
		return
	}
	m := f.add(opCond, e.Pos(), "made the condition "+f.quoted(e)+" always true")
	f.around(m, e, "((", ") || mutantOn(#))")
	m = f.add(falseOp, e.Pos(), fmt.Sprintf(never, f.quoted(e)))
	f.around(m, e, "((", ") && !mutantOn(#))")
}

// body skips a block, unless a function might then lack the return that the compiler wants to see.
func (f *finder) body(b *ast.BlockStmt, did string) {
	if len(b.List) == 0 || terminates(b) {
		return
	}
	m := f.add(opBody, b.Pos(), did)
	m.edits = append(m.edits,
		f.edit(b.Lbrace+1, 0, " if !mutantOn(#) {", editOpen), f.edit(b.Rbrace, 0, "} ", editClose))
	f.only(b)
}

// only keeps the one statement of a body that another mutant skips as a whole.
func (f *finder) only(b *ast.BlockStmt) {
	if len(b.List) == 1 {
		f.keep[b.List[0]] = true
	}
}

// terminates reports whether a statement may be one of those after which a function needs no return.
func terminates(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt, *ast.ForStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt, *ast.LabeledStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.GOTO || s.Tok == token.FALLTHROUGH
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	case *ast.BlockStmt:
		return len(s.List) > 0 && terminates(s.List[len(s.List)-1])
	case *ast.IfStmt:
		return s.Else != nil && terminates(s.Body) && terminates(s.Else)
	}
	return false
}

// drops leaves out the statements of a list, one by one.
func (f *finder) drops(list []ast.Stmt) {
	for i, s := range list {
		last := i == len(list)-1
		if f.keep[s] || !f.droppable(s) || last && terminates(s) {
			continue
		}
		f.around(f.add(opDrop, s.Pos(), "removed "+f.quoted(s)), s, "if !mutantOn(#) { ", " }")
		if x, ok := s.(*ast.IncDecStmt); ok {
			f.step(x)
		}
	}
}

// step turns x++ into x--, and the reverse.
func (f *finder) step(s *ast.IncDecStmt) {
	name, ok := f.typeName(f.pkg.info.TypeOf(s.X))
	if !ok || !isNumber(f.pkg.info.TypeOf(s.X)) {
		return
	}
	sign, to := "+", "--"
	if s.Tok == token.DEC {
		sign, to = "-", "++"
	}
	m := f.add(opArith, s.TokPos, "changed "+f.quoted(s)+" to "+to)
	m.edits = append(m.edits, f.edit(s.TokPos, 2, " "+sign+"= mutantNegative["+name+"](#, 1)", editReplace))
}

func (f *finder) droppable(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.IncDecStmt, *ast.SendStmt, *ast.DeferStmt, *ast.GoStmt:
		return true
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return !ok || f.source(call.Fun) != "runtime.KeepAlive" // whose lack no test can show
	case *ast.BranchStmt:
		return s.Tok == token.BREAK || s.Tok == token.CONTINUE
	case *ast.AssignStmt:
		if s.Tok == token.DEFINE {
			return false
		}
		for _, e := range s.Lhs {
			if id, ok := e.(*ast.Ident); !ok || id.Name != "_" {
				return true
			}
		}
	}
	return false
}

// assignment mutates += and -=: the sign of what is added. It works for unsigned integers too, which wrap around.
func (f *finder) assignment(n *ast.AssignStmt) {
	if n.Tok != token.ADD_ASSIGN && n.Tok != token.SUB_ASSIGN || !isNumber(f.pkg.info.TypeOf(n.Lhs[0])) {
		return
	}
	name, ok := f.typeName(f.pkg.info.TypeOf(n.Lhs[0]))
	if !ok {
		return
	}
	m := f.add(opArith, n.TokPos, "changed the sign in "+f.quoted(n))
	f.around(m, n.Rhs[0], "mutantNegative["+name+"](#, ", ")")
}

// returned puts zero values in the place of what is returned.
func (f *finder) returned(n *ast.ReturnStmt) {
	results := f.results[len(f.results)-1]
	if results.Len() != len(n.Results) || len(n.Results) == 0 {
		return
	}
	last := n.Results[len(n.Results)-1]
	for i, e := range n.Results {
		if f.isLiteralBool(last) && f.isZero(last) && f.isZero(e) && e != last {
			f.skip[e] = true // beside false, nobody looks at what is zero
			continue
		}
		t := results.At(i).Type()
		name, ok := f.typeName(t)
		if !ok || f.isZero(e) || f.isLiteralBool(e) {
			continue
		}
		zero := "the zero value"
		switch u := t.Underlying().(type) {
		case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature:
			zero = "nil"
		case *types.Interface:
			if _, parameter := types.Unalias(t).(*types.TypeParam); !parameter {
				zero = "nil"
			}
		case *types.Basic:
			switch {
			case u.Info()&types.IsBoolean != 0:
				zero = "false"
			case u.Info()&types.IsNumeric != 0:
				zero = "0"
			case u.Info()&types.IsString != 0:
				zero = `""`
			}
		}
		m := f.add(opReturn, e.Pos(), "returned "+zero+" instead of "+f.quoted(e))
		f.around(m, e, "mutantZero["+name+"](#, ", ")")
	}
}

// isLiteralBool reports whether e is true or false itself, which opBool changes.
func (f *finder) isLiteralBool(e ast.Expr) bool {
	tv := f.pkg.info.Types[e]
	return tv.Value != nil && tv.Value.Kind() == constant.Bool
}

// isZero reports whether e is a zero value already, as far as one sees it.
func (f *finder) isZero(e ast.Expr) bool {
	tv := f.pkg.info.Types[e]
	if tv.IsNil() {
		return true
	}
	if tv.Value != nil {
		switch tv.Value.Kind() {
		case constant.Bool:
			return !constant.BoolVal(tv.Value)
		case constant.String:
			return constant.StringVal(tv.Value) == ""
		default:
			return constant.Sign(tv.Value) == 0
		}
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		_, isStruct := tv.Type.Underlying().(*types.Struct)
		return isStruct && len(x.Elts) == 0
	case *ast.StarExpr:
		call, ok := x.X.(*ast.CallExpr)
		return ok && f.builtin(call) == "new"
	}
	return false
}
